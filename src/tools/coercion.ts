import type { Repair } from '../core/event.ts'
import { isJsonObject, isTooDeep, type Json, type JsonObject, type JsonSchema, type JsonType } from '../core/json.ts'
import { type Place, pointerTo } from '../core/json-pointer.ts'

export interface Coerced {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
}

/**
 * Arguments brought to the types of their schema where nothing is lost or guessed: JSON text for an array, an object, a
 * number or a boolean (in any letters, once or twice encoded), one value where only a list of such values belongs, null
 * for an optional argument that may be absent, an enum member in another letter case. The input is not changed; what
 * doesn't fit otherwise is left for the check.
 */
export function coerceArguments(value: JsonObject, schema: JsonSchema): Coerced {
  const repairs: Repair[] = []
  const coerced = coerce(value, schema, [], repairs)
  return { value: coerced as JsonObject, repairs }
}

function coerce(value: Json, schema: JsonSchema, place: Place, repairs: Repair[]): Json {
  const read = typeof value === 'string' ? fromText(value, schema, place, repairs) : value
  const fitted = listed(read, schema, place, repairs)
  if (Array.isArray(fitted)) {
    const { items } = schema
    if (items === undefined) return fitted
    return fitted.map((item: Json, index) => coerce(item, items, [...place, index], repairs))
  }
  if (!isJsonObject(fitted)) return fitted
  const entries = Object.entries(fitted).flatMap(([name, member]): [string, Json][] => {
    const part =
      schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (part === undefined) return [[name, member]]
    const here = [...place, name]
    if (schema.required?.includes(name) !== true && standsForNothing(member, part)) {
      const from = typeof member === 'string' ? member : 'null'
      repairs.push({ pointer: pointerTo(here), from, to: '', reason: 'an optional argument that is absent' })
      return []
    }
    return [[name, coerce(member, part, here, repairs)]]
  })
  return Object.fromEntries(entries)
}

/** Null, or its name where no text belongs. */
function standsForNothing(value: Json, schema: JsonSchema): boolean {
  if (accepts(schema, 'null')) return false
  return value === null || (typeof value === 'string' && value.trim() === 'null' && !accepts(schema, 'string'))
}

function fromText(text: string, schema: JsonSchema, place: Place, repairs: Repair[]): Json {
  const types = typesOf(schema)
  if (types.length === 0 || types.includes('string')) return memberInCase(text, schema, place, repairs)
  const parsed = read(text, (value) => types.some((each) => isOfType(value, each)) || isItemOf(value, schema))
  if (parsed === undefined) return text
  repairs.push({
    pointer: pointerTo(place),
    from: text,
    to: JSON.stringify(parsed),
    reason: `text in place of ${types.join(' or ')}`,
  })
  return parsed
}

/** What a text says as JSON, encoded once or twice; booleans in any letters. */
function read(text: string, fits: (value: Json) => boolean): Json | undefined {
  const folded = text.trim().toLowerCase()
  const once = parse(folded === 'true' || folded === 'false' ? folded : text)
  const value = typeof once === 'string' ? parse(once) : once
  return value === undefined || value === null || !fits(value) ? undefined : value
}

/** One value where nothing but a list of such values belongs. */
function listed(value: Json, schema: JsonSchema, place: Place, repairs: Repair[]): Json {
  if (!isItemOf(value, schema)) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  repairs.push({ pointer: pointerTo(place), from: text, to: JSON.stringify([value]), reason: 'one in place of a list' })
  return [value]
}

/** A text that may hold several, or a list that is written otherwise, is not one of them. */
function isItemOf(value: Json, schema: JsonSchema): boolean {
  const { items } = schema
  const [type, ...others] = typesOf(schema)
  if (type !== 'array' || others.length > 0 || items === undefined || (schema.minItems ?? 0) > 1) return false
  const itemTypes = typesOf(items)
  if (itemTypes.length === 0 || itemTypes.includes('array')) return false
  if (typeof value === 'string') return itemTypes.includes('string') && /^[^\s,;[\]{}"'`]+$/.test(value)
  return itemTypes.some((each) => isOfType(value, each))
}

/** Providers that decode by a schema don't promise the letter case of an enum's members. */
function memberInCase(text: string, schema: JsonSchema, place: Place, repairs: Repair[]): string {
  const members = [schema, ...(schema.allOf ?? [])].flatMap((part) => part.enum ?? [])
  if (members.length === 0 || members.includes(text)) return text
  const folded = text.toLowerCase()
  const same = new Set(
    members.filter((member): member is string => typeof member === 'string' && member.toLowerCase() === folded),
  )
  const [member] = same
  if (member === undefined || same.size > 1) return text
  repairs.push({ pointer: pointerTo(place), from: text, to: member, reason: 'letter case' })
  return member
}

function typesOf({ type }: JsonSchema): readonly JsonType[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type
}

function accepts(schema: JsonSchema, type: JsonType): boolean {
  return schema.type === undefined || typesOf(schema).includes(type)
}

function parse(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return (
        typeof value === 'number' && (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))
      )
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
    case 'string':
      return false
  }
}
