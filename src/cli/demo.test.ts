import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bed, eventsOf, only, PROJECT, repository, temporaryFolder } from './testing.ts'

it('tells its whole story on the bundled repository, and the failing call is carried out never', async () => {
  const { run } = await bed(() => [])
  const ended = await run(['demo', '--json'])
  const events = eventsOf(ended)
  expect(ended.exitCode).toBe(0)
  expect({
    plan: only(events, 'plan.accepted').length,
    guards: only(events, 'guard.fired').map(({ guard }) => guard),
    recovered: only(events, 'recovery.ended').map(({ rung, recovered }) => [rung, recovered]),
    failed: only(events, 'call.failed').map(({ executed }) => executed),
    attempts: only(events, 'attempt.ended').map(({ outcome }) => outcome),
    rejectedBy: only(events, 'verdict').flatMap(({ verdict }) => verdict.newDiagnostics.map(({ code }) => code)),
    proof: only(events, 'run.ended')[0]?.result.proof?.newlyPassing,
  }).toEqual({
    plan: 1,
    guards: ['enum-exhaustion'],
    recovered: [['scoped-replay', true]],
    failed: [false],
    attempts: ['rejected', 'passed'],
    rejectedBy: ['TS2322'],
    proof: ['test/cart-totals.test.ts > cart totals > round half a cent up'],
  })
  const [failing] = only(events, 'call.failed')
  const log = readFileSync(only(events, 'run.started')[0]?.runLog ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const mistyped = log.filter(
    (event) => event.type === 'call.started' && event.call.input.value.path === 'src/pricing/totals.ts',
  )
  const carriedOut = log.filter((event) => event.type === 'call.ended' && event.callId === failing?.callId)
  expect([mistyped.length, carriedOut]).toEqual([1, []])
})

it('plays a scenario of one’s own in a repository of one’s own', async () => {
  const root = repository(PROJECT)
  const scenario = path.join(temporaryFolder('scenario'), 'mine.json')
  const mend = { call: 'editFile', input: { path: 'src/math.js', edits: [{ oldText: 'a - b', newText: 'a + b' }] } }
  writeFileSync(
    scenario,
    JSON.stringify({ name: 'mine', task: 'Mend add.', turns: [{ answer: [mend] }, { answer: [{ text: 'Done.' }] }] }),
  )
  const { run } = await bed(() => [])
  const ended = await run(['demo', '--scenario', scenario, '-C', root])
  expect([ended.exitCode, readFileSync(path.join(root, 'src/math.js'), 'utf8').includes('a + b')]).toEqual([0, true])
})

it('says what is wrong with a scenario', async () => {
  const scenario = path.join(temporaryFolder('scenario'), 'broken.json')
  writeFileSync(scenario, '{ "name": "x" }')
  const { run } = await bed(() => [])
  const ended = await run(['demo', '--scenario', scenario])
  expect([ended.exitCode, ended.stdout, ended.stderr.includes('broken.json')]).toEqual([2, '', true])
})
