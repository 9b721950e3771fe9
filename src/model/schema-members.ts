import type { Json, JsonSchema, JsonType } from '../core/json.ts'
import { mergeSchemas } from './merge-schemas.ts'

/** The types that a schema names; none where it names none. */
export function typesOf({ type }: JsonSchema): readonly JsonType[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type
}

export function typeOfValue(value: Json): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'string' | 'object'
}

export function isOfType(value: Json, types: readonly JsonType[]): boolean {
  const type = typeOfValue(value)
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** `allOf` merged into the schema itself, however deep: what comes out has none. `not` of the outermost schema wins. */
export function flattened(schema: JsonSchema): JsonSchema {
  const { allOf, not, ...own } = schema
  if (!allOf) return schema
  const merged = mergeSchemas([own, ...allOf])
  return flattened(not === undefined ? merged : { ...merged, not })
}

/**
 * The alternatives of a flattened schema, each with all else that the schema says; undefined where it has none. Where a
 * schema has both kinds, `oneOf` is the one that goes.
 */
export function alternatives(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const { anyOf, oneOf, description: _, ...rest } = schema
  return (anyOf ?? oneOf)?.map((branch) => flattened(mergeSchemas([flattened(branch), rest])))
}

export function mapValues<T, U>(object: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}

/** The schema with `map` of each schema that its keywords hold; what `not` and conditions hold stays as it is. */
export function mapSchemas(schema: JsonSchema, map: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, contains, propertyNames, additionalProperties, allOf, anyOf, oneOf } = schema
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, map) }),
    ...(items && { items: map(items) }),
    ...(contains && { contains: map(contains) }),
    ...(propertyNames && { propertyNames: map(propertyNames) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(map) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(oneOf && { oneOf: oneOf.map(map) }),
  }
}
