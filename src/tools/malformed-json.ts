import { jsonrepair } from 'jsonrepair'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/**
 * The object that malformed argument text can only mean, or undefined. Mended are invalid escapes (`\d` for `\\d`), raw
 * control characters in strings, trailing and missing commas and comments. Text whose strings or brackets do not close by
 * themselves is not mended, since something may be missing; nor is an escape that could stand for two things.
 */
export function mendJson(raw: string): JsonObject | undefined {
  const before = scan(raw.trim())
  if (before === undefined) return undefined
  try {
    const mended = isJson(before.text) ? before.text : jsonrepair(before.text)
    const value = JSON.parse(mended) as Json
    // The library guesses more than separators where it has to: then something else than these differs.
    const same = scan(mended)?.skeleton === before.skeleton
    return same && isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Scanned {
  /** With invalid escapes doubled and raw control characters escaped. */
  readonly text: string
  /** Without blanks and commas outside of strings. */
  readonly skeleton: string
}

const STRING = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y

/** Undefined unless the text is one object whose strings and brackets close. */
function scan(text: string): Scanned | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  const open: string[] = []
  let skeleton = ''
  let mended = ''
  for (let at = 0; at < text.length; ) {
    const letter = text.charAt(at)
    if (letter === '"') {
      STRING.lastIndex = at
      const match = STRING.exec(text)
      const body = match === null ? undefined : mendString(match[1] as string)
      if (match === null || body === undefined) return undefined
      skeleton += `"${body}"`
      mended += `"${body}"`
      at = STRING.lastIndex
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
