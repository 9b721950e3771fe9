import { type Alignment, LEAST_LIKENESS, type Pair } from './align.ts'
import { weightOf } from './likeness.ts'
import { MOST_LINES, type Rows } from './unique-region.ts'

/** After so many rows that nothing wanted is in, what follows stands apart; in what resembles little, by chance. */
const MOST_BETWEEN = { alike: 12, little: 3 } as const
const LITTLE = 0.6
/** After so many wanted lines that are nowhere between, too. */
const MOST_LEFT_OVER = 3
/** What stands apart and is less than this share of what was found is there by chance. */
const LEAST_SHARE = 0.1
/** Where no more wanted lines than these at either end have nothing in common with the rows beside them, these rows are taken in. */
const MOST_UNLIKE = 2

/** The rows that an alignment takes up; several stretches where they stand too far apart to be replaced as one. */
export function stretchesOf(wanted: readonly string[], { pairs, score }: Alignment): Rows[] {
  const groups = groupsOf(wanted, pairs, score < LITTLE ? MOST_BETWEEN.little : MOST_BETWEEN.alike)
  const [head, foot] = [groups[0], groups.at(-1)]
  if (head === undefined || foot === undefined) return []
  const whole = { first: head.first, last: foot.last }
  const stretches = whole.last - whole.first < MOST_LINES ? [whole] : groups
  return withUnlike(wanted, pairs, stretches)
}

function groupsOf(wanted: readonly string[], pairs: readonly Pair[], mostBetween: number): Rows[] {
  const groups: { first: number; last: number; index: number; weight: number }[] = []
  for (const { wanted: index, row, likeness } of pairs) {
    const key = wanted[index] ?? ''
    if (likeness < LEAST_LIKENESS || key === '') continue
    const last = groups.at(-1)
    const weight = weightOf(key) * likeness
    const left = last === undefined ? 0 : index - last.index - (row - last.last)
    if (last !== undefined && row - last.last <= mostBetween + 1 && left <= MOST_LEFT_OVER) {
      last.last = row
      last.index = index
      last.weight += weight
    } else groups.push({ first: row, last: row, index, weight })
  }
  const whole = groups.reduce((sum, { weight }) => sum + weight, 0)
  return groups.filter(({ weight }) => weight >= LEAST_SHARE * whole).map(({ first, last }) => ({ first, last }))
}

/** The outermost rows grown by those that stand beside a wanted line that is quite another. */
function withUnlike(wanted: readonly string[], pairs: readonly Pair[], stretches: readonly Rows[]): Rows[] {
  const told = (index: number) => wanted[index] !== ''
  const beside = new Set(pairs.flatMap((pair) => (told(pair.wanted) ? [pair.row] : [])))
  const indexAt = (row: number | undefined) => pairs.find((pair) => pair.row === row)?.wanted ?? 0
  const [head, foot] = [stretches[0], stretches.at(-1)]
  const [from, to] = [indexAt(head?.first), indexAt(foot?.last)]
  const unlike = [...wanted.keys()].filter(told)
  const mayGrowUp = unlike.filter((index) => index < from).length <= MOST_UNLIKE
  const mayGrowDown = unlike.filter((index) => index > to).length <= MOST_UNLIKE
  return stretches.map((stretch) => {
    let { first, last } = stretch
    if (stretch === head && mayGrowUp) while (beside.has(first - 1)) first--
    if (stretch === foot && mayGrowDown) while (beside.has(last + 1)) last++
    return { first, last }
  })
}

/** Without empty rows at either end, and in parts where it is too long to be replaced as one. */
export function cutToSize(rows: readonly string[], { first, last }: Rows): Rows[] {
  let [from, to] = [first, last]
  while (from < to && rows[from]?.trim() === '') from++
  while (to > from && rows[to]?.trim() === '') to--
  if (to - from < MOST_LINES) return [{ first: from, last: to }]
  // An empty row is the best place for a cut.
  let cut = from + MOST_LINES - 1
  for (let row = cut; row > from + MOST_LINES / 2; row--)
    if (rows[row]?.trim() === '') {
      cut = row
      break
    }
  return [...cutToSize(rows, { first: from, last: cut }), ...cutToSize(rows, { first: cut + 1, last: to })]
}
