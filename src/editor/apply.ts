import type { Region } from '../core/failure.ts'
import { diffText } from './diff.ts'
import { linesOf, locate, occurrences, type Span, STRATEGIES, type Strategy, toLf } from './locate.ts'
import { nearestRegions } from './nearest.ts'
import { replacementFor } from './replacement.ts'
import { uniqueRegions } from './unique-region.ts'

export interface Edit {
  readonly oldText: string
  readonly newText: string
}

export type ApplyResult =
  | {
      readonly ok: true
      readonly bytes: Uint8Array
      /** The loosest strategy that was needed; absent when nothing had to be found. */
      readonly strategy?: Strategy
      readonly diff: string
      readonly added: number
      readonly removed: number
      /** The changed stretches of the file after the edit, whole lines. */
      readonly changed: readonly Region[]
      /** Everything was in place before: the bytes are the same. */
      readonly already: boolean
    }
  | {
      readonly ok: false
      readonly problem: 'no-match' | 'ambiguous' | 'overlap' | 'not-utf8' | 'empty-old-text' | 'no-change'
      /** 0-based index into the edits. */
      readonly edit: number
      readonly tried: readonly Strategy[]
      /**
       * For `no-match`: what resembles the old text, best first. For `ambiguous`: the first 20 matches with the lines
       * around that tell them apart. The text of each occurs once in the file, its line ends taken for LF.
       */
      readonly regions: readonly Region[]
      /** For `ambiguous`: the first lines of all matches; for `overlap`: of the two spans. 1-based. */
      readonly lines: readonly number[]
    }

type Problem = Extract<ApplyResult, { ok: false }>

interface Placed extends Span {
  readonly edit: number
  readonly strategy: Strategy
  readonly replacement: string
}

const MOST_MATCHES = 20

const BOM = '\ufeff'

/**
 * Applies all edits to the content as it is, each located in the original, or none. Bytes outside of the matched spans
 * never change. Text in the arguments is taken as it is: no patterns, no entities. An edit whose new text stands there
 * already, once, is a success without a change.
 */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): ApplyResult {
  const whole = decode(bytes)
  if (whole === undefined) return problem('not-utf8', 0)
  const bom = whole.startsWith(BOM) ? BOM : ''
  const text = whole.slice(bom.length)
  const placed: Placed[] = []
  for (const [index, given] of edits.entries()) {
    const edit = bom === '' ? given : withoutBom(given)
    if (Buffer.from(edit.newText, 'utf8').toString('utf8') !== edit.newText) return problem('not-utf8', index)
    if (edit.oldText === edit.newText) return problem('no-change', index)
    const place = placeEdit(text, edit, index)
    if (place !== 'already') {
      if ('problem' in place) return place
      placed.push(place)
    }
  }
  placed.sort((a, b) => a.start - b.start || a.end - b.end)
  for (const [index, next] of placed.entries()) {
    const former = placed[index - 1]
    if (former !== undefined && (next.start < former.end || next.start === former.start))
      return {
        ...problem('overlap', Math.max(former.edit, next.edit)),
        lines: [lineAt(text, former.start), lineAt(text, next.start)],
      }
  }
  return assemble(bom, text, placed)
}

function placeEdit(text: string, edit: Edit, index: number): Placed | Problem | 'already' {
  if (edit.oldText === '') {
    if (text !== '') return problem('empty-old-text', index)
    return { start: 0, end: 0, edit: index, strategy: 'exact', replacement: edit.newText }
  }
  const location = locate(text, edit.oldText)
  switch (location.found) {
    case 'once': {
      const { strategy, span } = location
      if (standsAround(text, span, edit)) return 'already'
      return { ...span, edit: index, strategy, replacement: replacementFor(text, span, strategy, edit) }
    }
    case 'several':
      return {
        ...problem('ambiguous', index),
        tried: upTo(location.strategy),
        lines: linesAt(text, location.spans),
        regions: regionsOfMatches(text, location.spans),
      }
    case 'nowhere':
      if (standsOnce(toLf(text), toLf(edit.newText))) return 'already'
      return { ...problem('no-match', index), tried: STRATEGIES, regions: nearestRegions(text, edit.oldText) }
  }
}

/** Text that short stands somewhere by chance, unless it is whole lines. */
const TELLING_LENGTH = 16

