import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import { refusedSchema } from '../simulator/openai-schema-rules.ts'
import { lowerOpenAiSchema } from './openai-schema.ts'
import { anySchema, numRuns, object, objectOf, sayable, values, withNulls } from './schema-testing.ts'
import { withoutAbsent } from './without-absent.ts'

describe('a strict schema', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'ranges stay',
      { type: 'integer', minimum: 1, exclusiveMaximum: 400 },
      { type: 'integer', minimum: 1, exclusiveMaximum: 400 },
    ],
    ['lengths are dropped', { type: 'string', minLength: 1, maxLength: 9 }, { type: 'string' }],
    ['an enum gets its type', { enum: ['a', 1] }, { type: ['string', 'integer'], enum: ['a', 1] }],
    ['a const is an enum', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['values of other types go', { type: 'string', enum: ['a', 1] }, { type: 'string', enum: ['a'] }],
    [
      'an exclusion is taken out of the enum',
      { enum: ['a', 'b'], not: { enum: ['b'] } },
      { type: 'string', enum: ['a'] },
    ],
    ['a look-ahead is dropped', { type: 'string', pattern: '^(?!x)' }, { type: 'string' }],
    ['a known format stays', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
    ['another is dropped', { type: 'string', format: 'uri' }, { type: 'string' }],
    [
      'item counts stay, other rules of arrays go',
      { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 5, uniqueItems: true, contains: {} },
      { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 5 },
    ],
    [
      'oneOf is anyOf, with what stands beside it',
      { type: 'string', description: 'd', oneOf: [{ enum: ['a'] }, { pattern: '^b$' }] },
      {
        description: 'd',
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', pattern: '^b$' },
        ],
      },
    ],
    [
      'allOf is merged',
      { type: 'string', allOf: [{ enum: ['a', 'b'] }, { allOf: [{ enum: ['b', 'c'] }] }] },
      { type: 'string', enum: ['b'] },
    ],
    [
      'what is optional is nullable',
      object({ a: { type: 'string' }, b: { enum: ['x'] }, c: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }, [
        'a',
      ]),
      object({
        a: { type: 'string' },
        b: { type: ['string', 'null'], enum: ['x', null] },
        c: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      }),
    ],
    [
      'an enum that is too long to send is left out',
      { type: 'string', enum: Array.from({ length: 251 }, (_, n) => `${n}`.padStart(60, '0')) },
      { type: 'string' },
    ],
  ])('%s', (_, inner, lowered) => {
    expect(lowerOpenAiSchema(object({ value: inner }))).toEqual(object({ value: lowered }))
  })

  it('leaves the longest enums out where all together have too many values', () => {
    const values = (count: number): JsonSchema => ({
      type: 'integer',
      enum: Array.from({ length: count }, (_, n) => n),
    })
    expect(lowerOpenAiSchema(object({ a: values(600), b: values(500), c: values(100) }))).toEqual(
      object({ a: { type: 'integer' }, b: values(500), c: values(100) }),
    )
  })

  const deep = (levels: number): JsonSchema => (levels === 0 ? { type: 'string' } : object({ a: deep(levels - 1) }))
  it.each<[string, JsonSchema]>([
    ['an open object', { type: 'object', additionalProperties: true, properties: { a: {} } }],
    ['a dictionary', { type: 'object', additionalProperties: { type: 'string' } }],
    ['any value', {}],
    ['an array of anything', { type: 'array' }],
    ['too many levels', deep(10)],
    ['a value that is an object', { enum: [{ a: 1 }] }],
  ])('does not exist for %s', (_, inner) => {
    expect(lowerOpenAiSchema(object({ value: inner }))).toBeUndefined()
  })
})

describe('arguments made under a strict schema', () => {
  it('lose the nulls that stand for what is absent, and only those', () => {
    const schema = object(
      {
        path: { type: 'string' },
        line: { type: 'integer' },
        tag: { type: ['string', 'null'] },
        edits: { type: 'array', items: object({ old: { type: 'string' }, all: { type: 'boolean' } }, ['old']) },
        either: {
          anyOf: [
            object({ kind: { const: 'a' }, n: { type: 'integer' } }, ['kind']),
            object({ kind: { const: 'b' }, n: { type: ['integer', 'null'] } }),
          ],
        },
      },
      ['path', 'edits'],
    )
    const edits = [
      { old: 'x', all: null },
      { old: 'y', all: true },
    ]
    const made = { path: 'a', line: null, tag: null, edits }
    const meant = { path: 'a', tag: null, edits: [{ old: 'x' }, { old: 'y', all: true }] }
    expect([
      withoutAbsent({ ...made, either: { kind: 'a', n: null } }, schema),
      withoutAbsent({ ...made, either: { kind: 'b', n: null } }, schema),
      withoutAbsent({ unknown: null, path: null }, schema),
    ]).toEqual([
      { ...meant, either: { kind: 'a' } },
      { ...meant, either: { kind: 'b', n: null } },
      { unknown: null, path: null },
    ])
  })
})

const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(...values, 'abc', 80),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { noNullPrototype: true }),
  ),
}))
const argumentsOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.record({ a: value, b: value }, { requiredKeys: [], noNullPrototype: true })

function compiled(schema: JsonSchema): (value: unknown) => boolean {
  return new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false }).compile(schema)
}

describe('for any schema', () => {
  it('OpenAI takes what it is lowered to, and what it accepts is accepted with nulls for what is absent', () => {
    const samples = fc.array(argumentsOf(anyValue), { minLength: 5, maxLength: 15 })
    fc.assert(
      fc.property(objectOf(anySchema), samples, (schema, tried) => {
        const before = structuredClone(schema)
        const lowered = lowerOpenAiSchema(schema)
        expect(schema).toEqual(before)
        if (!lowered) return
        expect(refusedSchema(lowered as Json, true, 'schema')).toBeUndefined()
        const [accepts, loweredAccepts] = [compiled(schema), compiled(lowered)]
        const accepted = tried.filter((value) => accepts(value))
        expect(accepted.filter((value) => !withNulls(value, lowered).some(loweredAccepts))).toEqual([])
      }),
      { numRuns },
    )
  })

  it('that can be said whole, what the lowered one accepts is accepted without the nulls', () => {
    const samples = fc.array(argumentsOf(anyValue), { minLength: 5, maxLength: 15 })
    fc.assert(
      fc.property(objectOf(sayable), samples, (schema, tried) => {
        const lowered = lowerOpenAiSchema(schema)
        if (!lowered) return
        const [accepts, loweredAccepts] = [compiled(schema), compiled(lowered)]
        const made = tried.flatMap((value) => withNulls(value, lowered)).filter(isJsonObject)
        const accepted = made.filter((value) => loweredAccepts(value))
        expect(accepted.filter((value) => !accepts(withoutAbsent(value, schema)))).toEqual([])
      }),
      { numRuns },
    )
  })
})
