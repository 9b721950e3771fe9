/** A text as it is compared, and the way from it back to the text as it is. Offsets are in UTF-16 code units. */
export interface View {
  readonly text: string
  /** Where in the source the character begins that begins at this offset of the view; -1 within one. */
  readonly starts: Int32Array
  /** Where in the source the character ends that ends at this offset of the view; -1 within one. */
  readonly ends: Int32Array
}

/** What is one character to a reader: a line end, a syllable of Hangul letters, anything with its combining marks. */
const CHARACTER = /\r\n|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|[\uac00-\ud7a3][\u11a8-\u11ff]|[\s\S]\p{M}*/gu

const QUOTES: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
]

const PLAIN: readonly (readonly [RegExp, string])[] = [
  ...QUOTES,
  [/\r\n/g, '\n'],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-'],
  [/\u2026/g, '...'],
  // Seen by nobody, and therefore left out by whoever writes a text again.
  [/\u00ad|[\u200b-\u200d]|\u2060|\ufe0e|\ufe0f|\ufeff/g, ''],
]

const ASCII = /^[\0-\x7f]*$/

export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/** Typographic quotes as plain ones; every character keeps its place. */
export function plainQuotes(text: string): string {
  return QUOTES.reduce((plain, [form, to]) => plain.replace(form, to), text)
}

/**
 * The text in one Unicode form: composed, with plain quotes, blanks and dashes, without what is invisible. Letters that
 * only resemble each other stay apart.
 */
export function plainCharacters(text: string): string {
  if (isAscii(text)) return text.replaceAll('\r\n', '\n')
  return PLAIN.reduce((plain, [form, to]) => plain.replace(form, to), text.normalize('NFC'))
}

/** The view of `plainCharacters`, with offsets. */
export function plainView(source: string): View {
  const parts: string[] = []
  const edges: { from: number; to: number; start: number; end: number }[] = []
  let at = 0
  for (const { 0: character, index: start } of source.matchAll(CHARACTER)) {
    const plain = character.length === 1 && character < '\x80' ? character : plainCharacters(character)
    if (plain === '') continue
    parts.push(plain)
    edges.push({ from: at, to: at + plain.length, start, end: start + character.length })
    at += plain.length
  }
  const [starts, ends] = [new Int32Array(at + 1).fill(-1), new Int32Array(at + 1).fill(-1)]
  for (const { from, to, start, end } of edges) {
    starts[from] = start
    ends[to] = end
  }
  return { text: parts.join(''), starts, ends }
}

/** True where a combining mark follows: what ends here would leave the mark to what comes next. */
export function splitsCharacter(text: string, end: number): boolean {
  return /^\p{M}/u.test(text.slice(end, end + 2))
}
