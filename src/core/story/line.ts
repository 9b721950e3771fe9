/** What a line of the story is, so that a renderer can colour it. */
export type Tone = 'title' | 'plain' | 'dim' | 'good' | 'bad' | 'warn' | 'add' | 'remove' | 'accent'

/**
 * One finished line of the story of a run. `text` is one line without control characters or terminal sequences; `indent`
 * counts levels. A line with `cut` is to be cut to the width of the terminal, every other one wraps.
 */
export interface StoryLine {
  readonly tone: Tone
  readonly indent: number
  readonly text: string
  readonly cut?: true
}

/** A line that wraps where the terminal ends. */
export const line = (tone: Tone, indent: number, text: string): StoryLine => ({ tone, indent, text })

/** A line of which the head is enough. */
export const cutLine = (tone: Tone, indent: number, text: string): StoryLine => ({ tone, indent, text, cut: true })

/** The first `limit` lines, and one that counts the rest. */
export function capped(lines: readonly StoryLine[], limit: number, what: string): readonly StoryLine[] {
  if (lines.length <= limit) return lines
  const indent = lines[0]?.indent ?? 0
  return [...lines.slice(0, limit), line('dim', indent, `… ${lines.length - limit} more ${what}`)]
}
