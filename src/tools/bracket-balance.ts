import type { TextEdit } from './tool.ts'

const PAIRS = [
  ['{', '}'],
  ['(', ')'],
  ['[', ']'],
] as const

/**
 * Which of the edits opens or closes more brackets than the text that it replaces: where a parser gives up may be far from
 * there. Strings and comments count like code, so it is a hint and no verdict. Empty where all are balanced.
 */
export function unbalanced(edits: readonly TextEdit[]): readonly string[] {
  return edits.flatMap(({ oldText, newText }, index) =>
    PAIRS.flatMap(([open, close]) => {
      const more = surplus(newText, open, close) - surplus(oldText, open, close)
      if (more === 0) return []
      const what =
        more > 0 ? `opens ${more} more "${open}" than it closes` : `closes ${-more} more "${open}" than it opens`
      return [`edit ${index + 1} ${what}`]
    }),
  )
}

const surplus = (text: string, open: string, close: string): number =>
  text.split(open).length - text.split(close).length
