import { occurrences } from './locate.ts'
import type { Rows } from './unique-region.ts'
import { plainQuotes } from './view.ts'

/** A shorter text stands in others by chance. */
const LEAST_LENGTH = 8

const compact = (text: string): string =>
  plainQuotes(text)
    .replace(/[`"]/g, "'")
    .replace(/[\s,;]/g, '')

/** The rows where the wanted text stands, if all blanks, line ends, commas, semicolons and kinds of quotes are left out of both. */
export function compactMatches(rows: readonly string[], wanted: string): Rows[] {
  const sought = compact(wanted)
  if (sought.length < LEAST_LENGTH) return []
  const parts = rows.map(compact)
  const starts: number[] = []
  let length = 0
  for (const part of parts) {
    starts.push(length)
    length += part.length
  }
  return occurrences(parts.join(''), sought).map(({ start, end }) => ({
    first: rowAt(starts, start),
    last: rowAt(starts, end - 1),
  }))
}

/** The last row that begins at or before the offset: rows of no characters begin where the next one does. */
function rowAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
