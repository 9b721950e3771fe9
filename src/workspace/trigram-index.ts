export interface TrigramIndex {
  /** Indices of the texts that share most with `query`, rare trigrams counting more, at most about `limit`. */
  nearest(query: string, limit: number): readonly number[]
}

const BUCKETS = 1 << 16
/** How many postings one question may visit: bounds its time whatever the number of texts. */
const VISITS = 400_000
const LEVELS = 2048

function bucketAt(text: string, index: number): number {
  const mixed =
    Math.imul(text.charCodeAt(index), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(index + 1), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(index + 2), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) & (BUCKETS - 1)
}

/** The hashed trigrams of a text with its ends marked, so that short names and first letters count too. */
function bucketsOf(text: string): Set<number> {
  const marked = `/${text}/`
  const buckets = new Set<number>()
  for (let index = 0; index + 2 < marked.length; index += 1) buckets.add(bucketAt(marked, index))
  return buckets
}

export function createTrigramIndex(texts: readonly string[]): TrigramIndex {
  const ends = new Uint32Array(BUCKETS + 1)
  const lastText = new Int32Array(BUCKETS).fill(-1)
  const eachPosting = (visit: (bucket: number, text: number) => void): void => {
    lastText.fill(-1)
    for (let id = 0; id < texts.length; id += 1) {
      const marked = `/${texts[id]}/`
      for (let index = 0; index + 2 < marked.length; index += 1) {
        const bucket = bucketAt(marked, index)
        if (lastText[bucket] === id) continue
        lastText[bucket] = id
        visit(bucket, id)
      }
    }
  }
  eachPosting((bucket) => {
    ends[bucket + 1] = (ends[bucket + 1] as number) + 1
  })
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    ends[bucket + 1] = (ends[bucket + 1] as number) + (ends[bucket] as number)
  }
  const postings = new Uint32Array(ends[BUCKETS] as number)
  const next = ends.slice(0, BUCKETS)
  eachPosting((bucket, id) => {
    const place = next[bucket] as number
    postings[place] = id
    next[bucket] = place + 1
  })

  return {
    nearest(query, limit) {
      const scores = new Float32Array(texts.length)
      const size = (bucket: number): number => (ends[bucket + 1] as number) - (ends[bucket] as number)
      const rareFirst = [...bucketsOf(query)].filter((bucket) => size(bucket) > 0).sort((a, b) => size(a) - size(b))
      let visits = 0
      let best = 0
      for (const bucket of rareFirst) {
        visits += size(bucket)
        if (visits > VISITS && best > 0) break
        const weight = Math.log(1 + texts.length / size(bucket))
        for (let place = ends[bucket] as number; place < (ends[bucket + 1] as number); place += 1) {
          const id = postings[place] as number
          // As the array holds it: the best is compared with what is in there.
          const score = Math.fround((scores[id] as number) + weight)
          scores[id] = score
          if (score > best) best = score
        }
      }
      return highest(scores, best, limit)
    },
  }
}

/** Indices of the `limit` highest scores (more where scores are equal to the last, up to twice as many), without sorting all. */
function highest(scores: Float32Array, best: number, limit: number): readonly number[] {
  if (best === 0) return []
  const counts = new Uint32Array(LEVELS + 1)
  const levelOf = (score: number): number => Math.floor((score / best) * LEVELS)
  for (const score of scores) {
    if (score > 0) {
      const level = levelOf(score)
      counts[level] = (counts[level] as number) + 1
    }
  }
  let level = LEVELS
  let taken = counts[level] as number
  while (level > 0 && (taken === 0 || taken + (counts[level - 1] as number) <= limit)) {
    level -= 1
    taken += counts[level] as number
  }
  const ids: number[] = []
  for (let id = 0; id < scores.length && ids.length < limit * 2; id += 1) {
    const score = scores[id] as number
    if (score > 0 && levelOf(score) >= level) ids.push(id)
  }
  return ids
}
