import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { isOfType } from './schema-members.ts'

/** What Gemini's endpoint and the grammars of node-llama-cpp take, and what they accept under it. */

const GEMINI = new Set(
  'type description enum format pattern minLength maxLength minimum maximum minItems maxItems items properties required anyOf nullable'.split(
    ' ',
  ),
)
const MOST_VALUES = 100
const GRAMMAR: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'additionalProperties'],
  number: [],
  integer: [],
  boolean: [],
  null: [],
}

const members = (schema: object, key: string): readonly JsonObject[] => {
  const value = (schema as JsonObject)[key]
  if (Array.isArray(value)) return (value as readonly Json[]).filter(isJsonObject)
  return isJsonObject(value) ? (key === 'properties' ? Object.values(value).filter(isJsonObject) : [value]) : []
}

function firstFault(schema: object, keys: readonly string[], fault: (inner: object) => string | undefined) {
  return keys
    .flatMap((key) => members(schema, key))
    .map(fault)
    .find((one) => one !== undefined)
}

/** What of a schema Gemini's endpoint would refuse. */
export function faultOfGemini(schema: object): string | undefined {
  const { enum: values, type } = schema as JsonObject
  const unknown = Object.keys(schema).find((key) => !GEMINI.has(key))
  if (unknown !== undefined) return `the keyword ${unknown}`
  if (type !== undefined && typeof type !== 'string') return 'several types'
  if (Array.isArray(values)) {
    if (values.length === 0 || values.length > MOST_VALUES) return `an enum of ${values.length} values`
    if (type !== 'string' || values.some((value) => typeof value !== 'string')) return 'an enum of other than texts'
  }
  return firstFault(schema, ['items', 'properties', 'anyOf'], faultOfGemini)
}

/** Whether a value, its members of enums as texts, can be made under a schema for Gemini. */
export function acceptsAsGemini(schema: object, value: Json): boolean {
  const { type, enum: values, anyOf, nullable, properties, required } = schema as JsonObject
  if (value === null && nullable === true) return true
  if (Array.isArray(anyOf)) return members(schema, 'anyOf').some((branch) => acceptsAsGemini(branch, value))
  if (Array.isArray(values)) return values.includes(String(value))
  if (type !== undefined && !isOfType(value, [type as 'string'])) return false
  if (!inBounds(schema as JsonObject, value)) return false
  const items = members(schema, 'items')[0]
  if (Array.isArray(value)) return items === undefined || value.every((item: Json) => acceptsAsGemini(items, item))
  if (!isJsonObject(value)) return true
  const named = isJsonObject(properties) ? properties : {}
  return (
    ((required as readonly string[] | undefined) ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) => {
      const property = Object.hasOwn(named, name) ? named[name] : undefined
      return !isJsonObject(property) || acceptsAsGemini(property, member)
    })
  )
}

function inBounds(schema: JsonObject, value: Json): boolean {
  const limit = (key: string, otherwise: number) => (typeof schema[key] === 'number' ? schema[key] : otherwise)
  const within = (size: number, least: string, most: string) =>
    size >= limit(least, -Infinity) && size <= limit(most, Infinity)
  if (typeof value === 'number') return within(value, 'minimum', 'maximum')
  if (Array.isArray(value)) return within(value.length, 'minItems', 'maxItems')
  if (typeof value !== 'string') return true
  const fits = typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value)
  return fits && within([...value].length, 'minLength', 'maxLength')
}

/** What of a schema would make another grammar of it than is meant. */
export function faultOfGrammar(schema: object): string | undefined {
  const { type, enum: values, oneOf, ...rest } = schema as JsonObject
  const [first] = Object.keys(rest)
  if (values !== undefined) {
    if (first !== undefined || oneOf !== undefined || type !== undefined) return 'an enum with other keywords'
    const scalars = Array.isArray(values) && values.every((value: Json) => value === null || typeof value !== 'object')
    return scalars && (values as readonly Json[]).length > 0 ? undefined : 'an enum of other than scalars'
  }
  if (oneOf !== undefined) {
    if (first !== undefined || type !== undefined) return 'alternatives with other keywords'
    return members(schema, 'oneOf').length > 0 ? firstFault(schema, ['oneOf'], faultOfGrammar) : 'no alternative'
  }
  const known = GRAMMAR[String(type)]
  const unknown = Object.keys(rest).find((key) => !known?.includes(key))
  if (known === undefined || unknown !== undefined) return `${unknown ?? 'nothing known'} of type ${String(type)}`
  return firstFault(schema, ['items', 'properties', 'additionalProperties'], faultOfGrammar)
}

/** Whether a value, with null for what is absent, can be decoded under a grammar of this schema. */
export function acceptsAsGrammar(schema: object, value: Json): boolean {
  const { type, enum: values, oneOf, properties, additionalProperties: more } = schema as JsonObject
  if (Array.isArray(values)) return values.includes(value)
  if (oneOf !== undefined) return members(schema, 'oneOf').some((branch) => acceptsAsGrammar(branch, value))
  if (!isOfType(value, [type as 'string']) || !inBounds(schema as JsonObject, value)) return false
  const items = members(schema, 'items')[0]
  if (Array.isArray(value)) return items === undefined || value.every((item: Json) => acceptsAsGrammar(items, item))
  if (!isJsonObject(value)) return true
  const named = isJsonObject(properties) ? properties : {}
  const present = Object.entries(named).every(
    ([name, property]) =>
      isJsonObject(property) && acceptsAsGrammar(property, Object.hasOwn(value, name) ? (value[name] ?? null) : null),
  )
  const others = Object.entries(value).filter(([name]) => !Object.hasOwn(named, name))
  return (
    present && others.every(([, member]) => more === true || (isJsonObject(more) && acceptsAsGrammar(more, member)))
  )
}
