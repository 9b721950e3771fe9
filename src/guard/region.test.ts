import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENUM_LIMITS, NONE_OF_THESE } from '../core/constraint.ts'
import type { EditFailure, Region } from '../core/failure.ts'
import type { Json, JsonObject, JsonSchema } from '../core/json.ts'
import { regionLabel } from '../core/region.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { applyConstraints } from './apply-constraints.ts'
import { constrain } from './engine.ts'
import { regionChoice } from './region.ts'

const CASES = Number(process.env.TEST_CASES ?? 300)
const text: JsonSchema = { type: 'string' }
const editFile: ToolDefinition = {
  name: 'editFile',
  description: '',
  effect: 'write',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { oldText: { type: 'string', minLength: 1 }, newText: text },
          required: ['oldText', 'newText'],
          additionalProperties: false,
        },
      },
    },
    required: ['path', 'edits'],
    additionalProperties: false,
  },
  argumentKinds: { '/path': 'existing-path' },
}

const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false })
const accepts = (schema: JsonSchema, value: Json): boolean => ajv.validate({ ...schema }, value)

const callOf = (name: string, value: JsonObject, id = 'c'): ToolCall => ({
  id,
  name,
  complete: true,
  input: { parsed: true, value },
})
const edit = (oldText: string, newText: string) => ({ oldText, newText })
const regions: readonly Region[] = [
  { startLine: 12, endLine: 13, text: 'one\ntwo' },
  { startLine: 4, endLine: 4, text: 'three' },
]
const noMatch = (nearest: readonly Region[] = regions, index = 0) => ({
  kind: 'edit.no-match' as const,
  callId: 'c',
  tool: 'editFile',
  path: 'a.ts',
  edit: index,
  tried: [],
  nearest,
})
const failedCall = callOf('editFile', { path: './a.ts', edits: [edit('1\n2', 'x'), edit('other', 'y')] })
const answerOf = (region: string, newText: Json) => callOf('replaceRegion', { region, newText }, 'answer')
const translated = (answer: ToolCall, failure: EditFailure = noMatch()) =>
  regionChoice(failure, failedCall, '')?.toCall(answer)
const withFirst = (oldText: string, newText: string) =>
  callOf('editFile', { path: './a.ts', edits: [edit(oldText, newText), edit('other', 'y')] })

it('offers the regions by their labels, best first, and the way out', () => {
  expect(regionChoice(noMatch(), failedCall, 'Replaces a region.')?.tool).toEqual({
    name: 'replaceRegion',
    description: 'Replaces a region.',
    effect: 'write',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', enum: ['lines 12-13', 'line 4', NONE_OF_THESE] }, newText: text },
      required: ['region', 'newText'],
      additionalProperties: false,
    },
    argumentKinds: {},
    strict: true,
  })
})

describe('an answer', () => {
  it('becomes the failed call with the edit that failed written anew', () => {
    expect(translated(answerOf('lines 12-13', 'ONE\nTWO'))).toEqual(withFirst('one\ntwo', 'ONE\nTWO'))
    const second = callOf('editFile', { path: './a.ts', edits: [edit('1\n2', 'x'), edit('three', 'THREE')] })
    expect(translated(answerOf('Line 4', 'THREE'), noMatch(regions, 1))).toEqual(second)
    const ambiguous: EditFailure = { ...noMatch(), kind: 'edit.ambiguous', lines: [4, 12], regions }
    expect(translated(answerOf('line 4', 'THREE'), ambiguous)).toEqual(withFirst('three', 'THREE'))
  })

  it('leaves the line end of the last line where it is, and takes lines away whole', () => {
    expect(translated(answerOf('line 4', 'a\nb\n'))).toEqual(withFirst('three', 'a\nb'))
    expect(translated(answerOf('line 4', 'a\r\n'))).toEqual(withFirst('three', 'a'))
    expect(translated(answerOf('line 4', 'a\n\n'))).toEqual(withFirst('three', 'a\n'))
    expect(translated(answerOf('line 4', ''))).toEqual(withFirst('three\n', ''))
    const open = [{ startLine: 4, endLine: 5, text: 'three\n' }]
    expect(translated(answerOf('lines 4-5', 'a\n'), noMatch(open))).toEqual(withFirst('three\n', 'a\n'))
    expect(translated(answerOf('lines 4-5', 'a\n\n'), noMatch(open))).toEqual(withFirst('three\n', 'a\n'))
  })

  it.each([
    ['none of them', answerOf(NONE_OF_THESE, 'x')],
    ['a region that was not offered', answerOf('lines 1-2', 'x')],
    ['no text', answerOf('line 4', 7)],
    ['more than was asked', callOf('replaceRegion', { region: 'line 4', newText: 'x', path: 'b.ts' })],
    ['a call of another tool', callOf('editFile', { region: 'line 4', newText: 'x' })],
    ['a call that was cut', { ...answerOf('line 4', 'x'), complete: false }],
    ['no JSON', { ...answerOf('line 4', 'x'), input: { parsed: false, raw: '{', error: 'end' } } as ToolCall],
  ])('%s stands for no call', (_, answer) => {
    expect(translated(answer)).toBe(undefined)
  })
})

