import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject, JsonSchema } from '../core/json.ts'
import { coerceArguments } from './coercion.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { line: { type: 'integer' }, text: { type: 'string' } },
        required: ['line'],
      },
    },
    options: { type: 'object', properties: { deep: { type: 'boolean' } } },
    line: { type: 'integer' },
    ratio: { type: 'number' },
    all: { type: 'boolean' },
    text: { type: 'string' },
    place: { type: 'string', enum: ['src/App.tsx', 'src/b.ts', '__none__'] },
    maybe: { type: ['string', 'null'] },
    files: { type: 'array', items: { type: 'string' } },
    pair: { type: 'array', items: { type: 'string' }, minItems: 2 },
    loose: { type: ['array', 'integer'], items: { type: 'string' } },
  },
  required: ['text'],
}

test('text in place of another type, at any depth', () => {
  const value = {
    edits: '[{"line":"3","text":"[1]"}]',
    options: '{"deep":"true"}',
    line: '12',
    ratio: '1.5',
    all: 'false',
    text: '12',
  }
  expect(coerceArguments(value, schema)).toEqual({
    value: { edits: [{ line: 3, text: '[1]' }], options: { deep: true }, line: 12, ratio: 1.5, all: false, text: '12' },
    repairs: [
      {
        pointer: '/edits',
        from: '[{"line":"3","text":"[1]"}]',
        to: '[{"line":"3","text":"[1]"}]',
        reason: 'text in place of array',
      },
      { pointer: '/edits/0/line', from: '3', to: '3', reason: 'text in place of integer' },
      { pointer: '/options', from: '{"deep":"true"}', to: '{"deep":"true"}', reason: 'text in place of object' },
      { pointer: '/options/deep', from: 'true', to: 'true', reason: 'text in place of boolean' },
      { pointer: '/line', from: '12', to: '12', reason: 'text in place of integer' },
      { pointer: '/ratio', from: '1.5', to: '1.5', reason: 'text in place of number' },
      { pointer: '/all', from: 'false', to: 'false', reason: 'text in place of boolean' },
    ],
  })
})

test('null for what may be absent, unless null is a value of its own or the argument is required', () => {
  expect(coerceArguments({ line: null, maybe: null, text: null, unknown: null }, schema)).toEqual({
    value: { maybe: null, text: null, unknown: null },
    repairs: [{ pointer: '/line', from: 'null', to: '', reason: 'an optional argument that is absent' }],
  })
})

test.each([
  ['a number with blanks', { line: ' 12 ' }, { line: 12 }, 'text in place of integer'],
  ['a boolean in other letters', { all: 'True' }, { all: true }, 'text in place of boolean'],
  ['a number that was encoded twice', { line: '"12"' }, { line: 12 }, 'text in place of integer'],
  ['a list that was encoded twice', { files: '"[\\"a.ts\\"]"' }, { files: ['a.ts'] }, 'text in place of array'],
  ['one in place of a list', { files: 'a.ts' }, { files: ['a.ts'] }, 'one in place of a list'],
  ['an object in place of a list', { edits: { line: 3 } }, { edits: [{ line: 3 }] }, 'one in place of a list'],
  ['the name of null', { line: 'null' }, {}, 'an optional argument that is absent'],
])('%s', (_, value, fitting, reason) => {
  const coerced = coerceArguments(value as unknown as JsonObject, schema)
  expect([coerced.value, coerced.repairs.map((repair) => repair.reason)]).toEqual([fitting, [reason]])
})

test('a list of one item that was written as the text of that item', () => {
  expect(coerceArguments({ edits: '{"line":"3"}' }, schema)).toEqual({
    value: { edits: [{ line: 3 }] },
    repairs: [
      { pointer: '/edits', from: '{"line":"3"}', to: '{"line":"3"}', reason: 'text in place of array' },
      { pointer: '/edits', from: '{"line":"3"}', to: '[{"line":"3"}]', reason: 'one in place of a list' },
      { pointer: '/edits/0/line', from: '3', to: '3', reason: 'text in place of integer' },
    ],
  })
})

test('a member of an enum in another letter case', () => {
  expect(coerceArguments({ place: 'src/app.tsx' }, schema)).toEqual({
    value: { place: 'src/App.tsx' },
    repairs: [{ pointer: '/place', from: 'src/app.tsx', to: 'src/App.tsx', reason: 'letter case' }],
  })
})

test.each([
  { line: '12.5' },
  { line: 'twelve' },
  { line: '' },
  { all: 'yes' },
  { edits: '[1' },
  { edits: '"{}' },
  { line: '0x10' },
  { line: '1,000' },
  { ratio: '1e400' },
  { ratio: '12345678901234567890' },
  { all: '1' },
  { files: 'a.ts, b.ts' },
  { files: 'a.ts b.ts' },
  { files: '["a.ts"' },
  { files: '' },
  { files: 7 },
  { pair: 'a.ts' },
  { loose: 'a.ts' },
  { text: '"a"' },
  { text: ' true ' },
  { line: '99999999999999999999' },
  { place: 'src/c.ts' },
])('%o is left for the check', (value) => {
  expect(coerceArguments(value as unknown as JsonObject, schema)).toEqual({ value, repairs: [] })
})

test('arguments of the right types are never touched, and the input never changes', () => {
  const fitting = fc.record(
    {
      text: fc.string(),
      line: fc.integer(),
      all: fc.boolean(),
      edits: fc.array(fc.record({ line: fc.integer(), text: fc.string() })),
    },
    { requiredKeys: ['text'] },
  )
  fc.assert(
    fc.property(fitting, fc.dictionary(fc.string(), fc.jsonValue()), (value, odd) => {
      expect(coerceArguments(value as JsonObject, schema)).toEqual({ value, repairs: [] })
      const mixed = { ...value, ...(odd as Record<string, Json>) }
      const before = JSON.stringify(mixed)
      coerceArguments(mixed as JsonObject, schema)
      expect(JSON.stringify(mixed)).toBe(before)
    }),
    { numRuns: 100 },
  )
})
