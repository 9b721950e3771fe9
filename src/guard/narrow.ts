import { canonicalJson, type Json, type JsonSchema, type JsonType } from '../core/json.ts'

const same = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b)
const listOf = (type: JsonSchema['type']): readonly JsonType[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

/**
 * A schema that accepts what both accept: `part`'s keywords are merged into `base` where the merge says it exactly, and
 * added under `allOf` where it can't. An enum or type that would leave nothing is not narrowed: `part` goes under `allOf`
 * and `satisfiable` sees it.
 */
export function narrow(base: JsonSchema, part: JsonSchema): JsonSchema {
  return Object.entries(part).reduce<JsonSchema>((at, [keyword, value]) => {
    const merged = merge(at, keyword as keyof JsonSchema, value as Json)
    return merged ?? addToAllOf(at, { [keyword]: value } as JsonSchema)
  }, base)
}

function merge(base: JsonSchema, keyword: keyof JsonSchema, value: Json): JsonSchema | undefined {
  const before = base[keyword]
  if (before !== undefined && same(before as Json, value)) return base
  switch (keyword) {
    case 'type': {
      const wanted = listOf(value as JsonSchema['type'])
      if (before === undefined) return { ...base, type: value as JsonType }
      const both = listOf(base.type).flatMap((type) => {
        if (wanted.includes(type)) return [type]
        if (type === 'number' && wanted.includes('integer')) return ['integer' as const]
        return type === 'integer' && wanted.includes('number') ? ['integer' as const] : []
      })
      return both.length === 0 ? undefined : { ...base, type: both.length === 1 ? (both[0] as JsonType) : both }
    }
    case 'enum': {
      if (before === undefined) return { ...base, enum: value as readonly Json[] }
      const both = (base.enum ?? []).filter((member) => (value as readonly Json[]).some((other) => same(member, other)))
      return both.length === 0 ? undefined : { ...base, enum: both }
    }
    case 'required':
      return { ...base, required: [...new Set([...(base.required ?? []), ...(value as readonly string[])])] }
    case 'additionalProperties':
      return value === false ? { ...base, additionalProperties: false } : undefined
    case 'minLength':
    case 'minItems':
    case 'minimum':
    case 'exclusiveMinimum':
      return { ...base, [keyword]: Math.max(base[keyword] ?? Number.NEGATIVE_INFINITY, value as number) }
    case 'maxLength':
    case 'maxItems':
    case 'maximum':
    case 'exclusiveMaximum':
      return { ...base, [keyword]: Math.min(base[keyword] ?? Number.POSITIVE_INFINITY, value as number) }
    case 'not': {
      const excluded = (value as JsonSchema).enum
      if (excluded === undefined) return before === undefined ? { ...base, not: value as JsonSchema } : undefined
      if (before === undefined) return { ...base, not: { enum: excluded } }
      if (base.not?.enum === undefined || Object.keys(base.not).length > 1) return undefined
      const added = excluded.filter((member) => !base.not?.enum?.some((other) => same(member, other)))
      return { ...base, not: { enum: [...base.not.enum, ...added] } }
    }
    default:
      return before === undefined ? { ...base, [keyword]: value } : undefined
  }
}

function addToAllOf(base: JsonSchema, part: JsonSchema): JsonSchema {
  const before = base.allOf ?? []
  if (before.some((one) => same(one as Json, part as Json))) return base
  return { ...base, allOf: [...before, part] }
}

/**
 * False when a required argument has no value left, as far as enums, exclusions and bounds tell. It errs towards true
 * only for keywords that guards don't emit.
 */
export function satisfiable(schema: JsonSchema): boolean {
  const parts = [schema, ...(schema.allOf ?? [])]
  const members = parts.flatMap((part) => (part.enum === undefined ? [] : [part.enum]))
  const excluded = parts.flatMap((part) => part.not?.enum ?? [])
  const constants = parts.flatMap((part) => (part.const === undefined ? [] : [part.const]))
  const [first] = members
  const left = constants.length > 0 ? constants.slice(0, 1) : first
  if (left !== undefined) {
    const fits = (value: Json) =>
      members.every((list) => list.some((member) => same(member, value))) &&
      constants.every((constant) => same(constant, value)) &&
      !excluded.some((member) => same(member, value)) &&
      parts.every((part) => part.type === undefined || listOf(part.type).some((type) => isOfType(value, type)))
    if (!left.some(fits)) return false
  }
  const types = parts.flatMap((part) => (part.type === undefined ? [] : [listOf(part.type)]))
  const [firstTypes] = types
  const fitsAll = (type: JsonType) =>
    types.every(
      (list) =>
        list.includes(type) ||
        (type === 'integer' && list.includes('number')) ||
        (type === 'number' && list.includes('integer')),
    )
  if (firstTypes !== undefined && !firstTypes.some(fitsAll)) return false
  if (
    contradicts(parts, 'minLength', 'maxLength') ||
    contradicts(parts, 'minItems', 'maxItems') ||
    contradicts(parts, 'minimum', 'maximum')
  )
    return false
  return (
    (schema.required ?? []).every((name) => {
      const property =
        schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (property === undefined) return schema.additionalProperties !== false
      return satisfiable(property)
    }) &&
    ((schema.minItems ?? 0) === 0 || schema.items === undefined || satisfiable(schema.items))
  )
}

function contradicts(
  parts: readonly JsonSchema[],
  least: 'minLength' | 'minItems' | 'minimum',
  most: 'maxLength' | 'maxItems' | 'maximum',
): boolean {
  const low = Math.max(...parts.map((part) => part[least] ?? Number.NEGATIVE_INFINITY))
  const high = Math.min(...parts.map((part) => part[most] ?? Number.POSITIVE_INFINITY))
  return low > high
}

function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    default:
      return typeof value === type
  }
}
