import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonSchema } from '../core/json.ts'
import { refusedByMessages } from '../simulator/messages-rules.ts'
import { lowerSchema, lowerStrictSchema } from './lower-schema.ts'
import { isSupportedPattern } from './supported-pattern.ts'

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

describe('a strict schema', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'a range of few integers is an enum',
      { type: 'integer', minimum: 1, exclusiveMaximum: 4 },
      { type: 'integer', enum: [1, 2, 3] },
    ],
    ['a larger range is dropped', { type: 'integer', minimum: 1, maximum: 1000 }, { type: 'integer' }],
    ['a range of other numbers is dropped', { type: 'number', minimum: 1, maximum: 2 }, { type: 'number' }],
    ['lengths are dropped', { type: 'string', minLength: 1, maxLength: 9 }, { type: 'string' }],
    ['an exclusion is taken out of the enum', { enum: ['a', 'b', 'c'], not: { enum: ['b'] } }, { enum: ['a', 'c'] }],
    ['an exclusion never leaves an empty enum', { enum: ['a'], not: { const: 'a' } }, { enum: ['a'] }],
    ['an exclusion alone is dropped', { type: 'string', not: { enum: ['b'] } }, { type: 'string' }],
    [
      'a plain pattern stays',
      { type: 'string', pattern: '^[a-z]+\\.ts$' },
      { type: 'string', pattern: '^[a-z]+\\.ts$' },
    ],
    ['a look-ahead is dropped', { type: 'string', pattern: '^(?!x)' }, { type: 'string' }],
    ['a known format stays', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
    ['another is dropped', { type: 'string', format: 'regex' }, { type: 'string' }],
    [
      'item counts are at most one',
      {
        type: 'array',
        items: { type: 'string' },
        minItems: 3,
        maxItems: 5,
        uniqueItems: true,
        contains: { const: 'x' },
      },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
    [
      'oneOf is anyOf',
      { oneOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'allOf is merged',
      { type: 'string', allOf: [{ enum: ['a', 'b'] }, { allOf: [{ enum: ['b', 'c'] }] }, { not: { const: 'z' } }] },
      { type: 'string', enum: ['b'] },
    ],
    [
      'objects are closed',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'gone'] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
    ],
  ])('%s', (_, inner, lowered) => {
    expect(lowerStrictSchema(object({ value: inner }))).toEqual(object({ value: lowered }))
  })

  it.each<[string, JsonSchema]>([
    ['open', { type: 'object', additionalProperties: true, properties: { a: {} } }],
    ['a dictionary', { type: 'object', additionalProperties: { type: 'string' } }],
    ['of any kind', { type: 'object' }],
  ])('does not exist for an object that is %s', (_, inner) => {
    expect(lowerStrictSchema(object({ value: inner }))).toBeUndefined()
  })
})

describe('a schema that is not strict', () => {
  it('loses nothing but `not` and the branches of its root', () => {
    const schema: JsonSchema = {
      description: 'root',
      properties: {
        path: { type: 'string', enum: ['a', 'b', '__none__'], not: { enum: ['b'] }, minLength: 1 },
        line: { type: 'integer', minimum: 1, allOf: [{ maximum: 9 }, { not: { const: 4 } }] },
        edits: { type: 'array', items: { not: { required: ['x'] }, minProperties: 1 } as JsonSchema, maxItems: 2 },
      },
      required: ['path'],
      allOf: [{ required: ['line'] }, { anyOf: [{ required: ['edits'] }] }],
      oneOf: [{ required: ['path'] }],
      not: { properties: { path: { const: 'b' } } },
    }
    expect(lowerSchema(schema)).toEqual({
      type: 'object',
      description: 'root',
      properties: {
        path: { type: 'string', enum: ['a', '__none__'], minLength: 1 },
        line: { type: 'integer', minimum: 1, allOf: [{ maximum: 9 }, {}] },
        edits: { type: 'array', items: { minProperties: 1 }, maxItems: 2 },
      },
      required: ['path', 'line'],
    })
  })

  it('leaves out what would accept less where another part of it accepts more', () => {
    const condition = (more: object): JsonSchema => ({ if: { required: ['a'] }, ...more }) as JsonSchema
    const list: JsonSchema = { type: 'array', items: { enum: ['a', 'b'] } }
    const schema: JsonSchema = {
      properties: {
        most: { ...list, contains: { not: { const: 'a' } }, maxContains: 1 },
        least: { ...list, contains: { const: 'a' }, minContains: 0 },
        inner: { properties: { a: { if: { const: 1 } } }, unevaluatedProperties: false },
      },
      unevaluatedProperties: false,
      allOf: [condition({}), { anyOf: [{ properties: { b: {} } }] }],
    }
    const properties = { most: { ...list, contains: {} }, least: list, inner: { properties: { a: {} } } }
    expect(lowerSchema(schema)).toEqual({ type: 'object', properties })
  })
})

