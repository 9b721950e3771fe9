import type { Json, JsonObject, JsonSchema } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import { lowerSchema } from './lower-schema.ts'
import { enumWithout } from './schema-enum.ts'
import { flattened, mapValues, typeOfValue, typesOf } from './schema-members.ts'

/** An enum beyond this has too many states for the server. */
const MOST_VALUES = 100
const FORMATS = new Set(['date-time', 'enum'])

/**
 * The schema of a tool as Gemini's compatible endpoint takes it: no `additionalProperties`, exclusive ranges, `const` or type
 * lists, enums of strings only (other values as their text; see `withGeminiValues` for the way back) and not too many.
 * Accepts whatever `schema` accepts; what it no longer says is held at dispatch.
 */
export function lowerGeminiSchema(schema: JsonSchema): JsonSchema {
  return { ...lower(lowerSchema(schema)), type: 'object' }
}

function lower(schema: JsonSchema): JsonSchema {
  const flat = flattened(schema)
  const { description, properties, required, items, format, pattern, minLength, maxLength, minItems, maxItems } = flat
  const either = flat.anyOf ?? flat.oneOf
  const values = enumWithout(flat.const === undefined ? flat.enum : [flat.const], flat.not).enum
  const named = typesOf(flat).filter((type) => type !== 'null')
  const known = values?.filter((value) => value !== null)
  const plain = known?.every((value) => typeof value !== 'object')
  const texts = plain && known.length > 0 && known.length <= MOST_VALUES ? known.map(String) : undefined
  const type = texts ? 'string' : named.length === 1 ? named[0] : undefined
  const nullable = typesOf(flat).includes('null') || values?.includes(null)
  // Several types can only be said as alternatives, each with what holds for it.
  const kinds = !texts && !either && named.length > 1 ? named.map((one) => lower({ ...flat, type: one })) : undefined
  if (kinds) return { ...(description !== undefined && { description }), anyOf: kinds, ...nullability(nullable) }
  return clean({
    type,
    description,
    enum: texts,
    ...(type === 'string' && { pattern: texts ? undefined : pattern, minLength, maxLength }),
    format: format !== undefined && FORMATS.has(format) ? format : undefined,
    ...((type === 'integer' || type === 'number') && inclusiveRange(flat)),
    minItems,
    maxItems,
    items: items && lower(items),
    properties: properties && mapValues(properties, lower),
    required: required?.filter((name) => properties?.[name] !== undefined),
    anyOf: either?.map(lower),
    ...nullability(nullable),
  })
}

/** The server's own word for a type that has null in it. */
function nullability(nullable: boolean | undefined): JsonSchema {
  return nullable ? ({ nullable: true } as JsonSchema) : {}
}

/** The least and the most, both included; an exclusive bound of other numbers than integers is widened. */
function inclusiveRange(schema: JsonSchema): { readonly [K in keyof JsonSchema]: JsonSchema[K] | undefined } {
  const step = schema.type === 'integer' ? 1 : 0
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const low = [minimum, exclusiveMinimum === undefined ? undefined : Math.floor(exclusiveMinimum + step)]
  const high = [maximum, exclusiveMaximum === undefined ? undefined : Math.ceil(exclusiveMaximum - step)]
  const given = (bounds: readonly (number | undefined)[]) => bounds.filter((bound) => bound !== undefined)
  return {
    minimum: given(low).length > 0 ? Math.max(...given(low)) : undefined,
    maximum: given(high).length > 0 ? Math.min(...given(high)) : undefined,
  }
}

function clean(schema: { readonly [K in keyof JsonSchema]: JsonSchema[K] | undefined }): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

/** Arguments made under `lowerGeminiSchema(schema)`, with the values of enums as `schema` has them instead of their text. */
export function withGeminiValues(args: JsonObject, schema: JsonSchema): JsonObject {
  return withValues(args, schema) as JsonObject
}

function withValues(value: Json, schema: JsonSchema): Json {
  const flat = flattened(schema)
  const { items, properties } = flat
  if (typeof value === 'string') return valueMeant(value, flat)
  if (Array.isArray(value)) return items ? value.map((item) => withValues(item, items)) : value
  if (!isJsonObject(value) || !properties) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const property = properties[name]
      return [name, property ? withValues(member, property) : member]
    }),
  )
}

function valueMeant(text: string, schema: JsonSchema): Json {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  const mayBeText = values.some((value) => typeOfValue(value) === 'string' && value === text)
  return mayBeText ? text : (values.find((value) => typeof value !== 'object' && String(value) === text) ?? text)
}
