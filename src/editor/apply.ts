import type { Region } from '../core/failure.ts'
import { standsAround, standsOnce } from './already.ts'
import { hasForeignNumbers, undecorated } from './decorations.ts'
import { diffText } from './diff.ts'
import { lineAt, linesAt, regionsOf, regionsOfMatches } from './lines-at.ts'
import { locate, type Span, STRATEGIES, type Strategy, toLf } from './locate.ts'
import { nearestRegions } from './nearest.ts'
import { replacementFor } from './replacement.ts'

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
      /** `decorated`: the new text carries marks of where it was copied from, and what it is without them is unclear. */
      readonly problem:
        | 'no-match'
        | 'ambiguous'
        | 'overlap'
        | 'not-utf8'
        | 'binary'
        | 'empty-old-text'
        | 'no-change'
        | 'decorated'
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

const BOM = '\ufeff'
/** No text has a NUL, and what is binary has one soon. */
const PROBED = 8192

/**
 * Applies all edits to the content as it is, each located in the original, or none. Bytes outside of the matched spans
 * never change. Text in the arguments is taken as it is: no patterns, no entities. An edit whose new text stands there
 * already, once, is a success without a change.
 */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): ApplyResult {
  const whole = decode(bytes)
  if (whole === undefined) return problem('not-utf8', 0)
  if (bytes.subarray(0, PROBED).includes(0)) return problem('binary', 0)
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
      if (hasForeignNumbers(text, edit.newText)) return problem('decorated', index)
      return { ...span, edit: index, strategy, replacement: replacementFor(text, span, strategy, edit) }
    }
    case 'several':
      return ambiguous(text, index, location.strategy, location.spans)
    case 'nowhere':
      if (standsOnce(text, edit.newText)) return 'already'
      return (
        placeUndecorated(text, edit, index) ?? {
          ...problem('no-match', index),
          tried: STRATEGIES,
          regions: nearestRegions(text, edit.oldText),
        }
      )
  }
}

/** Marks stand at the head of lines; a part of a line after what only looks like one is something else. */
function isWholeLines(text: string, { start, end }: Span): boolean {
  return (start === 0 || text[start - 1] === '\n') && (text[end - 1] === '\n' || /^(?:\r?\n|$)/.test(text.slice(end)))
}

/** How a text without its marks has to be found: marks left out and loosely matched would be two guesses on each other. */
const STRICT: ReadonlySet<Strategy> = new Set(['exact', 'line-endings', 'trailing-blanks'])

/** The edit as it is without line numbers or marks that it was copied with, if by one way of reading it its old text is there. */
function placeUndecorated(text: string, edit: Edit, index: number): Placed | Problem | 'already' | undefined {
  for (const { carried, unclear, ...plain } of undecorated(edit)) {
    const location = plain.oldText.trim() === '' ? undefined : locate(text, plain.oldText)
    if (location === undefined || location.found === 'nowhere') {
      if (carried && standsOnce(text, plain.newText)) return 'already'
      continue
    }
    if (!STRICT.has(location.strategy)) continue
    const spans = (location.found === 'once' ? [location.span] : location.spans).filter((span) =>
      isWholeLines(text, span),
    )
    const [span] = spans
    if (span === undefined) continue
    if (spans.length > 1) return ambiguous(text, index, location.strategy, spans)
    if (unclear || hasForeignNumbers(text, plain.newText)) return problem('decorated', index)
    if (standsAround(text, span, plain)) return 'already'
    const replacement = replacementFor(text, span, location.strategy, plain)
    return { ...span, edit: index, strategy: 'decorations', replacement }
  }
  return undefined
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

function ambiguous(text: string, edit: number, strategy: Strategy, spans: readonly Span[]): Problem {
  return {
    ...problem('ambiguous', edit),
    tried: STRATEGIES.slice(0, STRATEGIES.indexOf(strategy) + 1),
    lines: linesAt(text, spans),
    regions: regionsOfMatches(text, spans),
  }
}

function problem(kind: Problem['problem'], edit: number): Problem {
  return { ok: false, problem: kind, edit, tried: [], regions: [], lines: [] }
}
