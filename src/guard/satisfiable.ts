import { canonicalJson, type Json, type JsonSchema } from '../core/json.ts'
import { bothTypes, isOfType, typesOf } from './schema-types.ts'

const same = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b)

/** Everything that a value has to meet at once: the schema, and what stands under its `allOf`. */
export const conjunctsOf = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(schema.allOf ?? []).flatMap(conjunctsOf),
]

/**
 * False when a required argument has no value left, as far as types, enums, constants, exclusions and bounds tell. It errs
 * towards true only for keywords that guards don't emit.
 */
export function satisfiable(schema: JsonSchema): boolean {
  const parts = conjunctsOf(schema)
  if (!hasMember(parts) || !hasType(parts) || BOUNDS.some(([least, most]) => contradicts(parts, least, most)))
    return false
  return requiredArePossible(schema, parts) && itemsArePossible(schema, parts)
}

/** Whether an enum or constant, where there is one, has a value that everything else lets pass. */
function hasMember(parts: readonly JsonSchema[]): boolean {
  const members = parts.flatMap((part) => (part.enum === undefined ? [] : [part.enum]))
  const constants = parts.flatMap((part) => (part.const === undefined ? [] : [part.const]))
  const excluded = parts.flatMap((part) => part.not?.enum ?? [])
  const left = constants.length > 0 ? constants.slice(0, 1) : members[0]
  if (left === undefined) return true
  return left.some(
    (value) =>
      members.every((list) => list.some((member) => same(member, value))) &&
      constants.every((constant) => same(constant, value)) &&
      !excluded.some((member) => same(member, value)) &&
      parts.every((part) => part.type === undefined || typesOf(part.type).some((type) => isOfType(value, type))),
  )
}

function hasType(parts: readonly JsonSchema[]): boolean {
  const [first, ...others] = parts.flatMap((part) => (part.type === undefined ? [] : [part.type]))
  if (first === undefined) return true
  return others.reduce<JsonSchema['type']>((left, type) => bothTypes(left, type), typesOf(first))?.length !== 0
}

type Bound =
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'minimum'
  | 'maximum'
const BOUNDS: readonly (readonly [Bound, Bound])[] = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
]

function contradicts(parts: readonly JsonSchema[], least: Bound, most: Bound): boolean {
  const low = Math.max(...parts.map((part) => part[least] ?? Number.NEGATIVE_INFINITY))
  const high = Math.min(...parts.map((part) => part[most] ?? Number.POSITIVE_INFINITY))
  return low > high
}

function requiredArePossible(schema: JsonSchema, parts: readonly JsonSchema[]): boolean {
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  return [...required].every((name) => {
    const { properties } = schema
    const property = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    return property === undefined ? schema.additionalProperties !== false : satisfiable(property)
  })
}

function itemsArePossible({ items }: JsonSchema, parts: readonly JsonSchema[]): boolean {
  const least = Math.max(0, ...parts.map((part) => part.minItems ?? 0))
  return least === 0 || items === undefined || satisfiable(items)
}
