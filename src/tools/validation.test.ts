import { expect, test } from 'vitest'
import type { JsonSchema } from '../core/json.ts'
import { createValidate } from './validation.ts'

const foreign = (schema: object): JsonSchema => schema as JsonSchema

test('keywords of newer drafts, of vendors and unknown formats are no hindrance', () => {
  const schema = foreign({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'same',
    'x-hint': 'a',
    type: 'object',
    properties: { link: { type: 'string', format: 'uri' }, other: { type: 'string', format: 'made-up' } },
  })
  const validate = createValidate()
  expect(validate(schema, { link: 'x', other: 'y' })).toEqual([])
  expect(validate(foreign({ ...schema, title: 'the same $id again' }), { link: 'x' })).toEqual([])
})

test('all errors, with the facts of each keyword', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { path: { enum: ['a', 'b'] }, line: { type: 'integer' } },
    required: ['path', 'text'],
    additionalProperties: false,
  }
  expect(createValidate()(schema, { path: 'c', line: 'x', more: 1 })).toEqual([
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
])('a schema that does not compile lets nothing through: %o', (schema) => {
  const validate = createValidate()
  const expected = [
    { pointer: '', keyword: 'schema', message: expect.stringContaining("the tool's schema is faulty"), params: {} },
  ]
  expect(validate(foreign(schema), {})).toEqual(expected)
  expect(validate(foreign(schema), {})).toEqual(expected)
})

test('more schemas than are kept compiled still check rightly', () => {
  const validate = createValidate()
  for (const round of [1, 2]) {
    for (let most = 0; most < 100; most += 1) {
      const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer', maximum: most } } }
      expect([round, validate(schema, { n: most }).length, validate(schema, { n: most + 1 }).length]).toEqual([
        round,
        0,
        1,
      ])
    }
  }
})
