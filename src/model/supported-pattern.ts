/** Repetitions beyond this make a grammar too large. */
const MOST_REPETITIONS = 100

/**
 * Whether a pattern stays within what strict tools take: no look-around, no back-reference, no `\b`, no named groups, no
 * lazy quantifiers, no Unicode classes, no large repetitions. In doubt no: the pattern is held at dispatch in any case.
 */
export function isSupportedPattern(pattern: string): boolean {
  for (const [token] of pattern.matchAll(/\\.|\(\?.|[*+?}]\?|\{\d+(?:,\d*)?\}/gs)) {
    if (token.startsWith('\\')) {
      if (/[bBkpPuxc0-9]/.test(token)) return false
    } else if (token.startsWith('(')) {
      if (token !== '(?:') return false
    } else if (token.startsWith('{')) {
      if ((token.match(/\d+/g) ?? []).some((count) => Number(count) > MOST_REPETITIONS)) return false
    } else return false
  }
  return true
}
