import { structuredPatch } from 'diff'

export interface LineDiff {
  /** Hunks of a unified diff, without a file header; empty for equal texts. */
  readonly diff: string
  readonly added: number
  readonly removed: number
}

const CONTEXT = 3
/** Beyond this a minimal diff is not worth the wait. */
const MOST_MS = 2000

/** The hunks between two texts, in time that is bounded: very different large texts become one hunk. */
export function diffText(before: string, after: string): LineDiff {
  if (before === after) return { diff: '', added: 0, removed: 0 }
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT, timeout: MOST_MS })
  if (patch === undefined) return replaced(before, after)
  const lines: string[] = []
  let added = 0
  let removed = 0
  for (const hunk of patch.hunks) {
    lines.push(`@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`)
    for (const line of hunk.lines) {
      lines.push(line)
      if (line.startsWith('+')) added++
      else if (line.startsWith('-')) removed++
    }
  }
  return { diff: lines.length === 0 ? '' : `${lines.join('\n')}\n`, added, removed }
}

function replaced(before: string, after: string): LineDiff {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const body = [...marked('-', old, before), ...marked('+', fresh, after)]
  const header = `@@ -${range(1, old.length)} +${range(1, fresh.length)} @@`
  return { diff: `${[header, ...body].join('\n')}\n`, added: fresh.length, removed: old.length }
}

function marked(sign: string, lines: readonly string[], text: string): string[] {
  const body = lines.map((line) => sign + line)
  return text === '' || text.endsWith('\n') ? body : [...body, '\\ No newline at end of file']
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** `diff` counts from 1 even where a side of a hunk is empty; a patch has the line before it there. */
function range(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`
  return count === 1 ? `${start}` : `${start},${count}`
}
