import { cutLine, line, type StoryLine, type Tone } from './line.ts'
import { cleanLines } from './text.ts'

/** A unified diff as lines, at most `limit` of them and one that counts the rest. An empty diff gives none. */
export function diffLines(diff: string, indent: number, limit: number): readonly StoryLine[] {
  if (diff.trim() === '') return []
  const all = cleanLines(diff)
  const shown = all.slice(0, limit).map((text) => cutLine(toneOf(text), indent, text))
  return all.length > limit ? [...shown, line('dim', indent, `… ${all.length - limit} more lines`)] : shown
}

function toneOf(text: string): Tone {
  if (text.startsWith('+++') || text.startsWith('---')) return 'dim'
  if (text.startsWith('+')) return 'add'
  if (text.startsWith('-')) return 'remove'
  if (text.startsWith('@@')) return 'accent'
  return 'dim'
}
