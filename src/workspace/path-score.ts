import { editDistance } from '../lib/edit-distance.ts'
import { pathParts } from './mistyped-path.ts'

/** Half of the score is the name, half the way to it: either alone doesn't make a path likely. */
const NAME_SHARE = 0.5
/** Of the name, what stands before the extension. */
const STEM_SHARE = 0.85
/** Segments that share less than this many of their letters are unrelated, and equally so. */
const RELATED = 0.45
/** What one folder too many or too few costs, where 1 is a folder that has nothing of the one written. */
const COST = { missing: 0.55, missingAtStart: 0.2, extra: 0.55, extraAtStart: 0.5, extraForeign: 0.04 } as const
/** Letter case alone. */
const SAME_BUT_CASE = 0.985

const SCRIPT_EXTENSIONS = new Set(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'])

/** A function that says how much a path resembles the one written: 0 to 1. */
export function createPathScorer(written: string): (path: string) => number {
  const wanted = pathParts(written)
  const known = new Map<string, number>()
  /** Paths of one repository share most of their segments, so each pair is compared once. */
  const alike = (mine: string, theirs: string): number => {
    if (mine === theirs) return 1
    const key = `${mine}/${theirs}`
    let value = known.get(key)
    if (value === undefined) {
      value = similarity(mine, theirs)
      known.set(key, value)
    }
    return value
  }

  return (path) => {
    const parts = pathParts(path)
    const stem = alike(wanted.stem, parts.stem)
    const name = STEM_SHARE * stem + (1 - STEM_SHARE) * extensionSimilarity(wanted.extension, parts.extension, alike)
    const way = wayScore(wanted.directories, parts.directories, wanted.foreign, alike)
    return NAME_SHARE * name + (1 - NAME_SHARE) * way
  }
}

function similarity(mine: string, theirs: string): number {
  const a = mine.toLowerCase()
  const b = theirs.toLowerCase()
  if (a === b) return SAME_BUT_CASE
  const length = Math.max(a.length, b.length)
  const most = Math.floor(length * (1 - RELATED))
  const distance = editDistance(a, b, most)
  return distance > most ? 0 : (1 - distance / length) * SAME_BUT_CASE
}

function extensionSimilarity(mine: string, theirs: string, alike: (a: string, b: string) => number): number {
  if (mine === theirs) return 1
  if (SCRIPT_EXTENSIONS.has(mine) && SCRIPT_EXTENSIONS.has(theirs)) return 0.8
  return alike(mine, theirs) * 0.8
}

/** Aligns the folders of both paths, in order, at the least cost. */
function wayScore(
  mine: readonly string[],
  theirs: readonly string[],
  foreign: boolean,
  alike: (a: string, b: string) => number,
): number {
  const longest = Math.max(mine.length, theirs.length)
  if (longest === 0) return 1
  const width = theirs.length
  let above = new Float64Array(width + 1)
  let row = new Float64Array(width + 1)
  for (let j = 1; j <= width; j += 1) above[j] = (above[j - 1] as number) + COST.missingAtStart
  for (let i = 1; i <= mine.length; i += 1) {
    row[0] = (above[0] as number) + (foreign ? COST.extraForeign : COST.extraAtStart)
    for (let j = 1; j <= width; j += 1) {
      const replaced = (above[j - 1] as number) + 1 - alike(mine[i - 1] as string, theirs[j - 1] as string)
      const extra = (above[j] as number) + COST.extra
      const missing = (row[j - 1] as number) + COST.missing
      row[j] = Math.min(replaced, extra, missing)
    }
    const spare = above
    above = row
    row = spare
  }
  return Math.max(0, 1 - (above[width] as number) / longest)
}
