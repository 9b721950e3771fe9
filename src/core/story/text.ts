// Escape sequences whole (CSI, then the string kinds such as OSC with or without their end, then two-byte ones), so that
// their visible tails don't stay behind.
const TERMINAL_SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g
// C0 but tab and newline, DEL, C1, line separators, and what reverses the reading direction.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200e\u200f\ufeff]/g
const MOST_CHARACTERS = 2000

/** Text from outside without anything that can move the cursor, colour or reorder what is shown. Newlines stay, tabs become blanks. */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(TERMINAL_SEQUENCE, '')
    .replaceAll(CONTROL, '')
    .replaceAll('\t', '    ')
}

/** The clean lines of a text, without blank ones at its end; a line over 2,000 characters is cut. */
export function cleanLines(text: string): readonly string[] {
  return cleanText(text).trimEnd().split('\n').map(capCharacters)
}

/** The text as one clean line, runs of white space as one blank. */
export function oneLine(text: string): string {
  return capCharacters(cleanText(text).replaceAll(/\s+/g, ' ').trim())
}

/** The text with its control characters made visible instead of left out: for what a person decides on. */
export function visibleControls(text: string): string {
  const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
  return text.replaceAll(CONTROL, (character) => `\\u${hex(character)}`).replaceAll('\t', '    ')
}

/** A name on one line, whatever is in it: a file's name is not to pass for other text. */
export function visibleName(name: string): string {
  return visibleControls(name.replaceAll('\n', '\\n').replaceAll('\t', '\\t'))
}

function capCharacters(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  return `${Array.from(text.slice(0, MOST_CHARACTERS)).slice(0, -1).join('')}…`
}

/**
 * The text cut to `columns` with an ellipsis where it is longer. `width` measures in display columns; clusters of code
 * points that show as one are never split.
 */
export function fit(text: string, columns: number, width: (text: string) => number): string {
  if (width(text) <= columns) return text
  if (columns < 1) return ''
  let kept = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += width(segment)
    if (used > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** `0.4 s`, `12 s`, `1 min 4 s`, `2 h 3 min`. */
export function duration(ms: number): string {
  const tenths = Math.max(0, Math.round(ms / 100))
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `940`, `12.3k`, `1.2M`. */
export function compactNumber(value: number): string {
  if (value < 1000) return String(value)
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}

/** `$1.20`; small sums with as many places as tell something: `$0.0042`. */
export function money(usd: number): string {
  return `$${usd >= 0.1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`
}

/** `1 test`, `2 tests`. */
export function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`
}

/** The first `most` of a list as clean text, and how many are left out. */
export function shortList(items: readonly string[], most: number): string {
  const shown = items.slice(0, most).map(oneLine).join(', ')
  return items.length > most ? `${shown}, … ${items.length - most} more` : shown
}
