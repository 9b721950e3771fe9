/** Fewer characters, blanks left out, stand in other forms by chance. */
const LEAST_CHARACTERS = 5
/** A text of nothing but these stands everywhere. */
const COMMON =
  /\b(?:begin|break|case|catch|continue|default|do|done|else|end|esac|false|fi|finally|nil|none|null|pass|return|then|true|try)\b/gi
/** How many characters a match may leave out or take in beyond the wanted text, and for how many of its own one more. */
const MOST_SWALLOWED = { always: 16, oneOf: 2 } as const

/** True for a text that says enough to be meant where it is found in another form only. */
export function isTelling(wanted: string): boolean {
  if (wanted.replace(/\s/g, '').length < LEAST_CHARACTERS) return false
  return /[\p{L}\p{N}_]/u.test(wanted.replace(COMMON, ''))
}

/** True when the texts differ in length, their lines' indentation left out, by more than a form can account for. */
export function swallowsMuch(found: string, wanted: string): boolean {
  const rows = (text: string) =>
    text
      .normalize('NFC')
      .split('\n')
      .map((line) => line.trimStart().length)
  const [present, sought] = [rows(found), rows(wanted)]
  const beyond = present.reduce((sum, length, row) => sum + Math.abs(length - (sought[row] ?? 0)), 0)
  return beyond > MOST_SWALLOWED.always + wanted.replace(/\s/g, '').length / MOST_SWALLOWED.oneOf
}
