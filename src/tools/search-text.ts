import { visibleName } from '../core/story/text.ts'
import { cutLine } from './file-text.ts'
import type { FileMatches, Found, Pattern } from './search-files.ts'

const CONTEXT_LINES = 2
/** In one file; what comes after these repeats itself more often than not. */
const HITS_IN_CONTEXT = 5
const MOST_MATCHES_SHOWN = 50
const MOST_BYTES = 16 * 1024
const MOST_LINE_LENGTH = 300

/** What was found, grouped by file: `12:` before a line that matches, `11-` before one around it; and what was left out. */
export function searchText(written: string, where: string | undefined, pattern: Pattern, found: Found): string {
  const notes: string[] = []
  if (pattern.literal) notes.push('(not a regular expression: searched as plain text)')
  if (found.ended === 'deadline') notes.push('(the search was cut off: the pattern takes too long; make it simpler)')
  if (found.matches === 0) {
    if (/\\n/.test(written)) notes.push('(a pattern matches within one line)')
    return [`No matches${where === undefined ? '' : ` in ${where}`}.`, ...notes].join('\n')
  }
  const blocks: string[] = []
  let bytes = 0
  let shown = 0
  for (const file of found.files) {
    const block = describe(file, MOST_MATCHES_SHOWN - shown)
    bytes += Buffer.byteLength(block.text) + 2
    if (bytes > MOST_BYTES && blocks.length > 0) break
    blocks.push(block.text)
    shown += block.matches
    if (shown >= MOST_MATCHES_SHOWN) break
  }
  if (shown < found.matches) notes.push(leftOut(found, blocks.length, found.matches - shown))
  return [blocks.join('\n\n'), ...notes].join('\n\n')
}

function leftOut(found: Found, filesShown: number, matches: number): string {
  const files = found.files.slice(filesShown).map((file) => visibleName(file.file))
  const more = found.ended === 'enough' ? 'at least ' : ''
  const where =
    files.length === 0 ? '' : `, in ${files.slice(0, 10).join(', ')}${files.length > 10 ? ' and others' : ''}`
  return `(${more}${matches} more ${matches === 1 ? 'match' : 'matches'} not shown${where}; narrow the pattern or the path)`
}

function describe(file: FileMatches, most: number): { readonly text: string; readonly matches: number } {
  const taken = file.matches.slice(0, most)
  const hits = new Set(taken)
  const lines: string[] = [visibleName(file.file)]
  let last = -1
  for (const [index, hit] of taken.entries()) {
    const context = index < HITS_IN_CONTEXT ? CONTEXT_LINES : 0
    // A gap of one line is no shorter than the line itself.
    const nearest = hit - context === last + 2 ? last + 1 : hit - context
    const from = Math.max(last + 1, nearest)
    if (last >= 0 && from > last + 1) lines.push('--')
    for (let number = from; number <= Math.min(file.lines.length - 1, hit + context); number += 1) {
      lines.push(
        `${number + 1}${hits.has(number) ? ':' : '-'}${cutLine(file.lines[number] as string, MOST_LINE_LENGTH)}`,
      )
      last = number
    }
  }
  return { text: lines.join('\n'), matches: taken.length }
}
