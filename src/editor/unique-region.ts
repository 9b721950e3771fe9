import type { Region } from '../core/failure.ts'

/** Longer than this a region is no help: all of it has to be written again to replace it. */
export const MOST_LINES = 60
const MOST_CHARACTERS = 6000
/** A text so repetitive that more places would have to be compared has no lines that tell them apart. */
const MOST_COMPARED = 30_000
/** Of all regions of one failure together: they are read by the model. */
const MOST_IN_ALL = { lines: 200, characters: 16_000 } as const

/** Rows of a text: 0-based, both inclusive. */
export interface Rows {
  readonly first: number
  readonly last: number
}

/**
 * The stretches as regions, each grown by neighbouring lines until its text occurs exactly once in the text whose rows
 * `rows` are (LF line ends, the part after the last one included). In the order given, those left out that can't be made
 * unique within 60 lines or go beyond what is worth reading, at most `most`.
 */
export function uniqueRegions(rows: readonly string[], stretches: readonly Rows[], most: number): Region[] {
  const text = rows.join('\n')
  const regions: Region[] = []
  let [lines, characters] = [0, 0]
  for (const stretch of stretches) {
    if (regions.length === most) break
    const region = uniqueRegion(rows, text, stretch)
    if (region === undefined || regions.some((other) => isSame(other, region))) continue
    lines += region.endLine - region.startLine + 1
    characters += region.text.length
    if (lines > MOST_IN_ALL.lines || characters > MOST_IN_ALL.characters) break
    regions.push(region)
  }
  return regions
}

const isSame = (a: Region, b: Region): boolean => a.startLine === b.startLine && a.endLine === b.endLine

function uniqueRegion(rows: readonly string[], text: string, stretch: Rows): Region | undefined {
  const grown = grow(rows, stretch)
  if (grown === undefined) return undefined
  const region = rows.slice(grown.first, grown.last + 1).join('\n')
  // A CR before a line end is taken for a part of it wherever text is looked for.
  if (region.trim() === '' || region.length > MOST_CHARACTERS || region.includes('\r')) return undefined
  if (text.indexOf(region) !== text.lastIndexOf(region)) return undefined
  return { startLine: grown.first + 1, endLine: grown.last + 1, text: region }
}

type Direction = 'up' | 'down'
/** Upwards a function's head is near, downwards often none but closing lines; else from both sides in turn. */
const WAYS: readonly (readonly Direction[])[] = [['up'], ['down'], ['up', 'down']]

/**
 * The shortest of the ways of growing that lead to rows which stand nowhere else; of those hardly longer one that does
 * not take in another place of the same text, since then it is plain which is meant.
 */
function grow(rows: readonly string[], stretch: Rows): Rows | undefined {
  const others = otherPlaces(rows, stretch)
  if (others.length === 0) return height(stretch) <= MOST_LINES ? stretch : undefined
  const cost = (grown: Rows) =>
    height(grown) + (others.some((place) => place >= grown.first && place + height(stretch) - 1 <= grown.last) ? 2 : 0)
  return WAYS.flatMap((way) => growOneWay(rows, stretch, others, way) ?? []).sort((a, b) => cost(a) - cost(b))[0]
}

const height = ({ first, last }: Rows): number => last - first + 1

function growOneWay(
  rows: readonly string[],
  stretch: Rows,
  others: readonly number[],
  way: readonly Direction[],
): Rows | undefined {
  // What follows the last line end is no line of its own when it is empty.
  const end = rows.at(-1) === '' ? rows.length - 2 : rows.length - 1
  let { first, last } = stretch
  let left = others
  let compared = 0
  for (let step = 0; left.length > 0; step++) {
    compared += left.length
    if (last - first + 2 > MOST_LINES || compared > MOST_COMPARED) return undefined
    const up = way[step % way.length] === 'up'
    if (up ? first === 0 : last >= end) {
      if (way.length === 1 || (first === 0 && last >= end)) return undefined
      continue
    }
    if (up) first--
    else last++
    const shift = up ? 1 : 0
    left = left.map((place) => place - shift).filter((place) => standsAt(rows, { first, last }, place))
  }
  return { first, last }
}

/** The first rows of all other places where the text of these rows stands. */
function otherPlaces(rows: readonly string[], stretch: Rows): number[] {
  const places: number[] = []
  for (let place = 0; place + height(stretch) <= rows.length; place++)
    if (place !== stretch.first && standsAt(rows, stretch, place)) places.push(place)
  return places
}

/** True when the text of the rows stands at row `place` too: it may begin within a line there, and end within one. */
function standsAt(rows: readonly string[], { first, last }: Rows, place: number): boolean {
  const [head, foot] = [rows[place], rows[place + last - first]]
  if (head === undefined || foot === undefined) return false
  const [top, bottom] = [rows[first] ?? '', rows[last] ?? '']
  if (first === last) return head.includes(top)
  if (!head.endsWith(top) || !foot.startsWith(bottom)) return false
  for (let row = first + 1; row < last; row++) if (rows[row] !== rows[place + row - first]) return false
  return true
}
