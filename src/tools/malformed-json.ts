import { jsonrepair } from 'jsonrepair'
import { isJsonObject, isTooDeep, type Json, type JsonObject } from '../core/json.ts'

/**
 * The object that malformed argument text can only mean, or undefined. Mended are invalid escapes (`\d` for `\\d`), raw
 * control characters in strings, trailing and missing commas, comments, typographic quotes around strings, a Markdown
 * fence around the whole, and an object that was encoded twice. Text whose strings or brackets do not close by themselves
 * is not mended, since something may be missing; nor is an escape that could stand for two things.
 */
export function mendJson(raw: string): JsonObject | undefined {
  if (isTooDeep(raw)) return undefined
  const bare = unfenced(raw.trim())
  const inner = innerText(bare)
  if (inner !== undefined) return objectOf(inner) ?? mendObject(inner.trim())
  return mendObject(bare)
}

function mendObject(text: string): JsonObject | undefined {
  const before = scan(text)
  if (before === undefined) return undefined
  try {
    const mended = objectOf(before.text) === undefined ? jsonrepair(before.text) : before.text
    // The library guesses more than separators where it has to: then something else than these differs.
    return scan(mended)?.skeleton === before.skeleton ? objectOf(mended) : undefined
  } catch {
    return undefined
  }
}

/** The text inside of a fence that opens and closes the whole and names no other language. */
function unfenced(text: string): string {
  const body = /^(?<fence>`{3,}|~{3,})(?:jsonc?|json5)?[ \t]*\r?\n(?<body>[\s\S]*?)\r?\n?\k<fence>$/i.exec(text)?.groups
    ?.body
  return body === undefined ? text : body.trim()
}

/** The text that a JSON string holds. */
function innerText(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

interface Scanned {
  /** With plain quotes around strings, invalid escapes doubled and raw control characters escaped. */
  readonly text: string
  /** Without blanks and commas outside of strings. */
  readonly skeleton: string
}

const STRING = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y
/** Without any quotes inside, which might end it. */
const TYPOGRAPHIC = /[\u201c\u201d\u201e]([^"\\\u201c\u201d\u201e]*)[\u201c\u201d]/y
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y

/** Undefined unless the text is one object whose strings and brackets close. */
function scan(text: string): Scanned | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  const open: string[] = []
  let skeleton = ''
  let mended = ''
  for (let at = 0; at < text.length; ) {
    const letter = text.charAt(at)
    if (/["\u201c\u201d\u201e]/.test(letter)) {
      const string = letter === '"' ? STRING : TYPOGRAPHIC
      string.lastIndex = at
      const match = string.exec(text)
      const body = match === null ? undefined : mendString(match[1] as string)
      if (match === null || body === undefined) return undefined
      skeleton += `"${body}"`
      mended += `"${body}"`
      at = string.lastIndex
      continue
    }
    COMMENT.lastIndex = at
    const comment = COMMENT.exec(text)
    if (comment !== null) {
      at = COMMENT.lastIndex
      continue
    }
    if (letter === '{' || letter === '[') open.push(letter)
    if (letter === '}' || letter === ']') {
      if (open.pop() !== (letter === '}' ? '{' : '[')) return undefined
      if (open.length === 0 && at < text.length - 1) return undefined
    }
    if (!/[\s,]/.test(letter)) skeleton += letter
    mended += letter
    at += 1
  }
  return open.length === 0 ? { text: mended, skeleton } : undefined
}

/**
 * A string's body as valid JSON. Beside an invalid escape, `\b` and `\f` may be meant literally too, and `\\` makes unclear
 * whether backslashes were doubled: then there is no one meaning.
 */
function mendString(body: string): string | undefined {
  const escapes = body.match(/\\(?:u[0-9a-fA-F]{4}|[\s\S])/g) ?? []
  const invalid = escapes.filter((each) => !/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/.test(each))
  if (invalid.length > 0) {
    if (escapes.some((each) => /^\\[bf\\]$/.test(each)) || invalid.some((each) => /^\\['u`]/.test(each)))
      return undefined
  }
  const doubled = body.replace(/\\(?:u[0-9a-fA-F]{4}|[\s\S])/g, (each) => (invalid.includes(each) ? `\\${each}` : each))
  return doubled.replace(/[\u0000-\u001f]/g, (letter) => JSON.stringify(letter).slice(1, -1))
}
