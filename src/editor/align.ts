import { type Likeness, weightOf } from './likeness.ts'

/** Below this, two lines that stand side by side are different lines. */
export const LEAST_LIKENESS = 0.4
/** What a line costs that stands only in the text, between lines that stand in both. */
const EXTRA_LINE = 0.3
/** Lines that have nothing in common are still rather put side by side than each left over. */
const SIDE_BY_SIDE = 0.05

/** A wanted line and the row of the text that it is put beside, with how alike they are. */
export interface Pair {
  readonly wanted: number
  readonly row: number
  readonly likeness: number
}

export interface Alignment {
  /** In order, and at most one for a wanted line and for a row. */
  readonly pairs: readonly Pair[]
  /** The share of the wanted lines, by weight, that the rows have. */
  readonly score: number
}

/** How a cell of the table was reached. */
const [START, BESIDE, SKIP_WANTED, SKIP_ROW] = [0, 1, 2, 3]

/**
 * A cell stands for the wanted lines before `index` having been put beside rows before `rowOf(index, column)`; it is at
 * `index * width + column`.
 */
interface Table {
  readonly width: number
  readonly rowOf: (index: number, column: number) => number
  /** The most that can be reached by then. */
  readonly best: Float64Array
  readonly came: Uint8Array
  readonly alike: Float64Array
}

/**
 * Puts the wanted lines beside rows of the text, in order, so that as much as possible of them is alike. Looks around the
 * place where the first one would stand at row `start`, and lets lines be more or less by `slack` on the way.
 */
export function align(
  wanted: readonly string[],
  present: readonly string[],
  { start, slack, likeness }: { readonly start: number; readonly slack: number; readonly likeness: Likeness },
): Alignment {
  const width = 2 * slack + 1
  const cells = (wanted.length + 1) * width
  const table: Table = {
    width,
    rowOf: (index, column) => start - slack + index + column,
    best: new Float64Array(cells),
    came: new Uint8Array(cells),
    alike: new Float64Array(cells),
  }
  for (const [index, key] of wanted.entries()) fill(table, index + 1, key, { present, likeness })
  const pairs = trace(table, wanted.length)
  return { pairs, score: shareOf(wanted, pairs) }
}

/** The cells after the wanted line `key`: put beside a row, or left over, or rows passed by. */
function fill(
  { width, rowOf, best, came, alike }: Table,
  index: number,
  key: string,
  { present, likeness }: { readonly present: readonly string[]; readonly likeness: Likeness },
): void {
  const weight = weightOf(key)
  for (let column = 0; column < width; column++) {
    const at = index * width + column
    // The rows stay where they were, which is one column further on for one wanted line less.
    const mayLeave = column + 1 < width
    let most = mayLeave ? (best[at - width + 1] ?? 0) : 0
    came[at] = mayLeave ? SKIP_WANTED : START
    const line = present[rowOf(index, column) - 1]
    if (line !== undefined) {
      const degree = likeness(key, line)
      alike[at] = degree
      const beside = (best[at - width] ?? 0) + (degree >= LEAST_LIKENESS ? weight * degree : SIDE_BY_SIDE)
      if (beside >= most) {
        most = beside
        came[at] = BESIDE
      }
    }
    const passed = column === 0 ? -1 : (best[at - 1] ?? 0) - EXTRA_LINE
    if (passed > most) {
      most = passed
      came[at] = SKIP_ROW
    }
    best[at] = most
  }
}

/** Back from the best of the last cells. */
function trace({ width, rowOf, best, came, alike }: Table, count: number): Pair[] {
  let index = count
  let column = 0
  for (let other = 1; other < width; other++)
    if ((best[index * width + other] ?? 0) > (best[index * width + column] ?? 0)) column = other
  const pairs: Pair[] = []
  while (index > 0 && came[index * width + column] !== START) {
    const at = index * width + column
    if (came[at] === SKIP_ROW) column--
    else {
      index--
      if (came[at] === BESIDE) pairs.push({ wanted: index, row: rowOf(index, column), likeness: alike[at] ?? 0 })
      else column++
    }
  }
  return pairs.reverse()
}

/** The share of all wanted lines that these pairs have, by weight. */
export function shareOf(wanted: readonly string[], pairs: readonly Pair[]): number {
  const whole = wanted.reduce((sum, key) => sum + weightOf(key), 0)
  const found = pairs.reduce(
    (sum, pair) => sum + (pair.likeness >= LEAST_LIKENESS ? weightOf(wanted[pair.wanted] ?? '') * pair.likeness : 0),
    0,
  )
  return whole === 0 ? 0 : found / whole
}
