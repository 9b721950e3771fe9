import { expect, it } from 'vitest'
import type { JsonSchema } from '../core/json.ts'
import { argumentsSchema, choiceSchema } from './gguf-schema.ts'
import { editFile } from './testing.ts'

const lowered = (properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}) =>
  argumentsSchema({
    ...editFile,
    inputSchema: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
      ...more,
    },
  })
const object = (properties: object) => ({ type: 'object', properties })

it('keeps what a grammar holds, and says in other words what it would pass over', () => {
  expect(
    lowered({
      path: { type: 'string', enum: ['a.ts', '__none__'], description: 'The file.' },
      fixed: { const: 3 },
      line: { type: 'integer', minimum: 1, maximum: 3 },
      far: { type: 'integer', minimum: 1, maximum: 9000 },
      short: { type: 'string', maxLength: 20 },
      long: { type: 'string', minLength: 1, maxLength: 5000, pattern: '^a' },
      day: { type: 'string', format: 'date' },
      mail: { type: 'string', format: 'email' },
      list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4 },
      longList: { type: 'array', items: { type: 'boolean' }, maxItems: 4000 },
      maybe: { type: ['string', 'null'] },
      one: { anyOf: [{ type: 'integer' }, { const: 'all' }] },
      rest: { enum: ['x', 'y', 'z'], not: { enum: ['y'] } },
    }),
  ).toEqual(
    object({
      path: { enum: ['a.ts', '__none__'] },
      fixed: { enum: [3] },
      line: { enum: [1, 2, 3] },
      far: { type: 'integer' },
      short: { type: 'string', maxLength: 20 },
      long: { type: 'string', minLength: 1 },
      day: { type: 'string', format: 'date' },
      mail: { type: 'string' },
      list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4 },
      longList: { type: 'array', items: { type: 'boolean' } },
      maybe: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      one: { oneOf: [{ type: 'integer' }, { enum: ['all'] }] },
      rest: { enum: ['x', 'z'] },
    }),
  )
})

it('an optional argument is one that may be null, and an open object stays open', () => {
  expect(lowered({ a: { type: 'string' }, b: { enum: [1] } }, { required: ['a'] })).toEqual(
    object({ a: { type: 'string' }, b: { oneOf: [{ enum: [1] }, { type: 'null' }] } }),
  )
  expect(lowered({}, { additionalProperties: { type: 'string' } })).toEqual({
    ...object({}),
    additionalProperties: { type: 'string' },
  })
  expect(lowered({ a: {} })).toEqual(
    object({
      a: {
        oneOf: [
          { type: 'string' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'null' },
          { type: 'object', properties: {}, additionalProperties: true },
          { type: 'array' },
        ],
      },
    }),
  )
})

it('merges what stands in allOf, and leaves the root without branches', () => {
  const branches = { allOf: [{ properties: { a: { enum: ['x', 'y'] } } }], anyOf: [{ required: ['a'] }] }
  expect(lowered({ a: { type: 'string' } }, branches)).toEqual(object({ a: { enum: ['x', 'y'] } }))
})

it('several tools are a choice of a call of each, or of a text', () => {
  const path = object({ path: { type: 'string' } })
  expect(choiceSchema([editFile, { ...editFile, name: 'readFile' }])).toEqual({
    oneOf: [
      object({ tool: { enum: ['editFile'] }, arguments: path }),
      object({ tool: { enum: ['readFile'] }, arguments: path }),
      object({ text: { type: 'string' } }),
    ],
  })
})
