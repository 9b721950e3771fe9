import type { JsonSchema } from '../core/json.ts'

/** More integers than this are not spelled out as an enum. */
const MOST_INTEGERS = 64

/** A small range of integers, spelled out for grammars that know no ranges; undefined for any other schema. */
export function integerRange(schema: JsonSchema): readonly number[] | undefined {
  if (schema.type !== 'integer') return undefined
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  const from = Math.max(Math.ceil(minimum), Math.floor(exclusiveMinimum) + 1)
  const to = Math.min(Math.floor(maximum), Math.ceil(exclusiveMaximum) - 1)
  const count = to - from + 1
  if (!(count >= 1 && count <= MOST_INTEGERS)) return undefined
  return Array.from({ length: count }, (_, i) => from + i)
}
