import type { Region } from '../core/failure.ts'
import { linesOf, type Span, toLf } from './locate.ts'
import { uniqueRegions } from './unique-region.ts'

const MOST_MATCHES = 20

/** The whole lines that the spans touch, neighbours joined. */
export function regionsOf(text: string, spans: readonly Span[]): Region[] {
  const lines = linesOf(text)
  const ranges: { startLine: number; endLine: number }[] = []
  for (const { start, end } of spans) {
    const startLine = Math.min(lineAt(text, start), lines.length)
    const endLine = Math.max(startLine, lineAt(text, Math.max(start, end - 1)))
    const last = ranges.at(-1)
    if (last !== undefined && startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, endLine)
    else if (startLine > 0) ranges.push({ startLine, endLine: Math.min(endLine, lines.length) })
  }
  return ranges.map(({ startLine, endLine }) => ({
    startLine,
    endLine,
    text: lines
      .slice(startLine - 1, endLine)
      .map((line) => line.text)
      .join('\n'),
  }))
}

/** The 1-based line in which the offset is. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** The lines of spans in order, in one pass: there may be thousands. */
export function linesAt(text: string, spans: readonly Span[]): number[] {
  let [line, from] = [1, 0]
  return spans.map(({ start }) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < start; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    return line
  })
}

/** The first 20 matches, with the lines around that tell them apart. */
export function regionsOfMatches(text: string, spans: readonly Span[]): Region[] {
  // Some stand where nothing tells them apart.
  const shown = spans.slice(0, 2 * MOST_MATCHES)
  const ends = linesAt(
    text,
    shown.map(({ start, end }) => ({ start: Math.max(start, end - 1), end })),
  )
  const stretches = linesAt(text, shown).map((line, index) => ({ first: line - 1, last: (ends[index] ?? line) - 1 }))
  return uniqueRegions(toLf(text).split('\n'), stretches, MOST_MATCHES)
}
