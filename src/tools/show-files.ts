import type { ShownFile } from '../core/ports.ts'
import { numberLines, readText } from './file-text.ts'
import type { ToolContext } from './tool.ts'

/** What the line that says where a file was cut may need. */
const MARKER_BYTES = 24
/** A file with more lines than this is long: only what stands around the lines in question is shown. */
const LONG_LINES = 150
const AROUND_LINES = 25

/** Files as numbered text under their names, in order, within `budgetBytes`; what can't be read is left out. Those shown whole count as seen by the model. */
export async function showFiles(
  files: readonly ShownFile[],
  budgetBytes: number,
  context: ToolContext,
): Promise<string> {
  const blocks: string[] = []
  let left = budgetBytes
  for (const { path, lines: named = [], texts = [] } of files) {
    const file = await context.tree.read(path).catch(() => undefined)
    if (file === undefined) continue
    const text = readText(file.bytes)
    if (!text.ok) continue
    const total = text.lines.length
    const lines = [...named, ...linesWith(text.lines, texts)]
    const header = `${path} (${total} ${total === 1 ? 'line' : 'lines'})`
    const room = left - Buffer.byteLength(header) - MARKER_BYTES
    if (room <= 0) break
    const part = total > LONG_LINES && lines.length > 0
    const shown = showStretches(text.lines, part ? around(lines, total) : [{ from: 1, to: total }], room)
    if (shown === undefined) continue
    if (shown.whole && !part) context.seen.see(path, file.hash, file.bytes)
    const block = shown.text === '' ? header : `${header}\n${shown.text}`
    blocks.push(block)
    left -= Buffer.byteLength(block) + 2
  }
  return blocks.join('\n\n')
}

/** The first line with each of the texts. */
function linesWith(lines: readonly string[], texts: readonly string[]): readonly number[] {
  return texts.flatMap((text) => {
    const index = lines.findIndex((line) => line.includes(text))
    return index < 0 ? [] : [index + 1]
  })
}

interface Stretch {
  readonly from: number
  to: number
}

/** The stretches around the lines; those that touch are one. */
function around(lines: readonly number[], total: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const line of [...lines].sort((a, b) => a - b)) {
    const [from, to] = [Math.max(1, line - AROUND_LINES), Math.min(total, line + AROUND_LINES)]
    const last = stretches.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else if (from <= to) stretches.push({ from, to })
  }
  return stretches
}

interface Shown {
  readonly text: string
  /** Nothing of the stretches had to be left out. */
  readonly whole: boolean
}

/** Undefined when not even the first line has room. */
function showStretches(lines: readonly string[], stretches: readonly Stretch[], room: number): Shown | undefined {
  const parts: string[] = []
  const shownSoFar = (whole: boolean): Shown => ({ text: parts.join('\n...\n'), whole })
  let left = room
  for (const { from, to } of stretches) {
    const shown = numberLines(lines, from, to, left)
    if (Buffer.byteLength(shown.text) > left) return parts.length === 0 ? undefined : shownSoFar(false)
    const cut = shown.lastLine < to
    parts.push([shown.text, ...(cut ? [`(to line ${shown.lastLine})`] : [])].filter((line) => line !== '').join('\n'))
    if (cut) return shownSoFar(false)
    left -= Buffer.byteLength(shown.text) + MARKER_BYTES
  }
  return shownSoFar(true)
}
