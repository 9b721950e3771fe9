import { isExtension, kindOf } from './file-kinds.ts'
import { asModule, type PathParts, pathParts } from './mistyped-path.ts'
import { nameSimilarity } from './name-similarity.ts'

/** Half of the score is the name, half the way to it: either alone doesn't make a path likely. */
const NAME_SHARE = 0.5
/** Of the name, what stands before the extension. */
const STEM_SHARE = 0.85
/** What one folder too many or too few costs, where 1 is a folder that has nothing of the one written. */
const COST = {
  missing: 0.55,
  missingAtStart: 0.2,
  moreMissingAtStart: 0.1,
  extra: 0.55,
  extraAtStart: 0.5,
  extraForeign: 0.04,
} as const
/** The way to a file of which only the name is written. */
const NAME_ALONE = 0.8
/** `cart/index.ts` for `cart.ts`, or the other way round. */
const SAME_MODULE = 0.98
/** The name as written goes on with another extension: `totals.test` for `totals.test.ts`. */
const GOES_ON = 0.96
/** Another extension that the same kind of file can have, or none where there is one. */
const SAME_KIND = 0.8

type Alike = (mine: string, theirs: string) => number

/** A function that says how much a path resembles the one written: 0 to 1. */
export function createPathScorer(written: string): (path: string) => number {
  const wanted = pathParts(written)
  const module = asModule(wanted)
  const alike = rememberPairs()
  return (path) => {
    const parts = pathParts(path)
    const plain = score(wanted, parts, alike)
    const theirModule = asModule(parts)
    if ((module === undefined) === (theirModule === undefined)) return plain
    if (extensionSimilarity(wanted.extension, parts.extension, alike) < SAME_KIND) return plain
    return Math.max(plain, SAME_MODULE * score(module ?? wanted, theirModule ?? parts, alike))
  }
}

/** Paths of one repository share most of their segments, so each pair is compared once. */
function rememberPairs(): Alike {
  const known = new Map<string, number>()
  return (mine, theirs) => {
    if (mine === theirs) return 1
    const key = `${mine}/${theirs}`
    let value = known.get(key)
    if (value === undefined) {
      value = nameSimilarity(mine, theirs)
      known.set(key, value)
    }
    return value
  }
}

function score(wanted: PathParts, parts: PathParts, alike: Alike): number {
  const way = wayScore(wanted.directories, parts.directories, wanted.foreign, alike)
  return NAME_SHARE * nameScore(wanted, parts, alike) + (1 - NAME_SHARE) * way
}

function nameScore(wanted: PathParts, parts: PathParts, alike: Alike): number {
  const stem = alike(wanted.stem, parts.stem)
  const split = STEM_SHARE * stem + (1 - STEM_SHARE) * extensionSimilarity(wanted.extension, parts.extension, alike)
  const name = wanted.extension === '' ? wanted.stem : `${wanted.stem}.${wanted.extension}`
  return parts.stem.startsWith(name) && /^$|^\./.test(parts.stem.slice(name.length)) ? Math.max(split, GOES_ON) : split
}

function extensionSimilarity(mine: string, theirs: string, alike: Alike): number {
  if (mine === theirs) return 1
  if (mine === '' || (isExtension(mine) && kindOf(mine) === kindOf(theirs))) return SAME_KIND
  return alike(mine, theirs) * SAME_KIND
}

/** Aligns the folders of both paths, in order, at the least cost. */
function wayScore(mine: readonly string[], theirs: readonly string[], foreign: boolean, alike: Alike): number {
  if (mine.length === 0) return theirs.length === 0 ? 1 : NAME_ALONE
  const width = theirs.length
  let above = new Float64Array(width + 1)
  let row = new Float64Array(width + 1)
  for (let j = 1; j <= width; j += 1) above[j] = COST.missingAtStart + (j - 1) * COST.moreMissingAtStart
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
  // By the folders written, not by the longer path: else one wrong folder would count less the deeper a path is.
  return Math.max(0, 1 - (above[width] as number) / (mine.length + 2))
}
