import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { firstOf, objects } from './wire.ts'

/** Keywords that a strict schema can have; `description` and the like are free. */
const KNOWN = new Set([
  'type',
  'description',
  'title',
  'enum',
  'const',
  'anyOf',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'items',
  'properties',
  'required',
  'additionalProperties',
])
const MOST_VALUES = 1000
const LARGE_ENUM = { values: 250, characters: 15_000 } as const

/** Why OpenAI would refuse the schema of a tool, or of a response format; `place` is where it is in the request. */
export function refusedSchema(schema: Json | undefined, strict: boolean, place: string): string | undefined {
  if (!isJsonObject(schema) || schema.type !== 'object') return `${place}: schema must be of type object`
  const branch = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((key) => schema[key] !== undefined)
  if (branch !== undefined) return `${place}: ${branch} is not permitted at the top level of a schema`
  const inner = schemasIn(schema)
  const empty = inner.some((one) => Array.isArray(one.enum) && one.enum.length === 0)
  if (empty) return `${place}: enum must have a value`
  if (!strict) return undefined
  const values = inner.reduce((sum, one) => sum + (Array.isArray(one.enum) ? one.enum.length : 0), 0)
  if (values > MOST_VALUES) return `${place}: a strict schema has at most ${MOST_VALUES} enum values in all`
  return firstOf(inner, (one) => refusedStrict(one, place))
}

function refusedStrict(schema: JsonObject, place: string): string | undefined {
  const unknown = Object.keys(schema).find((key) => !KNOWN.has(key))
  if (unknown !== undefined) return `${place}: '${unknown}' is not permitted in a strict schema`
  if (schema.type === undefined && schema.anyOf === undefined) return `${place}: schema must have a 'type' key`
  const types = [schema.type].flat()
  if (types.includes('array') && !isJsonObject(schema.items)) return `${place}: array schema is missing items`
  if (Array.isArray(schema.enum)) {
    const characters = schema.enum.reduce<number>((sum, value) => sum + String(value).length, 0)
    if (schema.enum.length > LARGE_ENUM.values && characters > LARGE_ENUM.characters)
      return `${place}: an enum of more than ${LARGE_ENUM.values} values has at most ${LARGE_ENUM.characters} characters`
  }
  if (!types.includes('object')) return undefined
  if (schema.additionalProperties !== false)
    return `${place}: 'additionalProperties' is required to be supplied and to be false`
  const names = isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []
  const same = names.length === required.length && names.every((name) => required.includes(name))
  return same ? undefined : `${place}: 'required' has to include every key in properties`
}

function schemasIn(schema: JsonObject): JsonObject[] {
  const properties = isJsonObject(schema.properties) ? Object.values(schema.properties) : []
  const inner = [...properties, schema.items, ...objects(schema.anyOf)]
  return [schema, ...inner.filter((value): value is JsonObject => isJsonObject(value)).flatMap(schemasIn)]
}