/** True when the new text is there exactly once, and so that it can't be by chance. */
function standsOnce(text: string, fresh: string): boolean {
  const [place, ...others] = occurrences(text, fresh)
  if (fresh.trim() === '' || place === undefined || others.length > 0) return false
  if (fresh.trim().length >= TELLING_LENGTH) return true
  const before = fresh.startsWith('\n') ? '' : text.slice(text.lastIndexOf('\n', place.start - 1) + 1, place.start)
  const after = fresh.endsWith('\n') ? '' : (text.slice(place.end).split('\n', 1)[0] ?? '')
  return before.trim() === '' && after.trim() === ''
}

/**
 * True when an edit that adds whole lines to its old text finds these lines there already: the same edit sent again. Less
 * than whole lines (an indentation made deeper) may well be meant twice.
 */
function standsAround(text: string, span: Span, edit: Edit): boolean {
  const [old, fresh] = [toLf(edit.oldText), toLf(edit.newText)]
  const [place, ...others] = occurrences(fresh, old)
  if (place === undefined || others.length > 0) return false
  const [before, after] = [fresh.slice(0, place.start), fresh.slice(place.end)]
  const endsLine = before === '' || before.endsWith('\n')
  const startsLine = after === '' || after.startsWith('\n') || old.endsWith('\n')
  if (!endsLine || !startsLine || (before + after).trim() === '') return false
  const [head, tail] = [toLf(text.slice(0, span.start)), toLf(text.slice(span.end))]
  const headEnds = head.length === before.length || before === '' || head.at(-before.length - 1) === '\n'
  const tailEnds = tail.length === after.length || after === '' || after.endsWith('\n') || tail[after.length] === '\n'
  return head.endsWith(before) && tail.startsWith(after) && headEnds && tailEnds
}

function assemble(bom: string, text: string, placed: readonly Placed[]): ApplyResult {
  let result = ''
  let from = 0
  const spans: Span[] = []
  for (const { start, end, replacement } of placed) {
    result += text.slice(from, start)
    if (replacement !== text.slice(start, end))
      spans.push({ start: result.length, end: result.length + replacement.length })
    result += replacement
    from = end
  }
  result += text.slice(from)
  const { diff, added, removed } = diffText(toLf(text), toLf(result))
  const loosest = Math.max(-1, ...placed.map(({ strategy }) => STRATEGIES.indexOf(strategy)))
  const strategy = STRATEGIES[loosest]
  return {
    ok: true,
    bytes: Buffer.from(bom + result, 'utf8'),
    ...(strategy === undefined ? {} : { strategy }),
    diff,
    added,
    removed,
    changed: regionsOf(result, spans),
    already: result === text,
  }
}

/** The whole lines that the spans touch, neighbours joined. */
function regionsOf(text: string, spans: readonly Span[]): Region[] {
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

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A model that copies the first line may copy the BOM with it, or not; the file's own stays either way. */
function withoutBom(edit: Edit): Edit {
  const strip = (value: string) => (value.startsWith(BOM) ? value.slice(BOM.length) : value)
  return { oldText: strip(edit.oldText), newText: strip(edit.newText) }
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** The lines of spans in order, in one pass: there may be thousands. */
function linesAt(text: string, spans: readonly Span[]): number[] {
  let [line, from] = [1, 0]
  return spans.map(({ start }) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < start; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    return line
  })
}

function regionsOfMatches(text: string, spans: readonly Span[]): Region[] {
  // Some stand where nothing tells them apart.
  const shown = spans.slice(0, 2 * MOST_MATCHES)
  const ends = linesAt(
    text,
    shown.map(({ start, end }) => ({ start: Math.max(start, end - 1), end })),
  )
  const stretches = linesAt(text, shown).map((line, index) => ({ first: line - 1, last: (ends[index] ?? line) - 1 }))
  return uniqueRegions(toLf(text).split('\n'), stretches, MOST_MATCHES)
}

function upTo(strategy: Strategy): readonly Strategy[] {
  return STRATEGIES.slice(0, STRATEGIES.indexOf(strategy) + 1)
}

function problem(kind: Problem['problem'], edit: number): Problem {
  return { ok: false, problem: kind, edit, tried: [], regions: [], lines: [] }
}
