/** What is wrong with a text and where: `offset` in UTF-16 units. */
export interface Fault {
  readonly offset: number
  readonly message: string
}

/**
 * The end of the literal or comment that begins at `index`; `index` itself when none begins there; a fault when it has no end.
 */
export type Skip = (text: string, index: number) => number | Fault

const CLOSER_OF: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLOSERS = new Set(Object.values(CLOSER_OF))

/** The first bracket that is not closed or closes nothing, or the first literal without an end, where `skip` knows the literals. */
export function scanBrackets(text: string, skip: Skip): Fault | undefined {
  const open: number[] = []
  // The first block whose end stands further left than its beginning: the bracket that is missing is missing in there.
  let suspect: number | undefined
  for (let index = 0; index < text.length; ) {
    const next = skip(text, index)
    if (typeof next !== 'number') return next
    if (next > index) {
      index = next
      continue
    }
    const character = text.charAt(index)
    if (CLOSER_OF[character] !== undefined) open.push(index)
    else if (CLOSERS.has(character)) {
      const opener = open.pop()
      if (opener === undefined) return { offset: index, message: `"${character}" closes nothing` }
      if (CLOSER_OF[text.charAt(opener)] !== character) return mismatch(text, opener, index)
      if (suspect === undefined && isOutdented(text, opener, index)) suspect = opener
    }
    index++
  }
  const unclosed = open.length === 0 ? undefined : (suspect ?? open.at(-1))
  return unclosed === undefined ? undefined : unclosedAt(text, unclosed)
}

function unclosedAt(text: string, offset: number): Fault {
  return { offset, message: `"${text.charAt(offset)}" is never closed` }
}

function mismatch(text: string, opener: number, closer: number): Fault {
  const line = text.slice(0, opener).split('\n').length
  return {
    offset: closer,
    message: `"${text.charAt(closer)}" does not close the "${text.charAt(opener)}" of line ${line}`,
  }
}

/** Whether the closing bracket is the first of its line and stands further left than the line of its opening bracket begins. */
function isOutdented(text: string, opener: number, closer: number): boolean {
  const indentation = (index: number) => {
    const start = text.lastIndexOf('\n', index - 1) + 1
    const first = text.slice(start, index + 1).search(/\S/)
    return { width: first, isFirst: start + first === index }
  }
  const end = indentation(closer)
  return end.isFirst && end.width < indentation(opener).width
}

/** The index behind `end`, looked for from `from`; a fault at `start` when it is not there. */
export function behind(text: string, end: string, from: number, start: number, what: string): number | Fault {
  const at = text.indexOf(end, from)
  return at === -1 ? { offset: start, message: `the ${what} that begins here is never closed` } : at + end.length
}

/** The index of the end of the line. */
export function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/**
 * The index behind the quote that ends the string which begins at `start`; a backslash takes the next character along.
 * A line break ends it in vain unless `multiline`.
 */
export function behindQuote(text: string, start: number, multiline: boolean): number | Fault {
  const quote = text.charAt(start)
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === quote) return index + 1
    if (character === '\\') index += text.startsWith('\r\n', index + 1) ? 2 : 1
    else if (character === '\n' && !multiline) break
  }
  return { offset: start, message: 'the string that begins here is never closed' }
}
