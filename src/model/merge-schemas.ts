import { canonicalJson, type Json, type JsonSchema, type JsonType } from '../core/json.ts'

/**
 * One schema for the conjunction of several. Where two can't be said in one (two patterns, two `anyOf`, no common enum
 * value) the first is kept: what comes out accepts all that the conjunction accepts, and may accept more.
 */
export function mergeSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.reduce(both, {})
}

function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  const merged: { -readonly [K in keyof JsonSchema]: JsonSchema[K] } = { ...b, ...a }
  if (a.type !== undefined && b.type !== undefined) merged.type = commonType(a.type, b.type)
  if (a.enum && b.enum) merged.enum = commonValues(a.enum, b.enum)
  if (a.required && b.required) merged.required = [...new Set([...a.required, ...b.required])]
  if (a.properties && b.properties) {
    const names = new Set([...Object.keys(a.properties), ...Object.keys(b.properties)])
    merged.properties = Object.fromEntries(
      [...names].map((name) => [name, both(a.properties?.[name] ?? {}, b.properties?.[name] ?? {})]),
    )
  }
  if (a.items && b.items) merged.items = both(a.items, b.items)
  if (a.allOf && b.allOf) merged.allOf = [...a.allOf, ...b.allOf]
  if (a.additionalProperties === false || b.additionalProperties === false) merged.additionalProperties = false
  merged.minItems = larger(a.minItems, b.minItems)
  merged.minimum = larger(a.minimum, b.minimum)
  merged.exclusiveMinimum = larger(a.exclusiveMinimum, b.exclusiveMinimum)
  merged.maximum = smaller(a.maximum, b.maximum)
  merged.exclusiveMaximum = smaller(a.exclusiveMaximum, b.exclusiveMaximum)
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

function commonValues(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const known = new Set(b.map(canonicalJson))
  const common = a.filter((value) => known.has(canonicalJson(value)))
  return common.length > 0 ? common : a
}

function commonType(a: NonNullable<JsonSchema['type']>, b: NonNullable<JsonSchema['type']>): JsonSchema['type'] {
  const others = list(b)
  const common = list(a).flatMap((type): JsonType[] => {
    if (others.includes(type) || (type === 'integer' && others.includes('number'))) return [type]
    return type === 'number' && others.includes('integer') ? ['integer'] : []
  })
  if (common.length === 0) return a
  return common.length === 1 ? common[0] : common
}

function list(type: NonNullable<JsonSchema['type']>): readonly JsonType[] {
  return typeof type === 'string' ? [type] : type
}
