import { expect, it } from 'vitest'
import { leanSchema } from './lean-schema.ts'

it('leaves out what goes without saying, at every depth, and keeps the rest', () => {
  const edit = {
    type: 'object',
    properties: { oldText: { type: 'string', minLength: 1 } },
    additionalProperties: false,
  } as const
  expect(
    leanSchema({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, enum: ['ab', 'cd'] },
        edits: { type: 'array', minItems: 1, items: edit },
        more: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
        path: { type: 'string', pattern: `^[${'x'.repeat(50)}]$` },
        line: { type: 'string', pattern: '^[^\\r\\n]+$' },
        two: { type: 'array', minItems: 2 },
      },
      required: ['name'],
      additionalProperties: false,
    }),
  ).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, enum: ['ab', 'cd'] },
      edits: { type: 'array', items: { type: 'object', properties: { oldText: { type: 'string' } } } },
      more: { type: 'object', additionalProperties: { type: 'string' } },
      path: { type: 'string' },
      line: { type: 'string', pattern: '^[^\\r\\n]+$' },
      two: { type: 'array', minItems: 2 },
    },
    required: ['name'],
  })
})
