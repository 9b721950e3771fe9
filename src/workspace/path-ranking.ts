import type { RankedPath } from '../core/ports.ts'
import { pathParts, unwrapPath } from './mistyped-path.ts'
import { createPathScorer } from './path-score.ts'
import { createTrigramIndex } from './trigram-index.ts'

export interface PathRanking {
  /**
   * The paths that resemble `query`, best first, at most `limit`. Scores are 1 for the same path and fall towards 0; equal
   * scores are ordered by path, so that the same query gives the same answer.
   */
  rank(query: string, limit: number): readonly RankedPath[]
}

/** How many paths are compared letter by letter. */
const SHORTLIST = 300
/** Names like `index.ts` are everywhere: beyond this many, sharing a name says too little to be shortlisted for it. */
const NAMESAKES = 200

/** Ranks mistyped paths against `paths`. Building it costs some microseconds a path, asking it hardly depends on their number. */
export function createPathRanking(paths: readonly string[]): PathRanking {
  const folded = paths.map((path) => path.toLowerCase())
  const trigrams = createTrigramIndex(folded)
  const byStem = new Map<string, number[]>()
  for (const [id, path] of folded.entries()) {
    const { stem } = pathParts(path)
    const namesakes = byStem.get(stem)
    if (namesakes === undefined) byStem.set(stem, [id])
    else namesakes.push(id)
  }

  return {
    rank(query, limit) {
      const wanted = unwrapPath(query)
      const namesakes = byStem.get(pathParts(wanted.toLowerCase()).stem) ?? []
      const shortlist = new Set(trigrams.nearest(wanted.toLowerCase(), SHORTLIST))
      if (namesakes.length <= NAMESAKES) for (const id of namesakes) shortlist.add(id)
      const score = createPathScorer(wanted)
      const ranked: RankedPath[] = []
      for (const id of shortlist) {
        const path = paths[id] as string
        ranked.push({ path, score: path === query ? 1 : Math.min(score(path), 0.999) })
      }
      ranked.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      return ranked.slice(0, limit)
    },
  }
}
