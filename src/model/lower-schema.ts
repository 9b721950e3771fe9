import type { JsonSchema } from '../core/json.ts'
import { integerRange } from './integer-range.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { enumWithout } from './schema-enum.ts'
import { mapSchemas, mapValues } from './schema-members.ts'
import { isSupportedPattern } from './supported-pattern.ts'

const STRICT_FORMATS = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

/**
 * The schema of a tool that is not strict, as the Messages API takes it: whole but for `not`, conditions and what depends
 * on them, and its root a plain object without branches. Accepts whatever `schema` accepts; what it no longer says is held
 * at dispatch.
 */
export function lowerSchema(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf: _anyOf, oneOf: _oneOf, ...root } = monotone(schema)
  return withoutNot({ ...mergeSchemas([root, ...(allOf ?? []).map(plainObject)]), type: 'object' })
}

/**
 * The schema of a strict tool, with only what the provider's grammar takes: the rest is re-expressed where it can be
 * (small integer ranges and exclusions as enums, `oneOf` as `anyOf`, `allOf` merged) and dropped elsewhere. Accepts
 * whatever `schema` accepts, objects that `schema` leaves open by not saying so apart. Undefined when an object is open
 * on purpose: a grammar knows closed objects only.
 */
export function lowerStrictSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    const { anyOf: _anyOf, oneOf: _oneOf, ...root } = schema
    return strict({ ...root, type: 'object' })
  } catch (error) {
    if (error instanceof OpenObject) return undefined
    throw error
  }
}

class OpenObject extends Error {}

/** A branch of the root, without what the root can't have either. */
function plainObject(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema
  return mergeSchemas([rest, ...(allOf ?? []).map(plainObject)])
}

/**
 * The schema without keywords by which it would accept less once another part of it accepts more: conditions, names that
 * are left over, a count of items that match. Lowering and merging may then make any part accept more.
 */
function monotone(schema: JsonSchema): JsonSchema {
  const {
    if: _if,
    then: _then,
    else: _else,
    unevaluatedProperties: _unevaluated,
    minContains,
    maxContains: _most,
    contains,
    ...rest
  } = schema
  const kept = contains !== undefined && minContains !== 0 ? { ...rest, contains } : rest
  return mapSchemas(kept, monotone)
}

function withoutNot(schema: JsonSchema): JsonSchema {
  const { not, anyOf, oneOf, ...rest } = schema
  return {
    ...mapSchemas(rest, withoutNot),
    ...enumWithout(schema.enum, not),
    ...branches(anyOf, oneOf, withoutNot),
  }
}

function strict(schema: JsonSchema): JsonSchema {
  const { allOf, not, ...own } = schema
  const merged = mergeSchemas([own, ...(allOf ?? [])])
  // Merging brings the branches' own `allOf` and `not` up.
  if (merged.allOf) return strict({ ...merged, ...(not && merged.not === undefined && { not }) })
  const { type, description, properties, required, items, pattern, format, minItems } = merged
  const values = enumWithout(enumWithout(merged.enum ?? integerRange(merged), merged.not).enum, not)
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...values,
    ...(merged.const !== undefined && { const: merged.const }),
    ...(pattern !== undefined && isSupportedPattern(pattern) && { pattern }),
    ...(format !== undefined && STRICT_FORMATS.has(format) && { format }),
    ...(minItems !== undefined && { minItems: Math.min(minItems, 1) }),
    ...(items && { items: strict(items) }),
    ...branches(merged.anyOf, merged.oneOf, strict),
    ...(mayBeObject(merged) && closed(merged, properties, required)),
  }
}

function mayBeObject({ type, properties }: JsonSchema): boolean {
  return properties !== undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function closed(
  { additionalProperties }: JsonSchema,
  properties: JsonSchema['properties'],
  required: JsonSchema['required'],
): JsonSchema {
  const open = additionalProperties === undefined ? properties === undefined : additionalProperties !== false
  if (open) throw new OpenObject()
  return {
    properties: mapValues(properties ?? {}, strict),
    ...(required && { required: required.filter((name) => properties?.[name] !== undefined) }),
    additionalProperties: false,
  }
}

/**
 * `anyOf` for both kinds of branches, since branches that accept more would make `oneOf` accept less. Where a schema has
 * both, `oneOf` is the one that goes.
 */
function branches(
  anyOf: JsonSchema['anyOf'],
  oneOf: JsonSchema['oneOf'],
  lower: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const either = anyOf ?? oneOf
  return either ? { anyOf: either.map(lower) } : {}
}
