import { maskSource } from './source-mask.ts'

/** Lines of a source, 0-based and inclusive. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** A source by its lines, as it is and with what is no code blanked, and how deep in brackets every place is. */
export interface Layout {
  readonly source: string
  readonly masked: string
  readonly lines: readonly string[]
  readonly maskedLines: readonly string[]
  /** Offset of the first character of each line. */
  readonly starts: readonly number[]
  /** By offset: how many brackets are open before it. */
  readonly depths: Uint16Array
}

/** The layout of a JavaScript or TypeScript source. Line endings may be any. */
export function layoutOf(text: string): Layout {
  const source = text.replaceAll(/\r\n?/g, '\n')
  const masked = maskSource(source)
  const maskedLines = masked.split('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of maskedLines) {
    starts.push(offset)
    offset += line.length + 1
  }
  return { source, masked, lines: source.split('\n'), maskedLines, starts, depths: depthsOf(masked) }
}

function depthsOf(masked: string): Uint16Array {
  const depths = new Uint16Array(masked.length + 1)
  let depth = 0
  for (let at = 0; at < masked.length; at += 1) {
    const letter = masked.charAt(at)
    // Text of JSX can leave brackets that match nothing: what starts a line like this stands at the top.
    if (depth > 0 && (at === 0 || masked[at - 1] === '\n') && /^(?:export|import)\b/.test(masked.slice(at, at + 7)))
      depth = 0
    if (/[)\]}]/.test(letter)) depth = Math.max(0, depth - 1)
    depths[at] = depth
    if (/[([{]/.test(letter)) depth = Math.min(depth + 1, 0xffff)
  }
  depths[masked.length] = depth
  return depths
}

export function lineAt({ starts }: Layout, offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

const GOES_ON =
  /(?:[=,:?|&+\-*/%<~^.([{]|=>|\b(?:extends|implements|as|satisfies|typeof|keyof|return|in|of|new|await|instanceof))$/
const GOES_ON_BEFORE = /^(?:[.?:|&+*/%=,)\]}>([-]|(?:extends|implements|as|satisfies|instanceof|in)\b)/

/**
 * The lines of the statement that begins at `offset`, with the comment right before it. `block`: it is over with the
 * bracket that closes its body.
 */
export function statementAt(layout: Layout, offset: number, block: boolean): Stretch {
  const { lines, maskedLines } = layout
  const first = lineAt(layout, offset)
  let from = first
  while (from > 0 && (isComment(layout, from - 1) || /^\s*@/.test(maskedLines[from - 1] ?? ''))) from -= 1
  let to = first
  while (to < lines.length - 1 && !endsAt(layout, to, block)) to += 1
  return { from, to }
}

function isComment({ lines, maskedLines }: Layout, line: number): boolean {
  return (lines[line] ?? '').trim() !== '' && (maskedLines[line] ?? '').trim() === ''
}

function endsAt({ maskedLines, starts, depths }: Layout, line: number, block: boolean): boolean {
  const text = (maskedLines[line] ?? '').trimEnd()
  const end = (starts[line] ?? 0) + text.length
  if ((depths[end] ?? 0) > 0 || text.trim() === '') return false
  if (text.endsWith(';')) return true
  const next = maskedLines
    .slice(line + 1)
    .find((each) => each.trim() !== '')
    ?.trim()
  // A type of the head may close like a body.
  if (block && text.endsWith('}')) return next === undefined || !/^[>|&{]/.test(next)
  if (GOES_ON.test(text) && !/(?:\+\+|--)$/.test(text)) return false
  return next === undefined || !(GOES_ON_BEFORE.test(next) || (block && next.startsWith('{')))
}
