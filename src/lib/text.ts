/** Strings that a terminal swallows whole (OSC, DCS, SOS, PM, APC), up to BEL or ST on the same line. */
const CONTROL_STRINGS = /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x1b\\|\x9c)/g
const CONTROL_SEQUENCES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g
const SHORT_ESCAPES = /\x1b[ -/]*[0-~]/g
const OTHER_CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * Plain text: without colours, cursor movements, titles and links of a terminal and without any other control character
 * but tab and newline. Carriage returns become line ends, so that a redrawn progress line is a line.
 */
export function stripTerminalSequences(text: string): string {
  return text
    .replace(CONTROL_STRINGS, '')
    .replace(CONTROL_SEQUENCES, '')
    .replace(SHORT_ESCAPES, '')
    .replace(/\r+\n?/g, '\n')
    .replace(OTHER_CONTROLS, '')
}

export interface CappedText {
  readonly text: string
  readonly truncated: boolean
}

/** What the line about left-out text may need. */
const MARKER_BYTES = 48

/**
 * `text` within `maxBytes` of UTF-8 (at least 64): its first and last whole lines, and between them a line that says how
 * many lines were left out. A line that alone exceeds its half is cut inside, never inside of a character.
 */
export function headAndTail(text: string, maxBytes: number): CappedText {
  if (Buffer.byteLength(text) <= maxBytes) return { text, truncated: false }
  const lines = text.split('\n')
  const half = Math.max(0, Math.floor((maxBytes - MARKER_BYTES) / 2))
  const head = wholeLines(lines, half)
  const tail = wholeLines(lines.slice(head.length).reverse(), half).reverse()
  const shown = head.length + tail.length
  const first = head.length > 0 ? head.join('\n') : cutBytes(lines[0] ?? '', half, 'start')
  const last = tail.length > 0 ? tail.join('\n') : cutBytes(lines.at(-1) ?? '', half, 'end')
  const leftOut = lines.length - shown - (head.length > 0 ? 0 : 1) - (tail.length > 0 ? 0 : 1)
  const marker =
    leftOut > 0
      ? `[... ${leftOut} ${leftOut === 1 ? 'line' : 'lines'} left out ...]`
      : `[... ${Buffer.byteLength(text) - Buffer.byteLength(first) - Buffer.byteLength(last)} bytes left out ...]`
  return { text: `${first}\n${marker}\n${last}`, truncated: true }
}

/** The first `maxLines` lines, then a line that says how many more there are. */
export function capLines(text: string, maxLines: number): CappedText {
  const lines = text.split('\n')
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  if (body.length <= maxLines) return { text, truncated: false }
  const more = body.length - maxLines
  return {
    text: [...body.slice(0, maxLines), `[... ${more} more ${more === 1 ? 'line' : 'lines'} ...]`].join('\n'),
    truncated: true,
  }
}

/** The leading lines that fit into `maxBytes`, newlines counted. */
function wholeLines(lines: readonly string[], maxBytes: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const line of lines) {
    used += Buffer.byteLength(line) + 1
    if (used > maxBytes) break
    taken.push(line)
  }
  return taken
}

function cutBytes(line: string, maxBytes: number, keep: 'start' | 'end'): string {
  const bytes = Buffer.from(line)
  if (bytes.length <= maxBytes) return line
  const part = keep === 'start' ? bytes.subarray(0, maxBytes) : bytes.subarray(bytes.length - maxBytes)
  return trimBrokenCharacters(part).toString()
}

/** `bytes` without the parts of UTF-8 characters that a cut left at either end. */
export function trimBrokenCharacters(bytes: Buffer): Buffer {
  let start = 0
  while (start < Math.min(4, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  let end = bytes.length
  for (let back = 1; back <= Math.min(4, end - start); back += 1) {
    const byte = bytes[end - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (length > back) end -= back
    break
  }
  return bytes.subarray(start, end)
}
