import { diffArrays } from 'diff'
import { keepCharacters } from './keep-characters.ts'
import { type Line, linesOf, type Span, type Strategy, toLf } from './locate.ts'
import { reindent } from './reindent.ts'

/**
 * What stands in the place of the matched span: the new text in the file's line endings and, where the match was loose,
 * in the file's style, with everything that the edit does not change left as the file has it.
 */
export function replacementFor(
  text: string,
  span: Span,
  strategy: Strategy,
  edit: { readonly oldText: string; readonly newText: string },
): string {
  const found = text.slice(span.start, span.end)
  switch (strategy) {
    case 'exact':
      return withEndings(edit.newText, endingFor(text, span, edit.oldText))
    case 'line-endings':
      return withEndings(edit.newText, endingFor(text, span, ''))
    case 'quotes':
    case 'unicode':
      return withEndings(keepCharacters(found, edit), endingFor(text, span, ''))
    case 'trailing-blanks':
      return byLines(text, span, edit, (fresh) => [...fresh])
    case 'decorations':
      return withEndings(edit.newText, endingFor(text, span, ''))
    case 'indentation':
    case 'blanks': {
      const file = linesOf(text).map((line) => line.text)
      const present = textsOf(linesOf(found))
      return byLines(text, span, edit, (fresh, wanted) => reindent(fresh, wanted, present, file))
    }
  }
}

/**
 * The line end that new lines get; undefined to leave them as they are. In a file with both kinds, an old text that was
 * found exactly shows what is meant; else the nearest line end decides.
 */
function endingFor(text: string, span: Span, exactOldText: string): '\n' | '\r\n' | undefined {
  const crlf = text.includes('\r\n')
  const lf = /(?<!\r)\n/.test(text)
  if (crlf !== lf) return crlf ? '\r\n' : '\n'
  if (!crlf || exactOldText.includes('\n')) return undefined
  const within = text.indexOf('\n', span.start)
  const feed = within === -1 ? text.lastIndexOf('\n') : within
  return text[feed - 1] === '\r' ? '\r\n' : '\n'
}

function withEndings(text: string, ending: '\n' | '\r\n' | undefined): string {
  if (ending === undefined) return text
  return ending === '\n' ? toLf(text) : toLf(text).replaceAll('\n', '\r\n')
}

function textsOf(lines: readonly Line[]): string[] {
  return lines.map((line) => line.text)
}

/** Line by line: those that the edit leaves as they are stay the file's own, byte for byte; the others are made by `style`. */
function byLines(
  text: string,
  span: Span,
  edit: { readonly oldText: string; readonly newText: string },
  style: (fresh: readonly string[], wanted: readonly string[]) => string[],
): string {
  const found = linesOf(text.slice(span.start, span.end))
  const wanted = textsOf(linesOf(edit.oldText))
  const freshLines = linesOf(edit.newText)
  const fresh = textsOf(freshLines)
  const styled = style(fresh, wanted)
  const ending = endingFor(text, span, '') ?? '\n'
  const result: { text: string; ending: string }[] = []
  let [oldRow, newRow] = [0, 0]
  for (const part of diffArrays(wanted, fresh)) {
    if (part.removed) oldRow += part.count
    else
      for (let count = 0; count < part.count; count++) {
        const own = part.added ? undefined : found[oldRow++]
        result.push({ text: own?.text ?? styled[newRow] ?? '', ending: own?.ending || ending })
        newRow++
      }
  }
  // The old text may end a last line that has no end in the file: that stays so.
  const open = freshLines.at(-1)?.ending === '' || found.at(-1)?.ending === ''
  return result.map((line, row) => line.text + (open && row === result.length - 1 ? '' : line.ending)).join('')
}
