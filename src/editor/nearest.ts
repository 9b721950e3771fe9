import type { Region } from '../core/failure.ts'
import { linesOf } from './locate.ts'

const MOST_REGIONS = 3
const MOST_STARTS = 200
/** Below this, a region has nothing to do with what was wanted. */
const LEAST_SCORE = 0.4

/** The one to three stretches of the text that resemble `wanted` most, best first; none where nothing does. */
export function nearestRegions(text: string, wanted: string): Region[] {
  const lines = linesOf(text).map((line) => line.text)
  const keys = trimBlank(linesOf(wanted).map((line) => line.text.trim()))
  if (lines.length === 0 || keys.length === 0) return []
  const similarity = similarities()
  const height = Math.min(keys.length, lines.length)
  const scored = starts(lines, keys, height, similarity)
    .map((start) => ({ start, score: score(lines, start, keys, similarity) }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || a.start - b.start)
  const best = scored[0]?.score ?? 0
  const chosen: number[] = []
  for (const { start, score } of scored) {
    if (chosen.length === MOST_REGIONS || score < best * 0.7) break
    if (chosen.every((other) => Math.abs(other - start) >= height)) chosen.push(start)
  }
  return chosen.map((start) => ({
    startLine: start + 1,
    endLine: start + height,
    text: lines.slice(start, start + height).join('\n'),
  }))
}

function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '')
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1)
}

type Similarity = (a: string, b: string) => number

/**
 * Where a region may start, best first and bounded: a line that is equal to a wanted one votes for the start it implies; so does,
 * less, a line that resembles the longest of the wanted ones.
 */
function starts(lines: readonly string[], keys: readonly string[], height: number, similarity: Similarity): number[] {
  const votes = new Map<number, number>()
  const last = lines.length - height
  const vote = (start: number, weight: number) => {
    const within = Math.min(Math.max(start, 0), last)
    votes.set(within, (votes.get(within) ?? 0) + weight)
  }
  const places = new Map<string, number[]>()
  for (const [index, key] of keys.entries()) if (key.length > 2) places.set(key, [...(places.get(key) ?? []), index])
  const anchors = keys
    .map((key, index) => ({ key, index }))
    .sort((a, b) => b.key.length - a.key.length)
    .slice(0, 3)
  for (const [row, line] of lines.entries()) {
    const trimmed = line.trim()
    for (const index of (places.get(trimmed) ?? []).slice(0, 5)) vote(row - index, 1)
    for (const { key, index } of anchors) {
      const alike = similarity(key, trimmed)
      if (alike >= LEAST_SCORE) vote(row - index, alike)
    }
  }
  return [...votes]
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || a - b)
    .slice(0, MOST_STARTS)
    .map(([start]) => start)
}

/** The mean similarity of the lines, long lines weighing more. */
function score(lines: readonly string[], start: number, keys: readonly string[], similarity: Similarity): number {
  let sum = 0
  let weights = 0
  for (const [index, key] of keys.entries()) {
    const weight = Math.min(key.length, 40) + 1
    sum += weight * similarity(key, (lines[start + index] ?? '').trim())
    weights += weight
  }
  return sum / weights
}

/** Share of common pairs of neighbouring characters, 0 to 1, with the pairs of every line counted once. */
function similarities(): Similarity {
  const known = new Map<string, Map<string, number>>()
  const pairsOf = (line: string) => {
    const cached = known.get(line)
    if (cached !== undefined) return cached
    const pairs = new Map<string, number>()
    const capped = line.slice(0, 400)
    for (let at = 0; at + 1 < capped.length; at++) {
      const pair = capped.slice(at, at + 2)
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
    }
    known.set(line, pairs)
    return pairs
  }
  return (a, b) => {
    if (a === b) return 1
    const size = Math.min(a.length, 400) + Math.min(b.length, 400) - 2
    if (a.length < 2 || b.length < 2) return 0
    const [left, right] = [pairsOf(a), pairsOf(b)]
    let common = 0
    for (const [pair, count] of left) common += Math.min(count, right.get(pair) ?? 0)
    return (2 * common) / size
  }
}
