import type { Fault } from './scan.ts'

/** What may stand at a place of a JSON text. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

const SPACE = /[\s\uFEFF]*/y
const SPACE_AND_COMMENTS = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const STRICT_STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const STRICT_SCALAR = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y
const LOOSE_STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y
const LOOSE_SCALAR = /[+-]?(?:[\p{ID_Continue}$.]|(?<=[eE])[+-])+/uy

const TOLD: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value-or-end': 'a value or "]"',
  key: 'a key in double quotes',
  'key-or-end': 'a key in double quotes or "}"',
  colon: '":"',
  'comma-or-end': '"," or the end of the list or object',
  nothing: 'the end of the file',
}

/**
 * What keeps `text` from being JSON; with `loose`, from being JSON with comments, trailing commas, or whatever JSON5 allows.
 * It needs no stack of calls, so that no depth of nesting can end the process.
 */
export function jsonFault(text: string, loose: boolean): Fault | undefined {
  const open: { readonly bracket: '[' | '{'; readonly offset: number }[] = []
  let expected: Expected = 'value'
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end')
  for (let index = 0; ; ) {
    index += lengthOf(loose ? SPACE_AND_COMMENTS : SPACE, text, index)
    const character = text.charAt(index)
    if (character === '') return endFault(text, open.at(-1)?.offset, expected)
    const inObject = open.at(-1)?.bracket === '{'
    if (character === ']' || character === '}') {
      const mayEnd = expected.endsWith('or-end') && (character === '}') === inObject
      if (!mayEnd || open.pop() === undefined) return unexpected(text, index, expected)
      expected = afterValue()
      index++
    } else if (expected === 'comma-or-end') {
      if (character !== ',') return unexpected(text, index, expected)
      expected = `${inObject ? 'key' : 'value'}${loose ? '-or-end' : ''}`
      index++
    } else if (expected === 'colon') {
      if (character !== ':') return unexpected(text, index, expected)
      expected = 'value'
      index++
    } else if (expected === 'nothing') {
      return unexpected(text, index, expected)
    } else {
      const isKey = expected.startsWith('key')
      if (!isKey && (character === '[' || character === '{')) {
        open.push({ bracket: character, offset: index })
        expected = character === '[' ? 'value-or-end' : 'key-or-end'
        index++
        continue
      }
      const length = scalarLength(text, index, loose, isKey)
      if (length === 0) return unexpected(text, index, expected)
      expected = isKey ? 'colon' : afterValue()
      index += length
    }
  }
}

function scalarLength(text: string, index: number, loose: boolean, isKey: boolean): number {
  const string = lengthOf(loose ? LOOSE_STRING : STRICT_STRING, text, index)
  if (string > 0 || (isKey && !loose)) return string
  return lengthOf(loose ? LOOSE_SCALAR : STRICT_SCALAR, text, index)
}

function lengthOf(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0].length ?? 0
}

function endFault(text: string, opener: number | undefined, expected: Expected): Fault | undefined {
  if (expected === 'nothing') return undefined
  if (opener === undefined) return { offset: text.length, message: `the file ends where ${TOLD[expected]} is expected` }
  return { offset: opener, message: `"${text.charAt(opener)}" is never closed` }
}

function unexpected(text: string, offset: number, expected: Expected): Fault {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0)
  if (character === '"') return { offset, message: expectedMessage(text, offset, expected) }
  return { offset, message: `unexpected ${JSON.stringify(character)} where ${TOLD[expected]} is expected` }
}

/** A string is out of place or is broken itself. */
function expectedMessage(text: string, offset: number, expected: Expected): string {
  if (expected === 'colon' || expected === 'comma-or-end' || expected === 'nothing') {
    return `unexpected string where ${TOLD[expected]} is expected`
  }
  return lengthOf(LOOSE_STRING, text, offset) > 0
    ? 'the string that begins here has an invalid escape or control character'
    : 'the string that begins here is never closed'
}
