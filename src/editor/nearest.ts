import type { Region } from '../core/failure.ts'
import { type Alignment, align, LEAST_LIKENESS, shareOf } from './align.ts'
import { compactMatches } from './compact.ts'
import { createLikeness, keyOf, type Likeness, weightOf } from './likeness.ts'
import { toLf } from './locate.ts'
import { unmarked } from './old-text.ts'
import { startsOf } from './starts.ts'
import { cutToSize, stretchesOf } from './stretches.ts'
import { type Rows, uniqueRegions } from './unique-region.ts'

const MOST_REGIONS = 8
/** Of a longer old text only so many lines are looked for. */
const MOST_WANTED = 400
/** With less than this share of the wanted lines, nothing has to do with what was wanted. */
const LEAST_SCORE = 0.45
/** Enough where one of the wanted lines, and no short one, is a line of the text that stands there once. */
const LEAST_SCORE_OF_SURE = 0.25
const TELLING_WEIGHT = 12
/** How alike a line has to be, and for which share of the wanted lines, to be a part that stands apart from the rest. */
const PART = { likeness: 0.75, share: 0.12 } as const
/** By how many lines an alignment may be shifted that is to stay where it starts. */
const CLOSE = 1
/** Pairs of lines that may be compared in putting lines side by side. */
const MOST_COMPARED = 250_000

/**
 * The stretches of the text that resemble `wanted` most, best first, each of which occurs once in the text with LF line
 * ends; none where nothing resembles it.
 */
export function nearestRegions(text: string, wanted: string): Region[] {
  const rows = toLf(text).split('\n')
  const present = rows.map(keyOf)
  const known = new Set(present)
  const lines = unmarked(toLf(wanted).split('\n'), (line) => known.has(keyOf(line)))
  const keys = trimBlank(lines.map(keyOf)).slice(0, MOST_WANTED)
  if (!keys.some((key) => /\w/.test(key))) return []
  const same = compactMatches(rows, lines.join('\n'))
  const stretches = same.length > 0 ? same.slice(0, 2 * MOST_REGIONS) : alikeStretches(keys, present)
  return uniqueRegions(
    rows,
    stretches.flatMap((stretch) => cutToSize(rows, stretch)),
    MOST_REGIONS,
  )
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '')
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1)
}

function alikeStretches(keys: readonly string[], present: readonly string[]): Rows[] {
  const least = keys.some((key) => isSure(key, present)) ? LEAST_SCORE_OF_SURE : LEAST_SCORE
  const chosen = choose(keys, alignments(keys, present, createLikeness()), least)
  return withoutCovered(chosen.flatMap((alignment) => stretchesOf(keys, alignment)))
}

function isSure(key: string, present: readonly string[]): boolean {
  if (weightOf(key) < TELLING_WEIGHT) return false
  const place = present.indexOf(key)
  return place !== -1 && present.indexOf(key, place + 1) === -1
}

/** The ways to put the wanted lines beside the text, best first. */
function alignments(keys: readonly string[], present: readonly string[], likeness: Likeness): Alignment[] {
  const slack = Math.min(40, 12 + (keys.length >> 2))
  const affordable = Math.floor(MOST_COMPARED / (keys.length * (2 * slack + 1)))
  const most = Math.min(32, Math.max(6, affordable))
  const apart = Math.max(1, Math.min(6, keys.length >> 1))
  const seen = new Set<string>()
  return startsOf(keys, present, { most, apart, likeness })
    .map((start) => {
      const widely = align(keys, present, { start, slack, likeness })
      // A better place nearby would hide this one.
      const alignment = seen.has(placeOf(widely)) ? align(keys, present, { start, slack: CLOSE, likeness }) : widely
      seen.add(placeOf(alignment))
      return alignment
    })
    .sort((a, b) => b.score - a.score || (a.pairs[0]?.row ?? 0) - (b.pairs[0]?.row ?? 0))
}

const placeOf = ({ pairs }: Alignment): string => `${pairs[0]?.row}-${pairs.at(-1)?.row}`

/**
 * The best one, those that are hardly worse, and those that hold a part of the wanted lines which none before has: of
 * these only that part.
 */
function choose(keys: readonly string[], alignments: readonly Alignment[], leastOfAll: number): Alignment[] {
  const best = alignments[0]?.score ?? 0
  const least = Math.max(leastOfAll, 0.7 * best, best - 1.5 * (1 - best) - 0.05)
  const covered = new Float64Array(keys.length)
  const chosen: Alignment[] = []
  for (const [index, alignment] of alignments.entries()) {
    const fresh = alignment.pairs.filter(
      ({ wanted, likeness }) => likeness >= PART.likeness && (covered[wanted] ?? 0) < LEAST_LIKENESS,
    )
    if (index === 0 || alignment.score >= least) chosen.push(alignment)
    else if (shareOf(keys, fresh) >= PART.share) chosen.push({ pairs: fresh, score: shareOf(keys, fresh) })
    else continue
    for (const { wanted, likeness } of chosen.at(-1)?.pairs ?? [])
      covered[wanted] = Math.max(covered[wanted] ?? 0, likeness)
  }
  return coverage(keys, covered) >= leastOfAll ? chosen : []
}

function coverage(keys: readonly string[], covered: Float64Array): number {
  let [found, whole] = [0, 0]
  for (const [index, key] of keys.entries()) {
    const degree = covered[index] ?? 0
    found += degree >= LEAST_LIKENESS ? weightOf(key) * degree : 0
    whole += weightOf(key)
  }
  return found / whole
}

/** Leaves out what lies for the most part within one before it. */
function withoutCovered(stretches: readonly Rows[]): Rows[] {
  const kept: Rows[] = []
  for (const stretch of stretches) {
    const common = ({ first, last }: Rows) => Math.min(last, stretch.last) - Math.max(first, stretch.first) + 1
    if (kept.every((other) => common(other) * 2 <= stretch.last - stretch.first + 1)) kept.push(stretch)
  }
  return kept
}
