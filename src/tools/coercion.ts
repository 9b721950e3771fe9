import type { Repair } from '../core/event.ts'
import { isJsonObject, type Json, type JsonObject, type JsonSchema, type JsonType } from '../core/json.ts'
import { type Place, pointerTo } from './json-pointer.ts'

export interface Coerced {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
}

/**
 * Arguments brought to the types of their schema where nothing is lost or guessed: JSON text for an array, an object, a
 * number or a boolean, null for an optional argument that may be absent, an enum member in another letter case. The input
 * is not changed; what doesn't fit otherwise is left for the check.
 */
export function coerceArguments(value: JsonObject, schema: JsonSchema): Coerced {
  const repairs: Repair[] = []
  const coerced = coerce(value, schema, [], repairs)
  return { value: coerced as JsonObject, repairs }
}

function coerce(value: Json, schema: JsonSchema, place: Place, repairs: Repair[]): Json {
  const fitted = typeof value === 'string' ? fromText(value, schema, place, repairs) : value
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
    if (member === null && schema.required?.includes(name) !== true && !accepts(part, 'null')) {
      repairs.push({ pointer: pointerTo(here), from: 'null', to: '', reason: 'an optional argument that is absent' })
      return []
    }
    return [[name, coerce(member, part, here, repairs)]]
  })
  return Object.fromEntries(entries)
}

function fromText(text: string, schema: JsonSchema, place: Place, repairs: Repair[]): Json {
  const { type } = schema
  const types: readonly JsonType[] = type === undefined ? [] : typeof type === 'string' ? [type] : type
  if (types.length === 0 || types.includes('string')) return memberInCase(text, schema, place, repairs)
  const parsed = parse(text)
  if (parsed === undefined || !types.some((each) => isOfType(parsed, each))) return text
  repairs.push({
    pointer: pointerTo(place),
    from: text,
    to: JSON.stringify(parsed),
    reason: `text in place of ${types.join(' or ')}`,
  })
  return parsed
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

function accepts(schema: JsonSchema, type: JsonType): boolean {
  return (
    schema.type === undefined || (typeof schema.type === 'string' ? schema.type === type : schema.type.includes(type))
  )
}

function parse(text: string): Json | undefined {
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
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
    case 'string':
      return false
  }
}
