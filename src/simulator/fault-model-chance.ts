import { sha256 } from '../lib/hash.ts'

/** A number from 0 up to 1 that depends on nothing but the seed and what it is for. */
export function chance(seed: number, ...purpose: readonly (string | number)[]): number {
  return Number.parseInt(sha256([seed, ...purpose].join('/')).slice(0, 12), 16) / 2 ** 48
}

/** One of the items, each with its weight's share. Throws for an empty list. */
export function choose<T>(items: readonly (readonly [item: T, weight: number])[], at: number): T {
  let left = at * items.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [item, weight] of items) {
    left -= weight
    if (left < 0) return item
  }
  const last = items.at(-1)
  if (last === undefined) throw new Error('there is nothing to choose from')
  return last[0]
}
