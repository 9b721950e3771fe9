import { editDistance } from '../lib/edit-distance.ts'

export interface RankedName {
  readonly name: string
  readonly score: number
}

/** Strings that share less are unrelated, and equally so. */
const RELATED = 0.5

/** All of `names`, those that resemble `wanted` first, else in their order. Scores are 0 to 1. */
export function nearestNames(wanted: string, names: readonly string[]): readonly RankedName[] {
  return names
    .map((name) => ({
      name,
      score: Math.max(likeness(wanted.toLowerCase(), name.toLowerCase()), likeWords(wanted, name)),
    }))
    .sort((a, b) => b.score - a.score)
}

function likeness(a: string, b: string): number {
  const length = Math.max(a.length, b.length, 1)
  const value = 1 - editDistance(a, b, length) / length
  return value < RELATED ? 0 : value
}

/** How much of the words of `name` (`editFile`, `edit_file`) is in `wanted`; a little less than the same for the name as a whole. */
function likeWords(wanted: string, name: string): number {
  const mine = words(wanted)
  const theirs = words(name)
  if (theirs.length === 0) return 0
  const best = theirs.map((word) => Math.max(0, ...mine.map((other) => likeness(word, other))))
  return (best.reduce((sum, each) => sum + each, 0) / theirs.length) * 0.95
}

function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
