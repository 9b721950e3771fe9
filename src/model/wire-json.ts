import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/** What came over the wire is believed in no respect: a member of the wrong type counts as absent. */
export function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const member = isJsonObject(value) ? value[key] : undefined
  return isJsonObject(member) ? member : undefined
}

export function stringAt(value: Json | undefined, key: string): string | undefined {
  const member = isJsonObject(value) ? value[key] : undefined
  return typeof member === 'string' ? member : undefined
}

export function numberAt(value: Json | undefined, key: string): number | undefined {
  const member = isJsonObject(value) ? value[key] : undefined
  return typeof member === 'number' && Number.isFinite(member) ? member : undefined
}

/** A count of tokens, which may come as text; one that can't be counts as absent. */
export function tokensAt(value: Json | undefined, key: string): number | undefined {
  const text = stringAt(value, key)
  const count = text === undefined ? numberAt(value, key) : /^\d{1,12}$/.test(text) ? Number(text) : undefined
  return count !== undefined && count >= 0 && count < 1e12 ? Math.ceil(count) : undefined
}

/** The JSON value of `text`, or undefined when it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
