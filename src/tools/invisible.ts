/**
 * What can't be seen, or shows as something else than it is: controls, zero width and direction marks, tags, fillers, blanks
 * that are no blank, halves of characters. Variation selectors stay: they are parts of ordinary emoji.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|(?! )\p{Zs}/u
/** Runs of more blanks push what follows out of sight. */
const MANY_BLANKS = /[ \t]{4,}/g

/** The first character of `text` that a person would not see, as `U+202E`. A tab counts as seen. */
export function invisibleCharacter(text: string): string | undefined {
  const found = INVISIBLE.exec(text.replaceAll('\t', ' '))?.[0]
  return found === undefined ? undefined : codePoint(found)
}

/** A command as a person is shown it who decides on it: nothing of it invisible, long runs of blanks as their number. */
export function shownToPerson(command: string): string {
  return command
    .replaceAll(MANY_BLANKS, (blanks) => `[${blanks.length} blanks]`)
    .replaceAll('\t', ' ')
    .replaceAll(new RegExp(INVISIBLE, 'gu'), (character) => `[${codePoint(character)}]`)
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