describe('no choice', () => {
  const stale: EditFailure = { kind: 'edit.stale', callId: 'c', tool: 'editFile', path: 'a.ts', content: 'one' }
  const again = callOf('editFile', { path: 'a.ts', edits: [edit('one', 'x'), edit('one', 'y')] })
  const raw: ToolCall = { ...failedCall, input: { parsed: false, raw: '{', error: 'end' } }
  it.each<[string, EditFailure, ToolCall]>([
    ['without regions', noMatch([]), failedCall],
    ['where a region has no text', noMatch([{ startLine: 3, endLine: 3, text: '' }]), failedCall],
    ['where all there is was refused', noMatch([{ startLine: 3, endLine: 4, text: '1\n2' }]), failedCall],
    ['for an edit that is not in the call', noMatch(regions, 2), failedCall],
    ['where another edit looks for the same text', noMatch(), again],
    ['for a call that is not JSON', noMatch(), raw],
    ['for edits that are no list', noMatch(), callOf('editFile', { path: 'a.ts', edits: '[]' })],
    ['for another failure', stale, failedCall],
  ])('%s', (_, failure, call) => {
    expect(regionChoice(failure, call, '')).toBe(undefined)
  })
})

describe('laws', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '{'), maxLength: 4 })
  const block = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
  const region = fc
    .record({ startLine: fc.integer({ min: 1, max: 90 }), text: block })
    .map((one) => ({ ...one, endLine: one.startLine + one.text.split('\n').length - 1 }))
  const edits = fc.array(
    fc.record({ oldText: block.filter((one) => one !== ''), newText: block }, { noNullPrototype: true }),
    { minLength: 1, maxLength: 3 },
  )
  const failing = fc
    .record({ regions: fc.array(region, { maxLength: 40 }), edits, at: fc.nat(2), ambiguous: fc.boolean() })
    .map(({ regions, edits, at, ambiguous }) => {
      const index = at % edits.length
      const failure: EditFailure = ambiguous
        ? { ...noMatch([], index), kind: 'edit.ambiguous', lines: [], regions }
        : noMatch(regions, index)
      return { failure, call: callOf('editFile', { path: 'a.ts', edits }), index, regions }
    })

  it('what the tool accepts becomes a call that the editing tool accepts, also once the failed text is refused', () => {
    fc.assert(
      fc.property(failing, block, fc.nat(), ({ failure, call, index, regions }, newText, pick) => {
        const choice = regionChoice(failure, call, '')
        fc.pre(choice !== undefined)
        const labels = regions.map(regionLabel).filter((label) => allows(choice?.tool, label))
        const answer = answerOf(labels[pick % labels.length] ?? '', newText)
        const made = choice?.toCall(answer)
        const set = constrain({ failures: [{ failure, calls: [call], changesBefore: 0 }], changes: [] }, [editFile])
        const [constrained] = applyConstraints([editFile], set, { recovery: true })
        const value = made?.input.parsed === true ? made.input.value : {}
        const others = (one: ToolCall) => JSON.stringify(editsWithout(one, index))
        expect({
          base: accepts(editFile.inputSchema, value),
          constrained: accepts(constrained?.inputSchema ?? {}, value),
          id: made?.id,
          path: value.path,
          others: made && others(made),
        }).toEqual({ base: true, constrained: true, id: 'c', path: 'a.ts', others: others(call) })
      }),
      { numRuns: CASES },
    )
  })

  it('the choice is bounded, its labels are distinct, and what goes in stays as it is', () => {
    fc.assert(
      fc.property(failing, ({ failure, call }) => {
        const before = JSON.stringify({ failure, call })
        const members = regionChoice(failure, call, '')?.tool.inputSchema.properties?.region?.enum ?? []
        expect(members.length).toBeLessThanOrEqual(ENUM_LIMITS.usual + 1)
        expect(new Set(members).size).toBe(members.length)
        expect(JSON.stringify({ failure, call })).toBe(before)
      }),
      { numRuns: CASES },
    )
  })
})

function allows(tool: ToolDefinition | undefined, label: string): boolean {
  return tool !== undefined && accepts(tool.inputSchema, { region: label, newText: '' })
}

function editsWithout({ input }: ToolCall, index: number): readonly Json[] {
  const edits = input.parsed ? input.value.edits : undefined
  return Array.isArray(edits) ? edits.filter((_, at) => at !== index) : []
}
