import type { ShownFile } from '../core/ports.ts'
import type { FileChange } from '../core/snapshot.ts'
import type { TestResult } from '../core/verdict.ts'

/** The files that a change is about, around its lines in the files as they were `before` it or are `after` it. */
export function changedFiles(changes: readonly FileChange[], side: 'before' | 'after'): readonly ShownFile[] {
  return changes.map(({ path, diff }) => ({ path, lines: hunkEnds(diff, side) }))
}

/** The files of the changes, those of `files` beside them, and where the tests stand that fail now. */
export function filesInScope(
  changes: readonly FileChange[],
  files: readonly string[],
  failing: readonly TestResult[],
): readonly ShownFile[] {
  const shown = new Map(changedFiles(changes, 'before').map((file) => [file.path, file]))
  for (const path of files) if (!shown.has(path)) shown.set(path, { path })
  for (const { id, file } of failing) {
    if (file === undefined) continue
    const { path, lines, texts = [] } = shown.get(file) ?? { path: file, lines: [] }
    const title = id.split(' > ').at(-1) ?? id
    shown.set(file, { path, texts: [...texts, title], ...(lines && { lines }) })
  }
  return [...shown.values()]
}

/** The lines that the hunks of a unified diff begin and end at, on one of its sides. */
function hunkEnds(diff: string, side: 'before' | 'after'): readonly number[] {
  const hunk = side === 'before' ? /^@@ -(\d+)(?:,(\d+))? /gm : /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? /gm
  return [...diff.matchAll(hunk)].flatMap(([, start, length]) => {
    const first = Math.max(1, Number(start))
    return [first, first + Math.max(0, Number(length ?? 1) - 1)]
  })
}
