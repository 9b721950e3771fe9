import { readText } from './file-text.ts'

/** The diff of a file that comes to be (`+`) or goes (`-`), without a file header. A binary file has none. */
export function wholeFileDiff(bytes: Uint8Array, sign: '+' | '-'): { readonly diff: string; readonly lines: number } {
  const text = readText(bytes)
  if (!text.ok || text.lines.length === 0) return { diff: '', lines: 0 }
  const count = text.lines.length
  const header = sign === '+' ? `@@ -0,0 +1,${count} @@` : `@@ -1,${count} +0,0 @@`
  const unended = bytes.at(-1) !== 0x0a && bytes.at(-1) !== 0x0d ? ['\\ No newline at end of file'] : []
  return { diff: [header, ...text.lines.map((line) => sign + line), ...unended].join('\n').concat('\n'), lines: count }
}
