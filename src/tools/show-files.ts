import { numberLines, readText } from './file-text.ts'
import type { ToolContext } from './tool.ts'

/** What the line that says where a file was cut may need. */
const MARKER_BYTES = 24

/** Files as numbered text under their names, in order, within `budgetBytes`; what can't be read is left out. Those shown whole count as seen by the model. */
export async function showFiles(paths: readonly string[], budgetBytes: number, context: ToolContext): Promise<string> {
  const blocks: string[] = []
  let left = budgetBytes
  for (const path of paths) {
    const file = await context.tree.read(path).catch(() => undefined)
    if (file === undefined) continue
    const text = readText(file.bytes)
    if (!text.ok) continue
    const total = text.lines.length
    const header = `${path} (${total} ${total === 1 ? 'line' : 'lines'})`
    const room = left - Buffer.byteLength(header) - MARKER_BYTES
    if (room <= 0) break
    const shown = numberLines(text.lines, 1, total, room)
    if (Buffer.byteLength(shown.text) > room) continue
    const cut = shown.lastLine < total
    if (!cut) context.seen.see(path, file.hash)
    const block = [header, shown.text, ...(cut ? [`(to line ${shown.lastLine})`] : [])]
      .filter((line) => line !== '')
      .join('\n')
    blocks.push(block)
    left -= Buffer.byteLength(block) + 2
  }
  return blocks.join('\n\n')
}
