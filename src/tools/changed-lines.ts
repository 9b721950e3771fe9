import { numberLines } from './file-text.ts'

const CONTEXT_LINES = 3
/** A shorter file is shown whole: that says more and costs little. */
const LONG_LINES = 60
/** Longer than this, what is the same is not worth the wait. */
const MOST_MS = 500

/** A stretch of the present lines: 1-based first line, and the one after the last. */
interface Stretch {
  readonly from: number
  end: number
  /** How many former lines are not there any more. */
  gone: number
}

/**
 * What is new in a file that was known: its changed lines with their numbers and a few around, and how many lines are as
 * before. Undefined where that says no more than the whole file, or can't be found out in time.
 */
export async function changedLines(
  before: readonly string[],
  after: readonly string[],
  maxBytes: number,
): Promise<string | undefined> {
  if (after.length <= LONG_LINES) return undefined
  const { diffArrays } = await import('diff')
  const parts = diffArrays([...before], [...after], { timeout: MOST_MS })
  if (parts === undefined) return undefined
  const stretches = around(changes(parts), after.length)
  const shown = stretches.reduce((sum, { from, end }) => sum + end - from, 0)
  if (stretches.length === 0 || 2 * shown > after.length) return undefined
  const blocks = stretches.map(({ from, end, gone }, index) => {
    const same = from - (stretches[index - 1]?.end ?? 1)
    return [asBefore(same), numberLines(after, from, end - 1, maxBytes).text, taken(gone)]
  })
  const rest = after.length + 1 - (stretches.at(-1)?.end ?? 1)
  const text = [...blocks.flat(), asBefore(rest)].filter((line) => line !== '').join('\n')
  return Buffer.byteLength(text) > maxBytes ? undefined : text
}

interface Part {
  readonly count?: number
  readonly added?: boolean
  readonly removed?: boolean
}

/** The changed stretches; an empty one where lines were only taken away. */
function changes(parts: readonly Part[]): Stretch[] {
  const stretches: Stretch[] = []
  let line = 1
  for (const { count = 0, added = false, removed = false } of parts) {
    if (added || removed) {
      const [grown, gone] = added ? [count, 0] : [0, count]
      const last = stretches.at(-1)
      if (last !== undefined && last.end === line) {
        last.end += grown
        last.gone += gone
      } else stretches.push({ from: line, end: line + grown, gone })
    }
    if (!removed) line += count
  }
  return stretches
}

/** The stretches with lines around them; those that touch are one. */
function around(changed: readonly Stretch[], total: number): Stretch[] {
  const stretches: Stretch[] = []
  for (const { from, end, gone } of changed) {
    const wider = {
      from: Math.max(1, from - CONTEXT_LINES),
      end: Math.min(total + 1, end + CONTEXT_LINES),
      gone,
    }
    const last = stretches.at(-1)
    if (last !== undefined && wider.from <= last.end) {
      last.end = wider.end
      last.gone += gone
    } else stretches.push(wider)
  }
  return stretches
}

const asBefore = (count: number): string =>
  count === 0 ? '' : `(${count} ${count === 1 ? 'line' : 'lines'} as you know ${count === 1 ? 'it' : 'them'})`
const taken = (count: number): string =>
  count === 0 ? '' : `(in these, ${count} former ${count === 1 ? 'line is' : 'lines are'} gone or changed)`
