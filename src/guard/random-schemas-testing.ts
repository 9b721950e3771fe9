import fc from 'fast-check'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import { typesOf } from './schema-types.ts'

/** Texts of which some fit every pattern, format and length below. */
const TEXTS = ['src/as', 'src/b.ts', 'lib/B.TS', 'a', 'bus', '', '10.0.0.1', 'x'.repeat(12), '\u{1f600}s']
const NAMES = ['a', 'b', 'c', 'note'] as const
const text = fc.constantFrom(...TEXTS)
const small = fc.integer({ min: -2, max: 9 })
const count = fc.nat(3)
const some = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>

function branches(condition: JsonSchema, holds: JsonSchema, otherwise: JsonSchema): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', holds],
    ['else', otherwise],
  ])
}

const string: fc.Arbitrary<JsonSchema> = some<JsonSchema>({
  minLength: count,
  maxLength: fc.integer({ min: 3, max: 9 }),
  pattern: fc.constantFrom('^[a-z]', 's$', '/'),
  format: fc.constantFrom('ipv4', 'made-up'),
  enum: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
}).map((keywords) => ({ type: 'string', ...keywords }))

const number: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    fc.constantFrom('integer' as const, 'number' as const),
    some<JsonSchema>({
      minimum: small,
      maximum: fc.integer({ min: 3, max: 12 }),
      exclusiveMinimum: fc.integer({ min: -9, max: 0 }),
      exclusiveMaximum: fc.integer({ min: 4, max: 20 }),
      multipleOf: fc.constantFrom(1, 2, 3),
      const: small,
    }),
  )
  .map(([type, keywords]) => ({ type, ...keywords }))

const odd: fc.Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema>(
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { type: ['integer', 'string'], not: { enum: ['a', 3] } },
  { enum: ['a', 1, null] },
  { anyOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }] },
  {
    oneOf: [
      { type: 'integer', minimum: 3 },
      { type: 'number', maximum: 5 },
    ],
  },
  { type: 'string', allOf: [{ minLength: 1 }, { pattern: 's$' }] },
  { type: 'integer', ...branches({ minimum: 4 }, { multipleOf: 2 }, { minimum: 0 }) },
  { not: { type: 'string' } },
  {},
)

/** Schemas of single values. */
export const leafSchema = fc.oneof(string, number, odd)

const array: fc.Arbitrary<JsonSchema> = some<JsonSchema>({
  items: leafSchema,
  minItems: fc.nat(2),
  maxItems: fc.integer({ min: 1, max: 4 }),
  uniqueItems: fc.constant(true),
  contains: fc.constantFrom<JsonSchema>({ type: 'integer' }, { type: 'string', minLength: 1 }),
  minContains: count,
  maxContains: fc.integer({ min: 1, max: 3 }),
}).map(({ minContains, maxContains, ...keywords }) => {
  const bounds: JsonSchema = Object.fromEntries(
    Object.entries({ minContains, maxContains }).filter(([, bound]) => bound !== undefined),
  )
  return { type: 'array', ...keywords, ...(keywords.contains === undefined ? {} : bounds) }
})

const properties = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof({ weight: 4, arbitrary: leafSchema }, { weight: 1, arbitrary: array }),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
)

/** Keywords of an object beside `type` and `properties`, at most three of them: all at once would leave nothing to call. */
const ofObjects: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    fc.record({
      required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.constant(false), leafSchema),
      unevaluatedProperties: fc.constant(false),
      minProperties: fc.nat(2),
      maxProperties: fc.integer({ min: 2, max: 5 }),
      dependentRequired: fc.constantFrom<Record<string, string[]>>({ a: ['b'] }, { note: ['a', 'b'] }),
      propertyNames: fc.constantFrom<JsonSchema>({ minLength: 1 }, { pattern: '^[a-z]+$' }, { pattern: '^[^m]' }),
      not: fc.constantFrom<JsonSchema>(
        { required: ['a', 'b', 'c'] },
        { properties: { a: { const: 'a' } }, required: ['a'] },
      ),
      allOf: fc.constantFrom<readonly JsonSchema[]>(
        [{ properties: { a: { minLength: 1 } } }],
        [{ required: ['c'] }, { minProperties: 1 }],
      ),
      anyOf: fc.constant<readonly JsonSchema[]>([{ required: ['a'] }, { properties: { b: { type: 'string' } } }]),
      oneOf: fc.constant<readonly JsonSchema[]>([{ required: ['a'] }, { required: ['b'] }]),
      if: fc.constantFrom<JsonSchema>({ required: ['a'] }, { properties: { b: { type: 'integer' } } }),
    }),
    fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  )
  .map(([all, kept]) => {
    const keywords: JsonSchema = Object.fromEntries(Object.entries(all).filter((_, index) => kept.includes(index)))
    return keywords.if === undefined
      ? keywords
      : { ...keywords, ...branches(keywords.if, { required: ['b'] }, { maxProperties: 3 }) }
  })

/** Schemas of objects with all keywords of tools, nested twice. */
export const objectSchema: fc.Arbitrary<JsonSchema> = fc
  .tuple(properties, ofObjects, fc.option(fc.tuple(properties, ofObjects), { freq: 3 }))
  .map(([members, keywords, nested]): JsonSchema => {
    const inner: Record<string, JsonSchema> =
      nested === null ? {} : { inner: { type: 'object', properties: nested[0], ...nested[1] } }
    return { type: 'object', properties: { ...members, ...inner }, ...keywords }
  })

/** Endless numbers, by which a value is chosen for a schema. */
export const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 24 })

export type Next = () => number

export function streamOf(numbers: readonly number[]): Next {
  let at = 0
  return () => (numbers[at++ % numbers.length] ?? 0) + Math.floor(at / numbers.length)
}

const WILD: readonly Json[] = [
  'a',
  'src/b.ts',
  '',
  7,
  2.5,
  -1,
  null,
  true,
  [],
  ['a', 'a'],
  [1],
  {},
  { a: 'a' },
  { b: 1, c: 'bus' },
]

/** A value that the numbers choose: one that fits the schema where that is easy to see, now and then any other. */
export function sample(schema: JsonSchema, next: Next): Json {
  if (next() % 9 === 0) return WILD[next() % WILD.length] ?? null
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[next() % schema.enum.length] ?? null
  const types = typesOf(schema.type)
  switch (types[next() % Math.max(1, types.length)]) {
    case 'string':
      return TEXTS.filter((each) => each.length >= (schema.minLength ?? 0))[next() % (TEXTS.length - 3)] ?? 'bus'
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, (next() % 4) * (schema.multipleOf ?? 1))
    case 'boolean':
      return next() % 2 === 0
    case 'array': {
      const { items = {}, minItems = 0, contains } = schema
      const length = minItems + (next() % 3)
      return Array.from({ length }, (_, index) =>
        sample(index === 0 && contains !== undefined ? contains : items, next),
      )
    }
    case 'object':
      return sampleObject(schema, next)
    default:
      return WILD[next() % WILD.length] ?? null
  }
}

export function sampleObject(schema: JsonSchema, next: Next): JsonObject {
  const { properties = {}, required = [] } = schema
  const names = [...new Set([...required, ...Object.keys(properties).filter(() => next() % 3 > 0)])]
  const object = Object.fromEntries(
    names.filter(() => next() % 25 > 0).map((name) => [name, sample(properties[name] ?? {}, next)]),
  )
  const extra: JsonObject = next() % 12 === 0 ? { [NAMES[next() % NAMES.length] ?? 'a']: 'a', more: 1 } : {}
  return isJsonObject(object) ? { ...object, ...extra } : {}
}
