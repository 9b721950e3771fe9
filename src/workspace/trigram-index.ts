export interface TrigramIndex {
  /**
   * Indices of the texts that share most with `query`, rare trigrams counting more, at most about `limit`; none of those
   * in `without`.
   */
  nearest(query: string, limit: number, without: ReadonlySet<number>): readonly number[]
  /** Adds a text; its index is the number of texts before. */
  add(text: string): void
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

  let count = texts.length
  /** Postings of the texts added later. */
  const later = new Map<number, number[]>()
  const size = (bucket: number): number =>
    (ends[bucket + 1] as number) - (ends[bucket] as number) + (later.get(bucket)?.length ?? 0)

  return {
    nearest(query, limit, without) {
      const scores = new Float32Array(count)
      const rareFirst = [...bucketsOf(query)].filter((bucket) => size(bucket) > 0).sort((a, b) => size(a) - size(b))
      let visits = 0
      for (const bucket of rareFirst) {
        if (visits > 0 && visits + size(bucket) > VISITS) break
        visits += size(bucket)
        const weight = Math.log(1 + count / size(bucket))
        for (let place = ends[bucket] as number; place < (ends[bucket + 1] as number); place += 1) {
          const id = postings[place] as number
          scores[id] = (scores[id] as number) + weight
        }
        for (const id of later.get(bucket) ?? []) scores[id] = (scores[id] as number) + weight
      }
      for (const id of without) scores[id] = 0
      return highest(scores, limit)
    },
    add(text) {
      for (const bucket of bucketsOf(text)) {
        const postings = later.get(bucket)
        if (postings === undefined) later.set(bucket, [count])
        else postings.push(count)
      }
      count += 1
    },
  }
}

/** Indices of the `limit` highest scores (more where scores are equal to the last, up to twice as many), without sorting all. */
function highest(scores: Float32Array, limit: number): readonly number[] {
  let best = 0
  for (const score of scores) if (score > best) best = score
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
