import type { RankedPath } from '../core/ports.ts'
import { asModule, dottedPath, INDEX_STEMS, pathParts, unwrapPath } from './mistyped-path.ts'
import { type Evidence, withEvidence } from './path-evidence.ts'
import { createPathScorer } from './path-score.ts'
import { createTrigramIndex } from './trigram-index.ts'

export interface PathRanking {
  /**
   * The paths that resemble `query`, best first, at most `limit`. Scores are 1 for the same path and fall towards 0; equal
   * scores are ordered by path, so that the same query gives the same answer. `evidence` changes no score, only the order of
   * those that differ little.
   */
  rank(query: string, limit: number, evidence?: Evidence): readonly RankedPath[]
  /** Takes in a path; nothing happens when it is there. */
  add(path: string): void
  /** Leaves out a path from now on; nothing happens when it is not there. */
  remove(path: string): void
}

/** How many paths are compared letter by letter. */
const SHORTLIST = 300
/** Names like `index.ts` are everywhere: beyond this many, sharing a name says too little to be shortlisted for it. */
const NAMESAKES = 200
/** Beneath 1, which only the path itself has. */
const MOST_UNLESS_SAME = 0.999
/**
 * Who writes a name that hardly another file has means that file, wherever it is: of what its score lacks to `most` it gets
 * this share. The score alone never says that it is the only one that can be meant, so `most` is beneath what that takes.
 */
const RARE_NAME = { bearers: 3, letters: 4, share: 0.6, most: 0.89 } as const
/** A path read out of `a.b.c` is a guess at how it was meant. */
const DOTTED = 0.98
const NO_EVIDENCE: Evidence = () => 0

/** Ranks mistyped paths against `paths`. Building it costs some microseconds a path, asking it hardly depends on their number. */
export function createPathRanking(initial: readonly string[]): PathRanking {
  const paths = [...initial]
  const trigrams = createTrigramIndex(paths.map((path) => path.toLowerCase()))
  const namesakes = new Map<string, number[]>()
  for (const [id, path] of paths.entries()) addNamesake(namesakes, path, id)
  const removed = new Set<number>()
  const idOf = (path: string): number | undefined =>
    namesakes.get(stemsOf(path.toLowerCase()).stem)?.find((id) => paths[id] === path)

  function shortlist(query: string): ReadonlySet<number> {
    const folded = query.toLowerCase()
    const found = new Set(trigrams.nearest(folded, SHORTLIST, removed))
    for (const name of namesOf(folded)) {
      const same = namesakes.get(name) ?? []
      if (same.length <= NAMESAKES) for (const id of same) if (!removed.has(id)) found.add(id)
    }
    return found
  }

  /** The paths that have, in whatever letter case, the name of this one, where they are few. */
  function bearersOf(name: string): ReadonlySet<string> {
    const { stem } = pathParts(name)
    const same = namesakes.get(stem) ?? []
    if (stem.length < RARE_NAME.letters || same.length > NAMESAKES) return new Set()
    const bearers = same
      .filter((id) => !removed.has(id))
      .map((id) => paths[id] as string)
      .filter((path) => nameOf(path.toLowerCase()) === name)
    return new Set(bearers.length > RARE_NAME.bearers ? [] : bearers)
  }

  /** Notes the score of every path that resembles this reading of a query, unless another reading gave a higher one. */
  function compare(reading: string, factor: number, scores: Map<number, number>): void {
    const score = createPathScorer(reading)
    const bearers = bearersOf(nameOf(reading.toLowerCase()))
    for (const id of shortlist(reading)) {
      const path = paths[id] as string
      const plain = score(path)
      const bonus = bearers.has(path) ? Math.max(0, RARE_NAME.most - plain) * RARE_NAME.share : 0
      scores.set(id, Math.max(scores.get(id) ?? 0, (plain + bonus) * factor))
    }
  }

  return {
    rank(query, limit, evidence = NO_EVIDENCE) {
      const wanted = unwrapPath(query)
      const scores = new Map<number, number>()
      const dotted = dottedPath(wanted)
      compare(wanted, 1, scores)
      if (dotted !== undefined) compare(dotted, DOTTED, scores)
      const ranked = [...scores].map(([id, found]) => {
        const path = paths[id] as string
        const score = path === query ? 1 : Math.min(found, MOST_UNLESS_SAME)
        return { path, score, key: withEvidence(path, score, evidence) }
      })
      ranked.sort((a, b) => b.key - a.key || (a.path < b.path ? -1 : 1))
      return ranked.slice(0, limit).map(({ path, score }) => ({ path, score }))
    },
    add(path) {
      const known = idOf(path)
      if (known !== undefined) {
        removed.delete(known)
        return
      }
      const id = paths.push(path) - 1
      trigrams.add(path.toLowerCase())
      addNamesake(namesakes, path, id)
    },
    remove(path) {
      const id = idOf(path)
      if (id !== undefined) removed.add(id)
    },
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function addNamesake(namesakes: Map<string, number[]>, path: string, id: number): void {
  const { stem, module } = stemsOf(path.toLowerCase())
  for (const name of module === undefined ? [stem] : [stem, module]) {
    const same = namesakes.get(name)
    if (same === undefined) namesakes.set(name, [id])
    else same.push(id)
  }
}

/** The stem, and the one by which the file is known as a module. */
function stemsOf(folded: string): { readonly stem: string; readonly module: string | undefined } {
  const name = nameOf(folded)
  const { stem } = pathParts(name)
  return { stem, module: INDEX_STEMS.has(stem) ? asModule(pathParts(folded))?.stem : undefined }
}

/** The stems that a file meant by this path may have. */
function namesOf(folded: string): ReadonlySet<string> {
  const { stem, module } = stemsOf(folded)
  return new Set([stem, nameOf(folded), module ?? stem])
}
