import type { EditReport } from '../core/tool.ts'
import { isTelling, swallowsMuch } from './limits.ts'
import { isAscii, plainCharacters, plainQuotes, plainView, splitsCharacter } from './view.ts'

export type Strategy = NonNullable<EditReport['strategy']>

/** In the order in which they are tried, from the strictest to the loosest. */
export const STRATEGIES = [
  'exact',
  'line-endings',
  'trailing-blanks',
  'indentation',
  'quotes',
  'unicode',
  'blanks',
  'decorations',
] as const satisfies readonly Strategy[]

/** Where an old text stands: offsets into the text as it is, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export type Location =
  | { readonly found: 'once'; readonly strategy: Strategy; readonly span: Span }
  | { readonly found: 'several'; readonly strategy: Strategy; readonly spans: readonly Span[] }
  | { readonly found: 'nowhere' }

/**
 * Finds `oldText` by the first strategy that finds it at all. `oldText` is not empty; it is taken as it is, so that what it
 * was copied with is not left out here.
 */
export function locate(text: string, oldText: string): Location {
  for (const strategy of STRATEGIES) {
    const spans = find(strategy, text, oldText)
    const [span] = spans
    if (span !== undefined)
      return spans.length === 1 ? { found: 'once', strategy, span } : { found: 'several', strategy, spans }
  }
  return { found: 'nowhere' }
}

/** Those that take a text for another than it is, and so could take a little text for anything. */
const LOOSE: ReadonlySet<Strategy> = new Set(['indentation', 'quotes', 'unicode', 'blanks'])

function find(strategy: Strategy, text: string, oldText: string): Span[] {
  // Half of a surrogate pair would match, and leave the other half.
  if (/\p{Cs}/u.test(oldText)) return []
  if (LOOSE.has(strategy) && !isTelling(oldText)) return []
  return candidates(strategy, text, oldText).filter(
    ({ start, end }) =>
      !splitsCharacter(text, end) &&
      (strategy === 'exact' || !swallowsMuch(toLf(text.slice(start, end)), toLf(oldText))),
  )
}

function candidates(strategy: Strategy, text: string, oldText: string): Span[] {
  switch (strategy) {
    case 'exact':
      return occurrences(text, oldText).filter((span) => !splitsLineEnd(text, span))
    case 'line-endings':
      return inView(text, oldText, toLf)
    case 'trailing-blanks':
      return wholeLines(
        text,
        oldText,
        (line) => line.trimEnd(),
        () => true,
      )
    case 'indentation':
      return wholeLines(text, oldText, (line) => line.trim(), sameStructure)
    case 'quotes':
      return inView(text, oldText, (value) => plainQuotes(toLf(value)))
    case 'unicode':
      return inPlainView(text, oldText)
    case 'blanks':
      return wholeLines(text, oldText, (line) => plainCharacters(line).trim().replace(/\s+/g, ' '), sameStructure)
    case 'decorations':
      return []
  }
}

/** All places of `part`, overlapping ones too, since then too it is not plain which is meant. */
export function occurrences(text: string, part: string): Span[] {
  if (part === '') return []
  const spans: Span[] = []
  for (let start = text.indexOf(part); start !== -1; start = text.indexOf(part, start + 1))
    spans.push({ start, end: start + part.length })
  return spans
}

/** A span that begins or ends between the CR and the LF of one line end would leave half of it. */
function splitsLineEnd(text: string, { start, end }: Span): boolean {
  return [start, end].some((at) => text[at - 1] === '\r' && text[at] === '\n')
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Searches in a view of the text in which CRLF is LF, and maps what is found back to offsets into the text. */
function inView(text: string, oldText: string, view: (value: string) => string): Span[] {
  const found = occurrences(view(text), view(oldText))
  if (found.length === 0) return []
  const offset = offsetsOf(text)
  return found.map(({ start, end }) => ({ start: offset(start), end: offset(end) }))
}

/** Searches in one Unicode form. A match that begins or ends within what is one character to a reader is none. */
function inPlainView(text: string, oldText: string): Span[] {
  if (isAscii(text) && isAscii(oldText)) return []
  const { text: plain, starts, ends } = plainView(text)
  const sought = plainView(oldText).text
  if (sought.trim() === '') return []
  return occurrences(plain, sought)
    .map(({ start, end }) => ({ start: starts[start] ?? -1, end: ends[end] ?? -1 }))
    .filter(({ start, end }) => start !== -1 && end !== -1)
}

/** From an offset into the LF view to one into the text: as many further on as CRs were left out before it. */
function offsetsOf(text: string): (inView: number) => number {
  const dropped: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 1)) dropped.push(at - dropped.length)
  return (inView) => {
    let [low, high] = [0, dropped.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((dropped[middle] ?? 0) < inView) low = middle + 1
      else high = middle
    }
    return inView + low
  }
}

export interface Line extends Span {
  /** Without its line end. */
  readonly text: string
  /** `\n`, `\r\n`, or empty for a last line that has none. */
  readonly ending: string
}

/** The lines of a text. What follows the last line end counts only if it is not empty. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start < text.length) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed + 1
    const ending = feed === -1 ? '' : text[feed - 1] === '\r' && feed > start ? '\r\n' : '\n'
    lines.push({ start, end, text: text.slice(start, end - ending.length), ending })
    start = end
  }
  return lines
}

/** Matches whole lines only: looser than that, a part of a line could be taken for another. */
function wholeLines(
  text: string,
  oldText: string,
  normalise: (line: string) => string,
  accept: (found: readonly string[], wanted: readonly string[]) => boolean,
): Span[] {
  const lines = linesOf(text)
  const wanted = linesOf(oldText)
  const keys = wanted.map((line) => normalise(line.text))
  if (keys.every((key) => key === '')) return []
  const present = lines.map((line) => normalise(line.text))
  const spans: Span[] = []
  for (let first = 0; first + keys.length <= lines.length; first++) {
    if (!keys.every((key, index) => present[first + index] === key)) continue
    const found = lines.slice(first, first + keys.length)
    const [start, last] = [found[0], found.at(-1)]
    if (start === undefined || last === undefined) continue
    if (
      !accept(
        found.map((line) => line.text),
        wanted.map((line) => line.text),
      )
    )
      continue
    const open = wanted.at(-1)?.ending === ''
    spans.push({ start: start.start, end: open ? last.end - last.ending.length : last.end })
  }
  return spans
}

export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}

function sameStructure(found: readonly string[], wanted: readonly string[]): boolean {
  return indentMap(wanted, found) !== undefined
}

/**
 * Which indentation of the wanted lines stands for which of the found ones. Undefined when one stands for two, or a deeper
 * one for a shallower: then the lines are alike but the structure is another.
 */
export function indentMap(wanted: readonly string[], found: readonly string[]): Map<string, string> | undefined {
  const map = new Map<string, string>()
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === '') continue
    const [from, to] = [indentOf(line), indentOf(found[index] ?? '')]
    if ((map.get(from) ?? to) !== to) return undefined
    map.set(from, to)
  }
  for (const [a, toA] of map)
    for (const [b, toB] of map) if (b.startsWith(a) && toB.length < toA.length) return undefined
  return map
}
