import { editDistance } from '../lib/edit-distance.ts'

/**
 * The name that `typed` was probably meant to be: the one with the fewest slips, letter case aside, in at most a third of its
 * letters. Undefined where none is that near.
 */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of names) {
    const most = Math.floor(Math.max(typed.length, name.length) / 3)
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase(), most)
    if (distance > most || distance >= least) continue
    best = name
    least = distance
  }
  return best
}
