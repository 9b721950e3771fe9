import { plainQuotes } from './view.ts'

/** Of a longer line only so much is compared. */
const MOST_COMPARED = 300
/** A shorter text is in a long line by chance. */
const LEAST_PART = 8
/** So much of a text is in a longer line before the line counts as holding it. */
const LEAST_SHARE = 0.75

/** What of a line counts when lines are compared: neither indentation, blanks, kinds of quotes nor the mark at its end. */
export function keyOf(line: string): string {
  return plainQuotes(line)
    .replace(/[`"]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[;,]?\s*$/, '')
    .trimStart()
}

/** How much a line says: one of brackets alone stands anywhere. */
export function weightOf(key: string): number {
  if (key === '') return 0.2
  return /\w/.test(key) ? Math.min(key.length, 40) + 1 : 1
}

/** How alike two keys are, 0 to 1; the first may be a part of the second. */
export type Likeness = (wanted: string, present: string) => number

/** Compares by common pairs of neighbouring characters; the pairs of every line are counted once. */
export function createLikeness(): Likeness {
  const known = new Map<string, Uint32Array>()
  const pairsOf = (key: string): Uint32Array => {
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const pairs = new Uint32Array(Math.max(0, Math.min(key.length, MOST_COMPARED) - 1))
    for (let at = 0; at < pairs.length; at++) pairs[at] = key.charCodeAt(at) * 65_536 + key.charCodeAt(at + 1)
    pairs.sort()
    known.set(key, pairs)
    return pairs
  }
  return (wanted, present) => {
    if (wanted === present) return 1
    const [a, b] = [pairsOf(wanted), pairsOf(present)]
    const least = Math.min(a.length, b.length)
    const partial = wanted.length >= LEAST_PART && b.length > a.length
    // Even if all of the shorter one were common, it would be too little.
    if (least === 0 || (!partial && (2 * least) / (a.length + b.length) < 0.3)) return 0
    const common = countCommon(a, b)
    const whole = (2 * common) / (a.length + b.length)
    const share = partial ? common / a.length : 0
    return share >= LEAST_SHARE ? Math.max(whole, 0.85 * share) : whole
  }
}

function countCommon(a: Uint32Array, b: Uint32Array): number {
  let common = 0
  let [left, right] = [0, 0]
  while (left < a.length && right < b.length) {
    const difference = (a[left] ?? 0) - (b[right] ?? 0)
    if (difference === 0) common++
    if (difference <= 0) left++
    if (difference >= 0) right++
  }
  return common
}
