import type { Constraint } from '../core/constraint.ts'
import type { ArgumentError } from '../core/failure.ts'
import type { JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import type { Guard } from './guard.ts'
import { groupOf } from './narrow.ts'
import { generalise, schemaAt } from './pointer.ts'
import { conjunctsOf } from './satisfiable.ts'

/**
 * Loose types become exact where the arguments were wrong, and the provider is asked to enforce the schema. Whatever the
 * error, the call itself is refused too (`refused-call`), so an error that no keyword describes is held as well.
 */
export const schemaTightening: Guard = {
  id: 'schema-tightening',
  order: 20,
  reason: 'the arguments do not fit the schema',
  when: (failure) => failure.kind === 'call.invalid-arguments',
  constrain: ({ failure }, tools) => {
    if (failure.kind !== 'call.invalid-arguments') return []
    const tool = tools.find(({ name }) => name === failure.tool)
    const narrowed = tool === undefined ? [] : failure.errors.flatMap((error) => tighten(error, tool))
    return [...narrowed, { kind: 'strict', tool: failure.tool, lasts: 'call' }]
  },
}

/**
 * The keyword of a schema that an error is about: stated where only an `allOf` held it before, which providers leave out.
 * `refusal`: no keyword of the place describes it. `closed` also takes away the names that an object does not tell of, since
 * one that is missing mostly stands there misspelt.
 */
const FOLLOWS: Readonly<Record<string, 'stated' | 'closed' | 'refusal'>> = {
  type: 'stated',
  required: 'closed',
  additionalProperties: 'stated',
  unevaluatedProperties: 'stated',
  enum: 'stated',
  const: 'stated',
  pattern: 'stated',
  format: 'stated',
  minimum: 'stated',
  maximum: 'stated',
  exclusiveMinimum: 'stated',
  exclusiveMaximum: 'stated',
  multipleOf: 'stated',
  minLength: 'stated',
  maxLength: 'stated',
  minItems: 'stated',
  maxItems: 'stated',
  uniqueItems: 'stated',
  contains: 'stated',
  minProperties: 'stated',
  maxProperties: 'stated',
  dependentRequired: 'closed',
  propertyNames: 'stated',
  not: 'stated',
  oneOf: 'stated',
  anyOf: 'stated',
  if: 'stated',
  // A place that takes no value at all has none to be narrowed to.
  'false schema': 'refusal',
}

function tighten({ keyword, pointer }: ArgumentError, tool: ToolDefinition): Constraint[] {
  const follows = Object.hasOwn(FOLLOWS, keyword) ? FOLLOWS[keyword] : 'refusal'
  const place = generalise(pointer)
  const schema = schemaAt(tool.inputSchema, place)
  if (follows === 'refusal' || schema === undefined) return []
  const stated = statement(schema, keyword as keyof JsonSchema)
  const parts = [stated, ...(follows === 'closed' && stated !== undefined && canBeClosed(schema) ? [CLOSED] : [])]
  return parts.flatMap((part): Constraint[] =>
    part === undefined ? [] : [{ kind: 'narrow', tool: tool.name, pointer: place, schema: part, lasts: 'step' }],
  )
}

const CLOSED: JsonSchema = { additionalProperties: false }

/** What a schema demands by that keyword, always: neither what a branch of it demands nor what other constraints added. */
function statement(schema: JsonSchema, keyword: keyof JsonSchema): JsonSchema | undefined {
  const closes = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
  // Which names are additional depends on those beside it.
  if (closes) return schema[keyword] === false ? { [keyword]: false } : undefined
  const holder = conjunctsOf(schema).find((part) => part[keyword] !== undefined)
  if (holder === undefined) return undefined
  return Object.fromEntries(
    groupOf(keyword).flatMap((each) => (holder[each] === undefined ? [] : [[each, holder[each]]])),
  )
}

/** An object that tells all of its names itself, without saying that there are no others. */
function canBeClosed(schema: JsonSchema): boolean {
  const { properties, required = [], minProperties = 0 } = schema
  const names = Object.keys(properties ?? {})
  const mayNameMore = (['allOf', 'anyOf', 'oneOf', 'if', 'not', 'propertyNames'] as const).some(
    (each) => schema[each] !== undefined,
  )
  const isOpen = schema.additionalProperties === undefined || schema.additionalProperties === true
  return (
    isOpen &&
    !mayNameMore &&
    names.length >= Math.max(1, minProperties) &&
    required.every((name) => names.includes(name))
  )
}
