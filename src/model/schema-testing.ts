import fc from 'fast-check'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'

/** Random schemas for the properties of lowering. */

/** A closed object. */
export const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export const values = ['a', 'b', 'c', 1, 2, 7.5, true, null] as const
const branches = (of: fc.Arbitrary<JsonSchema>) => fc.array(of, { minLength: 1, maxLength: 3 })
export const objectOf = (of: fc.Arbitrary<JsonSchema>) =>
  fc
    .tuple(fc.dictionary(fc.constantFrom('a', 'b'), of, { noNullPrototype: true }), fc.subarray(['a', 'b']))
    .map(([properties, required]) =>
      object(
        properties,
        required.filter((name) => name in properties),
      ),
    )

/** Schemas of nothing but what a strict schema can say: there the lowered one means the same. */
export const { schema: sayable } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ enum: fc.subarray([...values], { minLength: 1 }) }),
    fc.record(
      { type: fc.constant('string' as const), pattern: fc.constantFrom('^[ab]', 'a|b') },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('integer' as const, 'number' as const),
        minimum: fc.integer({ min: -3, max: 3 }),
        exclusiveMaximum: fc.integer({ min: -3, max: 9 }),
        multipleOf: fc.constantFrom(1, 2),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('array' as const), items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(3) },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record({ anyOf: branches(tie('schema')) }),
    objectOf(tie('schema')),
  ),
}))

/** Schemas with all that a constraint may say. */
export const anySchema = fc.oneof(
  sayable,
  fc.record({ type: fc.constant('string' as const), minLength: fc.nat(3), not: sayable }),
  fc.record({ type: fc.constant('string' as const), pattern: fc.constantFrom('^(?!a)', '\\bc') }),
  fc.record({ allOf: branches(sayable) }),
  fc.record({ oneOf: branches(sayable) }),
  fc.record({ type: fc.constant('array' as const), items: sayable, uniqueItems: fc.boolean(), contains: sayable }),
)

export const numRuns = Number(process.env.TEST_CASES ?? 300)

/** The value with null for every property that a lowered schema asks for and that is absent. */
export function withNulls(value: Json, schema: JsonSchema): Json[] {
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => withNulls(value, branch))
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => withNulls(item, schema.items ?? {}))
    return items.reduce<Json[][]>((all, one) => all.flatMap((done) => one.map((item) => [...done, item])), [[]])
  }
  if (!isJsonObject(value) || !schema.properties) return [value]
  const names = [...new Set([...Object.keys(value), ...Object.keys(schema.properties)])]
  return names.reduce<JsonObject[]>(
    (all, name) =>
      all.flatMap((done) =>
        withNulls(value[name] ?? null, schema.properties?.[name] ?? {}).map((member) => ({ ...done, [name]: member })),
      ),
    [{}],
  )
}
