import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NONE_OF_THESE } from '../core/constraint.ts'
import { TOOL_NAMES, type ToolDefinition } from '../core/tool.ts'
import { callOf, openTestRunner } from './testing.ts'

const FILES = {
  'src/a.ts': 'x\n',
  'src/App.tsx': 'x\n',
  'src/cart/totals.ts': 'x\n',
  'src/pricing/totals.ts': 'x\n',
  'docs/security.md': 'x\n',
  'app/(shop)/[id]/page.tsx': 'x\n',
}
const EDITS = [{ oldText: 'x', newText: 'y' }]

test('all tools, described, small, and with schemas that are closed plain objects', async () => {
  const { runner } = await openTestRunner({})
  expect(runner.definitions.map((tool) => tool.name)).toEqual(TOOL_NAMES)
  const sent = runner.definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  expect(sent.filter((tool) => tool.description.trim() === '')).toEqual([])
  expect(sent.filter(({ inputSchema: root }) => root.type !== 'object' || root.additionalProperties !== false)).toEqual(
    [],
  )
  expect(JSON.stringify(sent).length / 4).toBeLessThan(1150)
})

test('text in place of other types is repaired without a failure', async () => {
  const { check, text } = await openTestRunner(FILES)
  expect(await check('readFile', { path: 'src/a.ts', startLine: '1', endLine: null })).toMatchObject({
    checked: {
      arguments: { path: 'src/a.ts', startLine: 1 },
      repairs: [{ pointer: '/startLine' }, { pointer: '/endLine' }],
    },
  })
  expect(await text('editFile', { path: 'src/a.ts', edits: JSON.stringify(EDITS) })).toBe(
    'Edited src/a.ts: +1 -1\n1\ty',
  )
})

test('an unknown tool is answered with the known ones, nearest first; one that is not offered now is told apart', async () => {
  const { runner } = await openTestRunner({})
  const some = runner.definitions.filter((tool) => ['readFile', 'editFile', 'submitPlan'].includes(tool.name))
  expect(await runner.check(callOf('str_replace_editor', {}), some)).toEqual({
    ok: false,
    failure: {
      kind: 'call.unknown-tool',
      callId: 'c1',
      tool: 'str_replace_editor',
      known: ['editFile', 'readFile', 'submitPlan'],
      notNow: false,
    },
  })
  expect(await runner.check(callOf('deleteFile', { path: 'a' }), some)).toMatchObject({
    failure: { kind: 'call.unknown-tool', tool: 'deleteFile', notNow: true },
  })
})

test('a call that was cut is not executed, malformed arguments are mended only where they have one meaning', async () => {
  const { runner } = await openTestRunner(FILES)
  const raw = (text: string, complete = true) =>
    runner.check(
      { id: 'c1', name: 'searchCode', input: { parsed: false, raw: text, error: 'bad' }, complete },
      runner.definitions,
    )
  expect(await raw('{"pattern":"a', false)).toEqual({
    ok: false,
    failure: { kind: 'call.truncated', callId: 'c1', tool: 'searchCode' },
  })
  expect(await raw('{"pattern":"a')).toEqual({
    ok: false,
    failure: {
      kind: 'call.invalid-arguments',
      callId: 'c1',
      tool: 'searchCode',
      errors: [],
      malformed: '{"pattern":"a',
    },
  })
  expect(await raw(String.raw`{"pattern":"\d+"}`)).toMatchObject({
    ok: true,
    value: {
      arguments: { pattern: '\\d+' },
      repairs: [
        {
          pointer: '',
          from: String.raw`{"pattern":"\d+"}`,
          to: String.raw`{"pattern":"\\d+"}`,
          reason: 'malformed JSON',
        },
      ],
    },
  })
})

test('the definitions in force decide, also where the base schema would accept', async () => {
  const { runner, check } = await openTestRunner(FILES)
  const narrowed: readonly ToolDefinition[] = runner.definitions.map((tool) =>
    tool.name === 'editFile'
      ? {
          ...tool,
          inputSchema: {
            ...tool.inputSchema,
            properties: {
              ...tool.inputSchema.properties,
              path: { type: 'string', enum: ['src/a.ts', 'src/App.tsx', NONE_OF_THESE] },
            },
          },
        }
      : tool,
  )
  expect(await check('editFile', { path: './src/app.tsx', edits: EDITS }, narrowed)).toMatchObject({
    checked: { arguments: { path: 'src/App.tsx' } },
  })
  expect(await check('editFile', { path: 'docs/security.md', edits: EDITS }, narrowed)).toMatchObject({
    failure: { kind: 'call.invalid-arguments', errors: [{ pointer: '/path', keyword: 'enum' }] },
  })
  const faulty = narrowed.map((tool) => ({
    ...tool,
    inputSchema: { type: 'object', properties: { path: { enum: [] } } } as const,
  }))
  expect(await check('readFile', { path: 'src/a.ts' }, faulty)).toMatchObject({
    failure: { kind: 'call.invalid-arguments', errors: [{ keyword: 'schema' }] },
  })
})

