import { locate, occurrences, type Span, toLf } from './locate.ts'

interface Texts {
  readonly oldText: string
  readonly newText: string
}

/** Text that short stands somewhere by chance, unless it is whole lines. */
const TELLING_LENGTH = 16

/** True when the new text is there exactly once, in the file's form or the edit's, and so that it can't be by chance. */
export function standsOnce(text: string, newText: string): boolean {
  const fresh = newText.trim()
  if (fresh === '') return false
  const location = locate(text, newText)
  if (location.found !== 'once') return false
  if (fresh.length >= TELLING_LENGTH) return true
  const { start, end } = location.span
  const before = newText.startsWith('\n') ? '' : text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const after = newText.endsWith('\n') ? '' : (text.slice(end).split('\n', 1)[0] ?? '')
  return before.trim() === '' && after.trim() === ''
}

/**
 * True when an edit that adds whole lines to its old text finds these lines there already: the same edit sent again. Less
 * than whole lines (an indentation made deeper) may well be meant twice.
 */
export function standsAround(text: string, span: Span, edit: Texts): boolean {
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
