import { LEAST_LIKENESS } from './align.ts'
import { type Likeness, weightOf } from './likeness.ts'

/** So many of the wanted lines are compared with every line of the text. */
const ANCHORS = 4
/** A line that stands more often than this says little of where a text is. */
const MOST_PLACES = 2000

/**
 * Rows at which the wanted lines may begin in the text, best first: every line that is one of the wanted lines votes for
 * the row that implies, and so does, less, one that resembles one of the most telling wanted lines. Lines that stand
 * seldom weigh more. No two of the starts are within `apart` rows.
 */
export function startsOf(
  wanted: readonly string[],
  present: readonly string[],
  { most, apart, likeness }: { readonly most: number; readonly apart: number; readonly likeness: Likeness },
): number[] {
  // A start may lie before the text by as many rows as are wanted.
  const votes = new Float64Array(wanted.length + present.length)
  const vote = (start: number, weight: number) => {
    votes[start + wanted.length] = (votes[start + wanted.length] ?? 0) + weight
  }
  const places = placesOf(wanted, present)
  for (const [index, key] of wanted.entries()) {
    const rows = places.get(key) ?? []
    if (rows.length > MOST_PLACES) continue
    for (const row of rows) vote(row - index, weightOf(key) / Math.sqrt(rows.length))
  }
  for (const index of anchorsOf(wanted, places)) {
    const key = wanted[index] ?? ''
    for (const [row, line] of present.entries()) {
      const alike = likeness(key, line)
      if (alike >= LEAST_LIKENESS) vote(row - index, weightOf(key) * alike ** 3)
    }
  }
  return spread(gathered(votes, apart), most, apart).map((start) => start - wanted.length)
}

/** Where each of the wanted lines stands in the text. */
function placesOf(wanted: readonly string[], present: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>(wanted.filter((key) => key !== '').map((key) => [key, []]))
  for (const [row, key] of present.entries()) places.get(key)?.push(row)
  return places
}

/** The longest lines, those first that stand nowhere as they are: of them nothing else tells the place. */
function anchorsOf(wanted: readonly string[], places: ReadonlyMap<string, readonly number[]>): number[] {
  const worth = (index: number) => {
    const key = wanted[index] ?? ''
    return weightOf(key) * ((places.get(key)?.length ?? 0) === 0 ? 2 : 1)
  }
  return [...wanted.keys()]
    .filter((index) => wanted[index] !== '')
    .sort((a, b) => worth(b) - worth(a) || a - b)
    .slice(0, ANCHORS)
}

/** Each start with what its neighbours have as well: a line more or less moves the votes of those after it. */
function gathered(votes: Float64Array, apart: number): [start: number, weight: number][] {
  const starts: [number, number][] = []
  for (const [start, own] of votes.entries()) {
    if (own === 0) continue
    let sum = own
    for (let by = 1; by <= apart; by++) sum += ((votes[start - by] ?? 0) + (votes[start + by] ?? 0)) / (1 + by / 4)
    // Of neighbours with the same sum the one with the most votes of its own is the start.
    starts.push([start, sum + own / 1000])
  }
  return starts
}

function spread(starts: [start: number, weight: number][], most: number, apart: number): number[] {
  const chosen: number[] = []
  for (const [start] of starts.sort(([a, weightA], [b, weightB]) => weightB - weightA || a - b)) {
    if (chosen.length === most) break
    if (chosen.every((other) => Math.abs(other - start) > apart)) chosen.push(start)
  }
  return chosen
}
