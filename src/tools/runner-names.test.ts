import { expect, test } from 'vitest'
import { withAttemptNumbers } from '../guard/attempt-numbers.ts'
import { callOf, openTestRunner } from './testing.ts'

const FILES = { 'src/a.ts': 'x\n' }
const EDITS = [{ oldText: 'x', newText: 'y' }]

test('a tool by another spelling of its name is that tool, and the model is told', async () => {
  const { runner } = await openTestRunner(FILES)
  const repair = { pointer: '', from: 'functions.read_file', to: 'readFile', reason: 'the only tool that it can mean' }
  const checked = await runner.check(callOf('functions.read_file', { path: 'src/a.ts' }), runner.definitions)
  expect(checked).toEqual({
    ok: true,
    value: { call: callOf('readFile', { path: 'src/a.ts' }), arguments: { path: 'src/a.ts' }, repairs: [repair] },
  })
  const result = checked.ok && (await runner.execute(checked.value, new AbortController().signal))
  expect(result).toMatchObject({ value: { text: '(functions.read_file does not exist: taken for readFile)\n1\tx' } })
  expect(await runner.check(callOf('EDIT_FILE', { path: 'src/b.ts', edits: EDITS }), runner.definitions)).toMatchObject(
    {
      failure: { kind: 'target.not-found', tool: 'editFile' },
    },
  )
  const reading = runner.definitions.filter((tool) => tool.effect === 'read')
  expect(await runner.check(callOf('edit_file', {}), reading)).toMatchObject({
    failure: { kind: 'call.unknown-tool', tool: 'edit_file', notNow: true },
  })
})

test('a call that is refused as it is written stays refused, though it would be repaired to another', async () => {
  const { check, runner } = await openTestRunner(FILES)
  const value = { path: './src/a.ts', edits: EDITS }
  const constrained = runner.definitions.map((tool) =>
    tool.name === 'editFile'
      ? { ...tool, inputSchema: { ...tool.inputSchema, not: { anyOf: [{ const: value }] } } }
      : tool,
  )
  const errors = [{ pointer: '', keyword: 'not', message: 'has a value that is ruled out', params: {} }]
  expect(await check('editFile', value, constrained)).toEqual({
    failure: { kind: 'call.invalid-arguments', callId: 'c1', tool: 'editFile', errors },
  })
  expect(await check('editFile', { ...value, path: 'src/a.ts' }, constrained)).toHaveProperty('checked')
})

test('the number of an attempt that is not there: the numbers there are, nearest first', async () => {
  const { check, runner } = await openTestRunner(FILES)
  const offered = withAttemptNumbers(runner.definitions, [1, 2, 4])
  expect(await check('resumeAttempt', { attempt: 7 }, offered)).toEqual({
    failure: {
      callId: 'c1',
      tool: 'resumeAttempt',
      kind: 'target.not-found',
      target: 'attempt',
      pointer: '/attempt',
      value: '7',
      candidates: ['4', '2', '1'],
      exhaustive: true,
      lead: 0,
    },
  })
  expect(await check('resumeAttempt', { attempt: '0' }, offered)).toMatchObject({
    failure: { kind: 'target.not-found', value: '0', candidates: ['1', '2', '4'] },
  })
  expect(await check('resumeAttempt', { attempt: '4' }, offered)).toMatchObject({
    checked: { arguments: { attempt: 4 } },
  })
  expect(await check('resumeAttempt', { attempt: 1.5 }, offered)).toMatchObject({
    failure: { kind: 'call.invalid-arguments', errors: [{ keyword: 'type' }, { keyword: 'enum' }] },
  })
})
