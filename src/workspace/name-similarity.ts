import { editDistance } from '../lib/edit-distance.ts'

/** Names that share less than this many of their letters are unrelated, and equally so. */
const RELATED = 0.45
/** Letter case alone. */
const SAME_BUT_CASE = 0.985
/** The same words, joined otherwise or in another order: less than the same letters. */
const SAME_WORDS = 0.96
const OTHER_ORDER = 0.96
/** Words that mark a test, whichever the framework wants. */
const TEST_WORDS = new Set(['test', 'tests', 'spec', 'specs'])
const ONE_TEST_WORD_FOR_ANOTHER = 0.9
/** A shortened word of so many letters at least. */
const SHORTENED = 2

/** How alike two names of files or folders are: 1 for the same, 0 for unrelated; by their letters or by their words. */
export function nameSimilarity(mine: string, theirs: string): number {
  const a = mine.toLowerCase()
  const b = theirs.toLowerCase()
  if (a === b) return mine === theirs ? 1 : SAME_BUT_CASE
  const byLetters = letterSimilarity(a, b) * SAME_BUT_CASE
  if (byLetters > SAME_WORDS * SAME_BUT_CASE) return byLetters
  const byWords = wordSimilarity(wordsOf(mine), wordsOf(theirs))
  return Math.max(byLetters, byWords < RELATED ? 0 : byWords)
}

function letterSimilarity(a: string, b: string): number {
  const length = Math.max(a.length, b.length)
  const most = Math.floor(length * (1 - RELATED))
  const distance = editDistance(a, b, most)
  return distance > most ? 0 : 1 - distance / length
}

/** `userAccount_v2.test` has user, account, v2 and test. */
function wordsOf(name: string): readonly string[] {
  return name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\x00-\x7f]+/g)?.map((word) => word.toLowerCase()) ?? []
}

/** Pairs each word with the most alike of the other name, longer words counting more. */
function wordSimilarity(mine: readonly string[], theirs: readonly string[]): number {
  if (mine.length + theirs.length < 3) return alikeWords(mine[0] ?? '', theirs[0] ?? '') * SAME_WORDS
  const free = theirs.map(() => true)
  let shared = 0
  let inOrder = true
  let last = -1
  for (const word of mine) {
    const [at, value] = mostAlike(word, theirs, free)
    if (at === -1) continue
    free[at] = false
    if (at < last) inOrder = false
    last = at
    shared += value * (word.length + (theirs[at] as string).length)
  }
  const total = lengthOf(mine) + lengthOf(theirs)
  return total === 0 ? 0 : (shared / total) * SAME_WORDS * (inOrder ? 1 : OTHER_ORDER)
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0)
}

function mostAlike(word: string, others: readonly string[], free: readonly boolean[]): readonly [number, number] {
  let at = -1
  let best = 0
  for (let index = 0; index < others.length; index += 1) {
    if (!free[index]) continue
    const value = alikeWords(word, others[index] as string)
    if (value > best) {
      at = index
      best = value
    }
  }
  return [at, best]
}

function alikeWords(a: string, b: string): number {
  if (a === b) return 1
  if (TEST_WORDS.has(a) && TEST_WORDS.has(b)) return ONE_TEST_WORD_FOR_ANOTHER
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < SHORTENED || short[0] !== long[0]) return 0
  const share = short.length / long.length
  if (long.startsWith(short)) return 0.7 + 0.25 * share
  const most = Math.floor(long.length / 4)
  const distance = editDistance(short, long, most)
  if (distance <= most) return 1 - distance / long.length
  return isShortenedTo(long, short) ? 0.6 + 0.25 * share : 0
}

/** `message` to `msg`, `config` to `cfg`: some letters left out, the first kept. */
function isShortenedTo(long: string, short: string): boolean {
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}
