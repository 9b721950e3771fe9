import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lowerGeminiSchema, withGeminiValues } from './chat-schema.ts'
import { anySchema, numRuns, object, objectOf } from './schema-testing.ts'

it('a schema for Gemini has nothing that is refused there, whatever it is made from', () => {
  const refused = ['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'const', 'allOf', 'oneOf', 'not']
  fc.assert(
    fc.property(objectOf(anySchema), (schema) => {
      const text = JSON.stringify(lowerGeminiSchema(schema))
      expect(refused.filter((keyword) => text.includes(`"${keyword}":`))).toEqual([])
      expect(text).not.toMatch(/"enum":\[[^\]"]*[^\]",[]/)
    }),
    { numRuns },
  )
})

it('a schema for Gemini says what it can, and the values come back as they were', () => {
  const schema = object(
    {
      size: { type: 'integer', enum: [1, 2] },
      kind: { const: 'a' },
      line: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      tag: { type: ['string', 'null'], minLength: 1 },
      many: { type: 'string', enum: Array.from({ length: 101 }, (_, n) => `v${n}`) },
      edits: { type: 'array', items: object({ old: { type: 'string', format: 'uri' } }), uniqueItems: true },
    },
    ['size'],
  )
  expect(lowerGeminiSchema(schema)).toEqual({
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'string', enum: ['1', '2'] },
      kind: { type: 'string', enum: ['a'] },
      line: { type: 'integer', minimum: 1, maximum: 9 },
      tag: { type: 'string', minLength: 1, nullable: true },
      many: { type: 'string' },
      edits: { type: 'array', items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] } },
    },
  })
  expect(withGeminiValues({ size: '2', kind: 'a', tag: '2' }, schema)).toEqual({ size: 2, kind: 'a', tag: '2' })
})
