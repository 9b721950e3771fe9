import { isJsonObject, isTooDeep, type Json } from '../core/json.ts'
import type { CallInput } from '../core/tool.ts'
import { parseJson } from './wire-json.ts'

/**
 * The arguments of a call from the text that the provider streamed. Nothing is mended: a text that is not one JSON
 * object stays as it is, since a parser that closes what is open makes a cut call look complete.
 */
export function parseCallInput(raw: string): CallInput {
  if (raw.trim() === '') return { parsed: true, value: {} }
  if (isTooDeep(raw)) return { parsed: false, raw, error: 'The arguments are nested too deeply.' }
  let value: Json
  try {
    value = JSON.parse(raw) as Json
  } catch (error) {
    return { parsed: false, raw, error: (error as Error).message }
  }
  // Some servers encode the arguments twice. What is one object inside of one string can mean nothing else.
  const inner = typeof value === 'string' && !isTooDeep(value) ? parseJson(value) : value
  return isJsonObject(inner)
    ? { parsed: true, value: inner }
    : { parsed: false, raw, error: 'The arguments of a call are a JSON object, and this is none.' }
}
