import { expect, test } from 'vitest'
import type { JsonSchema } from '../core/json.ts'
import { createValidate } from './validation.ts'

const foreign = (schema: object): JsonSchema => schema as JsonSchema

test('keywords of newer drafts, of vendors and unknown formats are no hindrance', async () => {
  const schema = foreign({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'same',
    'x-hint': 'a',
    type: 'object',
    properties: { link: { type: 'string' }, other: { type: 'string', format: 'made-up' } },
  })
  const validate = createValidate()
  expect(await validate(schema, { link: 'x', other: 'y' })).toEqual([])
  expect(await validate(foreign({ ...schema, title: 'the same $id again' }), { link: 'x' })).toEqual([])
})

test('all errors, with the facts of each keyword', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { path: { enum: ['a', 'b'] }, line: { type: 'integer' } },
    required: ['path', 'text'],
    additionalProperties: false,
  }
  expect(await createValidate()(schema, { path: 'c', line: 'x', more: 1 })).toEqual([
    {
      pointer: '',
      keyword: 'required',
      message: "must have required property 'text'",
      params: { missingProperty: 'text' },
    },
    {
      pointer: '',
      keyword: 'additionalProperties',
      message: 'must NOT have additional properties',
      params: { additionalProperty: 'more' },
    },
    {
      pointer: '/path',
      keyword: 'enum',
      message: 'must be equal to one of the allowed values',
      params: { allowedValues: ['a', 'b'] },
    },
    { pointer: '/line', keyword: 'type', message: 'must be integer', params: { type: 'integer' } },
  ])
})

test.each([
  [{ type: 'object', properties: { a: { enum: [] } } }],
  [{ type: 'object', properties: { a: { pattern: '(' } } }],
  [{ type: 'thing' }],
])('a schema that does not compile lets nothing through: %o', async (schema) => {
  const validate = createValidate()
  const expected = [
    { pointer: '', keyword: 'schema', message: expect.stringContaining("the tool's schema is faulty"), params: {} },
  ]
  expect(await validate(foreign(schema), {})).toEqual(expected)
  expect(await validate(foreign(schema), {})).toEqual(expected)
})

test.each([
  ['date', '2024-02-29', '2023-02-29'],
  ['date-time', '2024-02-29T10:00:00Z', 'today'],
  ['email', 'a@b.org', 'a at b'],
  ['uri', 'https://a.org/b', 'a b'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123'],
  ['ipv4', '127.0.0.1', '127.0.0.256'],
  ['regex', '^a+$', '(a'],
])('the format %s is checked', async (format, right, wrong) => {
  const validate = createValidate()
  const schema: JsonSchema = { type: 'object', properties: { place: { type: 'string', format } } }
  expect([await validate(schema, { place: right }), await validate(schema, { place: wrong })]).toEqual([
    [],
    [{ pointer: '/place', keyword: 'format', message: `must match format "${format}"`, params: { format } }],
  ])
})

test('what is ruled out is said so', async () => {
  const schema: JsonSchema = { type: 'object', properties: { a: { not: { enum: ['x'] } } } }
  expect(await createValidate()(schema, { a: 'x' })).toEqual([
    { pointer: '/a', keyword: 'not', message: 'has a value that is ruled out', params: {} },
  ])
})

test('more schemas than are kept compiled still check rightly', async () => {
  const validate = createValidate()
  for (const round of [1, 2]) {
    for (let most = 0; most < 100; most += 1) {
      const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer', maximum: most } } }
      const [within, beyond] = [await validate(schema, { n: most }), await validate(schema, { n: most + 1 })]
      expect([round, within.length, beyond.length]).toEqual([round, 0, 1])
    }
  }
})
