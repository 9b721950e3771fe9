import { expect, it } from 'vitest'
import type { Failure } from '../core/failure.ts'
import type { JsonObject } from '../core/json.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { applyConstraints } from './apply-constraints.ts'
import { withAttemptNumbers } from './attempt-numbers.ts'
import { constrain } from './engine.ts'
import type { History } from './guard.ts'
import { withKnownPaths } from './known-paths.ts'

const editFile: ToolDefinition = {
  name: 'editFile',
  description: '',
  effect: 'write',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
          required: ['oldText', 'newText'],
        },
      },
    },
    required: ['path', 'edits'],
    additionalProperties: false,
  },
  argumentKinds: { '/path': 'existing-path' },
}
const readFile: ToolDefinition = {
  ...editFile,
  name: 'readFile',
  effect: 'read',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const submitPlan: ToolDefinition = {
  name: 'submitPlan',
  description: '',
  effect: 'control',
  inputSchema: {
    type: 'object',
    properties: { files: { type: 'array', items: { type: 'string' } } },
    required: ['files'],
  },
  argumentKinds: { '/files/*': 'existing-path' },
}
const tools = [editFile, readFile, submitPlan]

const call = (name: string, value: JsonObject): ToolCall => ({
  id: 'c',
  name,
  complete: true,
  input: { parsed: true, value },
})
const missing = (tool: string, pointer: string, value: string, candidates: readonly string[]): Failure => ({
  kind: 'target.not-found',
  callId: 'c',
  tool,
  target: 'path',
  pointer,
  value,
  candidates,
  exhaustive: false,
  lead: 0,
})
const after = (failure: Failure, ...calls: readonly ToolCall[]): History => ({
  failures: [{ failure, calls, changesBefore: 0 }],
  changes: [],
})

const resume: ToolDefinition = {
  name: 'resumeAttempt',
  description: '',
  effect: 'control',
  inputSchema: { type: 'object', properties: { attempt: { type: 'integer', minimum: 1 } }, required: ['attempt'] },
  argumentKinds: { '/attempt': 'attempt' },
}

it('excludes an attempt as a number, until there is one of that number', () => {
  const failure: Failure = { ...missing('resumeAttempt', '/attempt', '3', ['2', '1']), target: 'attempt' } as Failure
  const history = after(failure, call('resumeAttempt', { attempt: 3 }))
  const attempt = (numbers: readonly number[], recovery: boolean) => {
    const base = withAttemptNumbers([resume], numbers)
    return applyConstraints(base, constrain(history, base), { recovery })[0]?.inputSchema.properties?.attempt
  }
  const bounds = { type: 'integer', minimum: 1 }
  expect([attempt([1, 2], false), attempt([1, 2], true), attempt([1, 2, 3], false)]).toEqual([
    { ...bounds, enum: [1, 2], not: { enum: [3] } },
    { ...bounds, enum: [2, 1].sort(), not: { enum: [3] } },
    { ...bounds, enum: [1, 2, 3] },
  ])
})

const readSymbol: ToolDefinition = {
  ...readFile,
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, symbol: { type: 'string' } },
    required: ['path'],
  },
  argumentKinds: { '/path': 'existing-path', '/symbol': 'symbol' },
}
const noSymbol = { ...missing('readFile', '/symbol', 'adds', ['add']), target: 'symbol' } as Failure

it('refuses a symbol together with its file only, however the path is written, and lets go once the file changes', () => {
  const history = after(noSymbol, call('readFile', { path: './src//a.ts', symbol: 'adds' }))
  const set = constrain(history, [readSymbol])
  expect(set.constraints).toEqual([
    {
      kind: 'refuse',
      tool: 'readFile',
      schema: {
        type: 'object',
        properties: { path: { enum: ['./src//a.ts', 'src/a.ts'] }, symbol: { const: 'adds' } },
        required: ['path', 'symbol'],
      },
      lasts: 'step',
    },
    { kind: 'enum', scope: { by: 'place', tool: 'readFile', pointer: '/symbol' }, values: ['add'], lasts: 'call' },
    { kind: 'strict', tool: 'readFile', lasts: 'call' },
  ])
  expect(constrain({ ...history, changes: ['src/a.ts'] }, [readSymbol]).constraints).toEqual([])
  expect(constrain({ ...history, changes: ['src/b.ts'] }, [readSymbol]).constraints).toEqual(set.constraints)
})

it.each([
  ['directory', 'src/new', 'src/new/a.ts', 'src/newer/a.ts'],
  ['script', 'npm run lint', 'package.json', 'src/a.ts'],
  ['script', 'npm run lint', 'packages/a/package.json', 'my-package.json'],
  ['test', 'vitest run a.test.ts', 'a.test.ts', undefined],
  ['path', 'src/b.ts', 'src/b.ts', 'src/b.tsx'],
] as const)('lets go of a %s (%s) once %s has changed', (target, value, changed, other) => {
  const history = after(
    { ...missing('readFile', '/path', value, []), target } as Failure,
    call('readFile', { path: value }),
  )
  const kinds = (changes: readonly string[]) =>
    constrain({ ...history, changes }, tools).constraints.map(({ kind }) => kind)
  expect([kinds([]), kinds([changed]), kinds(other === undefined ? [] : [other])]).toEqual([
    ['exclude'],
    [],
    ['exclude'],
  ])
})

it('starts with an enum of the files where they are few, in the tools that take one file', () => {
  const search: ToolDefinition = { ...readFile, name: 'searchCode' }
  const files = ['src/a.ts', 'src/b.ts']
  const base = [editFile, search, submitPlan, resume]
  const [edit, ...others] = withKnownPaths(base, files)
  expect(edit?.inputSchema.properties?.path).toEqual({ type: 'string', enum: files })
  expect(others.every((tool, index) => tool === base[index + 1])).toBe(true)
  const many = Array.from({ length: 21 }, (_, index) => `${index}`)
  for (const unfit of [[], many, ['x'.repeat(400)], ['src/a.ts', 'SRC/a.ts'], ['a\nb'], ['']])
    expect(withKnownPaths(base, unfit)).toBe(base)
  expect(withKnownPaths([editFile], many.slice(1))[0]?.inputSchema.properties?.path?.enum).toEqual(many.slice(1))
})
