const BINARY_PROBE_BYTES = 8192
/** A longer line is cut: nobody reads it, and one minified line would fill the answer. */
const MOST_LINE_LENGTH = 2000

export type FileText =
  | { readonly ok: true; readonly lines: readonly string[] }
  /** Why it has no text, in words. */
  | { readonly ok: false; readonly reason: string }

/** The lines of a file, without byte order mark and line endings. A final newline ends the last line and doesn't begin another. */
export function readText(bytes: Uint8Array): FileText {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0))
    return { ok: false, reason: `a binary file of ${bytes.length} bytes` }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ok: false, reason: `a file of ${bytes.length} bytes that is not valid UTF-8` }
  }
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return { ok: true, lines }
}

export function cutLine(line: string, most: number = MOST_LINE_LENGTH): string {
  return line.length <= most ? line : `${line.slice(0, most)} [... ${line.length - most} more characters]`
}

export interface NumberedText {
  readonly text: string
  /** 1-based; 0 when not even one line fitted. */
  readonly lastLine: number
}

/** Lines `from` to `to` (1-based, inclusive) as `12\ttext`, as many as fit into `maxBytes`. */
export function numberLines(lines: readonly string[], from: number, to: number, maxBytes: number): NumberedText {
  const shown: string[] = []
  let used = 0
  let lastLine = 0
  for (let number = from; number <= Math.min(to, lines.length); number += 1) {
    const line = `${number}\t${cutLine(lines[number - 1] as string)}`
    used += Buffer.byteLength(line) + 1
    if (used > maxBytes && shown.length > 0) break
    shown.push(line)
    lastLine = number
  }
  return { text: shown.join('\n'), lastLine }
}
