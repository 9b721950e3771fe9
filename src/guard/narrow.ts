import { canonicalJson, type Json, type JsonSchema, type JsonType } from '../core/json.ts'
import { bothTypes } from './schema-types.ts'

const same = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b)

/** Keywords that mean something only beside one another: they are taken over together or not at all. */
const GROUPS: readonly (readonly (keyof JsonSchema)[])[] = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
  ['properties', 'additionalProperties', 'unevaluatedProperties'],
]
/** These two close the object that `base` describes, as long as they come alone. */
const CLOSING: readonly string[] = ['additionalProperties', 'unevaluatedProperties']

/** `unevaluatedProperties` lets pass what these have looked at. */
const EVALUATING: readonly (keyof JsonSchema)[] = [
  'properties',
  'additionalProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
]

/** The keywords without which `keyword` does not mean what it means, itself among them. */
export const groupOf = (keyword: keyof JsonSchema): readonly (keyof JsonSchema)[] =>
  GROUPS.find((group) => group.includes(keyword)) ?? [keyword]

/**
 * A schema that accepts what both accept: `part`'s keywords are merged into `base` where the merge says it exactly, and
 * added under `allOf` where it can't. An enum or type that would leave nothing is not narrowed: `part` goes under `allOf`
 * and `satisfiable` sees it. A lone `additionalProperties: false` closes the object as `base` describes it.
 */
export function narrow(base: JsonSchema, part: JsonSchema): JsonSchema {
  return piecesOf(part).reduce(mergePiece, base)
}

/** The keywords of a schema as schemas of their own, each with those that it needs. */
function piecesOf(part: JsonSchema): JsonSchema[] {
  const pieces = new Map<readonly (keyof JsonSchema)[], JsonSchema>()
  for (const [name, value] of Object.entries(part)) {
    if (name === 'description' || value === undefined) continue
    const keyword = name as keyof JsonSchema
    const group = GROUPS.find((one) => one.includes(keyword)) ?? [keyword]
    pieces.set(group, { ...pieces.get(group), [keyword]: value })
  }
  return [...pieces.values()]
}

function mergePiece(base: JsonSchema, piece: JsonSchema): JsonSchema {
  const entries = Object.entries(piece) as [keyof JsonSchema, Json][]
  const [first] = entries
  if (first === undefined || entries.every(([keyword, value]) => says(base, keyword, value))) return base
  const [keyword, value] = first
  if (keyword === 'allOf') return (value as readonly JsonSchema[]).reduce(addToAllOf, base)
  if (entries.length === 1 && CLOSING.includes(keyword) && value === false) return { ...base, [keyword]: false }
  if (base.unevaluatedProperties !== undefined && EVALUATING.includes(keyword)) return addToAllOf(base, piece)
  const group = groupOf(keyword)
  const isTaken = group.length > 1 && group.some((each) => base[each] !== undefined)
  if (group.length > 1) return isTaken ? addToAllOf(base, piece) : { ...base, ...piece }
  return merge(base, keyword, value) ?? addToAllOf(base, piece)
}

function says(base: JsonSchema, keyword: keyof JsonSchema, value: Json): boolean {
  return base[keyword] !== undefined && same(base[keyword] as Json, value)
}

function merge(base: JsonSchema, keyword: keyof JsonSchema, value: Json): JsonSchema | undefined {
  const before = base[keyword]
  switch (keyword) {
    case 'type': {
      if (before === undefined) return { ...base, type: value as JsonType }
      const both = bothTypes(base.type, value as JsonSchema['type'])
      return both.length === 0 ? undefined : { ...base, type: both.length === 1 ? (both[0] as JsonType) : both }
    }
    case 'enum': {
      if (before === undefined) return { ...base, enum: value as readonly Json[] }
      const both = (base.enum ?? []).filter((member) => (value as readonly Json[]).some((other) => same(member, other)))
      return both.length === 0 ? undefined : { ...base, enum: both }
    }
    case 'required':
      return { ...base, required: [...new Set([...(base.required ?? []), ...(value as readonly string[])])] }
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'minimum':
    case 'exclusiveMinimum':
      return { ...base, [keyword]: Math.max(base[keyword] ?? Number.NEGATIVE_INFINITY, value as number) }
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
    case 'maximum':
    case 'exclusiveMaximum':
      return { ...base, [keyword]: Math.min(base[keyword] ?? Number.POSITIVE_INFINITY, value as number) }
    case 'not':
      return mergeNot(base, value as JsonSchema)
    default:
      return before === undefined ? { ...base, [keyword]: value } : undefined
  }
}

/** Excluded values stay together in one list. */
function mergeNot(base: JsonSchema, refused: JsonSchema): JsonSchema | undefined {
  if (base.not === undefined) return { ...base, not: refused }
  if (!listsValues(base.not) || !listsValues(refused)) return undefined
  const before = base.not.enum
  const added = refused.enum.filter((member) => !before.some((other) => same(member, other)))
  return { ...base, not: { enum: [...before, ...added] } }
}

function listsValues(schema: JsonSchema): schema is JsonSchema & { readonly enum: readonly Json[] } {
  return schema.enum !== undefined && Object.keys(schema).length === 1
}

function addToAllOf(base: JsonSchema, part: JsonSchema): JsonSchema {
  const before = base.allOf ?? []
  if (before.some((one) => same(one as Json, part as Json))) return base
  const evaluates = EVALUATING.some((keyword) => part[keyword] !== undefined)
  // Under two negations it demands the same and lets no name pass for evaluated, which would open what is closed.
  const added = base.unevaluatedProperties !== undefined && evaluates ? { not: { not: part } } : part
  if (added !== part && before.some((one) => same(one as Json, added as Json))) return base
  return { ...base, allOf: [...before, added] }
}
