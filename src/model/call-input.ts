import { isJsonObject, type Json } from '../core/json.ts'
import type { CallInput } from '../core/tool.ts'

/**
 * The arguments of a call from the text that the provider streamed. Nothing is mended: a text that is not one JSON
 * object stays as it is, since a parser that closes what is open makes a cut call look complete.
 */
export function parseCallInput(raw: string): CallInput {
  if (raw.trim() === '') return { parsed: true, value: {} }
  let value: Json
  try {
    value = JSON.parse(raw) as Json
  } catch (error) {
    return { parsed: false, raw, error: (error as Error).message }
  }
  return isJsonObject(value)
    ? { parsed: true, value }
    : { parsed: false, raw, error: 'The arguments of a call are a JSON object, and this is none.' }
}