test('unknown and missing arguments are refused', async () => {
  const { run } = await openTestRunner(FILES)
  expect(await run('editFile', { path: 'src/a.ts', oldText: 'x', newText: 'y' })).toMatchObject({
    kind: 'call.invalid-arguments',
    errors: [
      { pointer: '', keyword: 'required', params: { missingProperty: 'edits' } },
      { pointer: '', keyword: 'additionalProperties', params: { additionalProperty: 'oldText' } },
      { pointer: '', keyword: 'additionalProperties', params: { additionalProperty: 'newText' } },
    ],
  })
})

test('submitPlan: existing and new files are looked at', async () => {
  const { run } = await openTestRunner(FILES)
  const plan = (files: string[], newFiles?: string[]) =>
    run('submitPlan', {
      summary: 's',
      steps: [
        { goal: 'g', files: ['src/a.ts'] },
        { goal: 'h', files, ...(newFiles && { newFiles }) },
      ],
    })
  expect(await plan(['./docs/security.md'], ['src/new.ts'])).toEqual({
    text: '',
    edits: [],
    changed: [],
    control: {
      kind: 'plan',
      summary: 's',
      steps: [
        { goal: 'g', files: ['src/a.ts'], newFiles: [] },
        { goal: 'h', files: ['docs/security.md'], newFiles: ['src/new.ts'] },
      ],
    },
  })
  expect(await plan(['src/a.ts', 'src/cart/total.ts'])).toMatchObject({
    kind: 'target.not-found',
    pointer: '/steps/1/files/1',
    value: 'src/cart/total.ts',
  })
  expect(await plan([], ['src/App.tsx'])).toMatchObject({ kind: 'edit.out-of-scope', path: 'src/App.tsx' })
  expect(await run('submitPlan', { summary: 's', steps: [] })).toMatchObject({ kind: 'call.invalid-arguments' })
})

test('resumeAttempt and finishStep speak to the loop', async () => {
  const { run } = await openTestRunner(FILES, {
    resumeAttempt: async (attempt) => (attempt === 1 ? ['src/a.ts'] : undefined),
  })
  expect(await run('resumeAttempt', { attempt: 1 })).toEqual({
    text: '',
    edits: [],
    changed: ['src/a.ts'],
    control: { kind: 'resume', attempt: 1 },
  })
  expect(await run('resumeAttempt', { attempt: 2 })).toMatchObject({
    kind: 'target.not-found',
    target: 'attempt',
    value: '2',
  })
  expect(await run('finishStep', { summary: 'done' })).toEqual({
    text: '',
    edits: [],
    changed: [],
    control: { kind: 'finish', summary: 'done' },
  })
})

test('no arguments whatever make the check throw or change a file', async () => {
  const { runner, index, root } = await openTestRunner(FILES)
  const odd = fc.oneof(
    fc.constantFrom('src/a.ts', '../x', '/', '.git', '\0', 'a'.repeat(5000), '}', '', '__proto__', root, 'src/*.ts'),
    fc.jsonValue(),
    fc.array(fc.record({ oldText: fc.string(), newText: fc.string() })),
    fc.array(fc.record({ goal: fc.string(), files: fc.array(fc.string()), newFiles: fc.array(fc.string()) })),
  )
  const names = [
    'path',
    'edits',
    'from',
    'to',
    'content',
    'command',
    'pattern',
    'steps',
    'summary',
    'attempt',
    'startLine',
    '__proto__',
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TOOL_NAMES, 'toString'),
      fc.dictionary(fc.constantFrom(...names), odd),
      async (name, value) => {
        const outcome = await runner.check(callOf(name, JSON.parse(JSON.stringify(value))), runner.definitions)
        expect(typeof outcome.ok).toBe('boolean')
      },
    ),
    { numRuns: 200 },
  )
  expect(await index.files()).toEqual(Object.keys(FILES).sort())
})
