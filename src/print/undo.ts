import type { FileChange } from '../core/snapshot.ts'
import { line, type StoryLine } from '../core/story/line.ts'
import { fileDiffLines, fileLine } from '../core/story/result.ts'
import { count, oneLine } from '../core/story/text.ts'
import { type PrintStyle, renderLine } from './style.ts'

/** What an undo did or, with `preview`, would do. */
export interface UndoSummary {
  readonly preview: boolean
  readonly run?: string
  readonly since?: string
  readonly changes: readonly FileChange[]
  readonly left: readonly { readonly what: string; readonly former?: string }[]
  readonly displaced: readonly { readonly path: string; readonly kept: string }[]
  readonly again?: string
}

/** The summary as lines, each with its newline; a preview shows the diff. */
export function* renderUndo(summary: UndoSummary, style: PrintStyle): Generator<string> {
  for (const each of linesOf(summary)) yield `${renderLine(each, style)}\n`
}

function linesOf(summary: UndoSummary): readonly StoryLine[] {
  const { preview, changes, left, displaced, again } = summary
  return [
    headline(summary),
    ...changes.flatMap((change) => [fileLine(change), ...(preview ? fileDiffLines(change) : [])]),
    ...left.map(({ what, former }) =>
      line('warn', 1, oneLine(`! left as it is: ${what}${former === undefined ? '' : ` (${former})`}`)),
    ),
    ...displaced.map(({ path, kept }) =>
      line('dim', 1, oneLine(`what a command had written to ${path} is in ${kept}`)),
    ),
    ...(again === undefined ? [] : [line('dim', 1, oneLine(`to take this back: goatfied undo ${again}`))]),
  ]
}

function headline({ preview, run, since, changes, left }: UndoSummary): StoryLine {
  if (run === undefined) return line('plain', 0, 'no run has left anything to undo here')
  const which = oneLine(since === undefined ? `run ${run}` : `${since} of run ${run}`)
  const tone = left.length > 0 ? 'warn' : 'good'
  const verb = preview ? 'would be given' : 'given'
  if (changes.length > 0) return line(tone, 0, `${count(changes.length, 'file')} ${verb} back as before ${which}`)
  if (left.length > 0) return line(tone, 0, `nothing ${verb} back of ${which}`)
  return line('plain', 0, `nothing is left to give back of ${which}`)
}
