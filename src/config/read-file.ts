import { readFileSync, statSync } from 'node:fs'
import stripJsonComments from 'strip-json-comments'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

export type FileReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'read'; readonly value: JsonObject }
  | { readonly kind: 'faulty'; readonly problem: string }

/** Reads a settings file: JSON with comments and trailing commas whose root is an object. `name` is what messages call the file. */
export function readSettingsFile(file: string, name: string): FileReading {
  let text: string
  try {
    // A repository can hold a link to a device or a pipe, which would never end.
    if (!statSync(file).isFile()) return { kind: 'faulty', problem: `${name}: not a file. Remove it.` }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return { kind: 'faulty', problem: `${name}: the file can't be read (${code ?? message}). Mend or remove it.` }
  }
  const json = stripJsonComments(text.replace(/^\uFEFF/, ''), { trailingCommas: true })
  let value: Json
  try {
    value = JSON.parse(json) as Json
  } catch (error) {
    const { message } = error as Error
    const { line, column } = place(json, errorOffset(json, message))
    const reason = message.replace(/ in JSON at position \d+.*$/s, '').replace(/, (\.\.\.)?".*$/s, '')
    return { kind: 'faulty', problem: `${name}:${line}:${column}: not valid JSON: ${reason}.` }
  }
  if (!isJsonObject(value)) return { kind: 'faulty', problem: `${name}: expected an object with settings, { … }.` }
  return { kind: 'read', value }
}

/** Where `JSON.parse` stumbles: 0-based. */
function errorOffset(json: string, message: string): number {
  const stated = /at position (\d+)/.exec(message)?.[1]
  if (stated !== undefined) return Number(stated)
  if (!message.startsWith('Unexpected token')) return json.length
  // For an unexpected token some versions of V8 give no position. Every prefix that reaches beyond it fails in the same way.
  let before = 0
  let beyond = json.length
  while (beyond - before > 1) {
    const middle = (before + beyond) >> 1
    if (hasUnexpectedToken(json.slice(0, middle))) beyond = middle
    else before = middle
  }
  return before
}

function hasUnexpectedToken(json: string): boolean {
  try {
    JSON.parse(json)
    return false
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token')
  }
}

/** 1-based line and column of an offset. */
function place(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