const values = ['a', 'b', 'c', 1, 2, 3, 7.5, true, null] as const

/** Schemas as guards build them: closed objects, narrowed by all that a constraint may say. */
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ enum: fc.subarray([...values], { minLength: 1 }) }),
    fc.record(
      {
        type: fc.constant('string' as const),
        minLength: fc.nat(3),
        pattern: fc.constantFrom('^[ab]', 'a|b', '^(?!a)', '\\bc'),
        format: fc.constantFrom('date', 'regex'),
        not: fc.record({ enum: fc.subarray([...values], { minLength: 1 }) }),
        enum: fc.subarray([...values], { minLength: 1 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('integer' as const, 'number' as const),
        minimum: fc.integer({ min: -3, max: 3 }),
        maximum: fc.integer({ min: -3, max: 90 }),
        exclusiveMaximum: fc.integer({ min: -3, max: 9 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('array' as const),
        items: tie('schema') as fc.Arbitrary<JsonSchema>,
        minItems: fc.nat(3),
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
        contains: tie('schema') as fc.Arbitrary<JsonSchema>,
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ allOf: fc.array(tie('schema') as fc.Arbitrary<JsonSchema>, { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('schema') as fc.Arbitrary<JsonSchema>, { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema') as fc.Arbitrary<JsonSchema>, { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('string' as const), not: tie('schema') as fc.Arbitrary<JsonSchema> }),
    fc
      .dictionary(fc.constantFrom('a', 'b'), tie('schema') as fc.Arbitrary<JsonSchema>)
      .map((properties): JsonSchema => object(properties)),
  ),
}))

const rootSchema = fc
  .record(
    {
      properties: fc.dictionary(fc.constantFrom('a', 'b'), anySchema),
      allOf: fc.array(fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), anySchema) }), {
        minLength: 1,
        maxLength: 2,
      }),
      not: fc.record({ properties: fc.dictionary(fc.constantFrom('a'), anySchema) }),
    },
    { requiredKeys: ['properties'] },
  )
  .map((root): JsonSchema => {
    // Every property is declared on the root, as the tools do; what is narrowed in branches adds none.
    const names = ['a', 'b']
    const properties = Object.fromEntries(names.map((name) => [name, root.properties[name] ?? { type: 'string' }]))
    return {
      type: 'object',
      ...root,
      properties: properties as Record<string, JsonSchema>,
      additionalProperties: false,
    }
  })

const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...values, 'abc', 80),
    fc.array(tie('value') as fc.Arbitrary<Json>, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value') as fc.Arbitrary<Json>, { noNullPrototype: true }),
  ),
}))
const anyArguments = fc.dictionary(fc.constantFrom('a', 'b'), anyValue, { noNullPrototype: true })

function compiled(schema: JsonSchema): (value: unknown) => boolean {
  return new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false }).compile(schema)
}

const definition = (inputSchema: JsonSchema, strict: boolean) => ({
  model: 'm',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'go' }],
  tools: [{ name: 't', input_schema: inputSchema as Json, strict }],
})

describe('for any schema', () => {
  it('what it accepts is accepted when lowered, and the provider takes it', () => {
    fc.assert(
      fc.property(rootSchema, fc.array(anyArguments, { minLength: 5, maxLength: 20 }), (schema, samples) => {
        const before = structuredClone(schema)
        const plain = lowerSchema(schema)
        const strict = lowerStrictSchema(schema)
        expect(schema).toEqual(before)
        expect(refusedByMessages(definition(plain, false))).toBeUndefined()
        if (strict) expect(refusedByMessages(definition(strict, true))).toBeUndefined()
        const accepts = compiled(schema)
        const plainly = compiled(plain)
        const accepted = samples.filter((sample) => accepts(sample))
        expect(accepted.filter((sample) => !plainly(sample))).toEqual([])
        const strictly = strict ? compiled(strict) : plainly
        expect(accepted.filter((sample) => !strictly(sample))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

it.each<[string, boolean]>([
  ['^src/[a-z0-9_-]+\\.ts$', true],
  ['^(?:a|b){1,20}$', true],
  ['^\\w+\\s*\\d?$', true],
  ['(?=a)', false],
  ['(?<name>a)', false],
  ['(a)\\1', false],
  ['\\bword', false],
  ['a+?', false],
  ['\\p{L}', false],
  ['a{1,5000}', false],
])('the pattern %s: %s', (pattern, supported) => {
  expect(isSupportedPattern(pattern)).toBe(supported)
})
