import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bed, edit, eventsOf, finish, inTurn, only, PROJECT, plan, repository, stateOf } from './testing.ts'

const mend = edit('src/math.js', 'a - b', 'a + b')
const TEST = 'test/math.test.js'

it('rejects a change that deletes tests, tells which are gone, and gives up when it comes again in another way', async () => {
  const root = repository(PROJECT)
  const before = stateOf(root)
  const remove = { call: 'deleteFile', input: { path: TEST } }
  const skip = edit(TEST, "test('doubles'", "test.skip('doubles'")
  const { run, requests } = await bed(inTurn([plan(TEST), remove, mend, finish], [mend, skip, finish]))
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  expect([ended.exitCode, stateOf(root), existsSync(path.join(root, TEST))]).toEqual([1, before, true])
  expect(only(eventsOf(ended), 'decision').map(({ failure, decision }) => [failure.kind, decision.kind])).toEqual([
    ['check.tampered', 'retry'],
    ['check.tampered', 'give-up'],
  ])
  expect(JSON.stringify(requests[1]?.body.messages)).toContain('fewer tests run than before (2 gone)')
})

it('rejects a test that is skipped, and takes one that is renamed or added', async () => {
  const root = repository(PROJECT)
  const skip = edit(TEST, "test('adds'", "test.skip('adds'")
  const rename = edit(TEST, "test('doubles'", "test('makes twice as much'")
  const { run } = await bed(inTurn([plan(TEST), mend, skip, finish], [mend, rename, finish]))
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  expect(ended.exitCode).toBe(0)
  expect(only(eventsOf(ended), 'attempt.ended').map(({ outcome }) => outcome)).toEqual(['rejected', 'passed'])
})

it('does not take a file of tests that was red for a reason to drop it', async () => {
  const root = repository(PROJECT)
  writeFileSync(path.join(root, 'test/red.test.js'), "throw new Error('red before')\n")
  const { run } = await bed(inTurn([plan(TEST), mend, finish]))
  const ended = await run(['fix', 'add() is wrong', '-C', root])
  expect(ended.exitCode).toBe(0)
})
