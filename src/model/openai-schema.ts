import type { Json, JsonSchema } from '../core/json.ts'
import { enumWithout } from './schema-enum.ts'
import { alternatives, flattened, isOfType, mapValues, typeOfValue, typesOf } from './schema-members.ts'
import { isSupportedPattern } from './supported-pattern.ts'

/** What a strict schema may have, in all unless it says otherwise. Characters are those of names and enum values. */
const LIMITS = { properties: 5000, levels: 10, characters: 120_000, enumValues: 1000, largeEnum: 250 } as const
/** Of an enum with more than `largeEnum` values. */
const LARGE_ENUM_CHARACTERS = 15_000

const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

class NotExpressible extends Error {}

/**
 * The schema of a strict tool, or of a strict response format, for OpenAI and servers that follow it: all properties required,
 * those that were optional nullable instead; objects closed; a plain object at the root; `oneOf` as `anyOf`, `allOf`
 * merged, and what the grammar does not take (lengths, `not`, `contains` ...) left out. An enum beyond the limits is
 * left out as well. Accepts whatever `schema` accepts, with null for what is absent; see `withoutAbsent` for the way back.
 * Undefined when it can't be said: an object that is open on purpose, a value of any kind, more than the limits allow.
 */
export function lowerOpenAiSchema(schema: JsonSchema): JsonSchema | undefined {
  const { anyOf: _anyOf, oneOf: _oneOf, ...root } = flattened(schema)
  let mostValues: number = LIMITS.enumValues
  try {
    for (;;) {
      const lowered = lower({ ...root, type: 'object' }, mostValues)
      const size = sizeOf(lowered)
      if (size.enums.reduce((sum, count) => sum + count, 0) > LIMITS.enumValues) {
        mostValues = Math.max(...size.enums) - 1
        continue
      }
      const { properties, levels, characters } = size
      const fits = properties <= LIMITS.properties && levels <= LIMITS.levels && characters <= LIMITS.characters
      return fits ? lowered : undefined
    }
  } catch (error) {
    if (error instanceof NotExpressible) return undefined
    throw error
  }
}

function lower(schema: JsonSchema, mostValues: number): JsonSchema {
  const flat = flattened(schema)
  const { description } = flat
  const branches = alternatives(flat)
  const said = description === undefined ? {} : { description }
  if (branches) return { ...said, anyOf: branches.map((branch) => lower(branch, mostValues)) }

  const values = enumWithout(flat.const === undefined ? flat.enum : [flat.const], flat.not).enum
  const types = typesOf(flat).length > 0 ? typesOf(flat) : [...new Set((values ?? []).map(typeOfValue))]
  const [type] = types
  if (type === undefined) throw new NotExpressible()
  const possible = values?.filter((value) => isOfType(value, types))
  if (possible?.length === 0 || possible?.some((value) => typeof value === 'object' && value !== null))
    throw new NotExpressible()
  const has = (name: (typeof types)[number]) => types.includes(name)
  const { pattern, format, items } = flat
  return {
    type: types.length === 1 ? type : types,
    ...said,
    ...(possible && isSendable(possible, mostValues) && { enum: possible }),
    ...(has('string') && pattern !== undefined && isSupportedPattern(pattern) && { pattern }),
    ...(has('string') && format !== undefined && FORMATS.has(format) && { format }),
    ...((has('number') || has('integer')) && rangeOf(flat)),
    ...(has('array') && { ...countsOf(flat), items: lower(items ?? {}, mostValues) }),
    ...(has('object') && closed(flat, mostValues)),
  }
}

function isSendable(values: readonly Json[], mostValues: number): boolean {
  if (values.length > mostValues) return false
  return values.length <= LIMITS.largeEnum || charactersOf(values) <= LARGE_ENUM_CHARACTERS
}

function charactersOf(values: readonly Json[]): number {
  return values.reduce<number>((sum, value) => sum + String(value).length, 0)
}

function rangeOf(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  return defined({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf })
}

function countsOf({ minItems, maxItems }: JsonSchema): JsonSchema {
  return defined({ minItems, maxItems })
}

function defined(schema: { readonly [K in keyof JsonSchema]: JsonSchema[K] | undefined }): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

function closed({ properties, required, additionalProperties }: JsonSchema, mostValues: number): JsonSchema {
  const open = additionalProperties === undefined ? properties === undefined : additionalProperties !== false
  if (open || required?.some((name) => properties?.[name] === undefined)) throw new NotExpressible()
  const lowered = mapValues(properties ?? {}, (property) => lower(property, mostValues))
  const names = Object.keys(lowered)
  return {
    properties: Object.fromEntries(
      Object.entries(lowered).map(([name, property]) => [
        name,
        required?.includes(name) ? property : nullable(property),
      ]),
    ),
    required: names,
    additionalProperties: false,
  }
}

/** A lowered schema that accepts null too. */
function nullable(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  const types = typesOf(schema)
  return {
    ...schema,
    ...(!types.includes('null') && { type: [...types, 'null'] }),
    ...(schema.enum && !schema.enum.includes(null) && { enum: [...schema.enum, null] }),
  }
}

interface Size {
  readonly properties: number
  readonly levels: number
  readonly characters: number
  /** How many values each enum has. */
  readonly enums: readonly number[]
}

function sizeOf(schema: JsonSchema): Size {
  const properties = Object.entries(schema.properties ?? {})
  const below = [...properties.map(([, property]) => property), ...(schema.items ? [schema.items] : [])].map(sizeOf)
  const beside = (schema.anyOf ?? []).map(sizeOf)
  const parts = [...below, ...beside]
  const sum = (of: (size: Size) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    properties: properties.length + sum((part) => part.properties),
    levels: Math.max(
      below.length > 0 ? 1 : 0,
      ...below.map(({ levels }) => levels + 1),
      ...beside.map((s) => s.levels),
    ),
    characters: charactersOf([...properties.map(([name]) => name), ...(schema.enum ?? [])]) + sum((p) => p.characters),
    enums: [...(schema.enum ? [schema.enum.length] : []), ...parts.flatMap(({ enums }) => enums)],
  }
}
