import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { lifeline, processesWith, runLogs, SLEEPING_PROJECT } from './process-testing.ts'
import { bed, edit, eventsOf, finish, inTurn, only, plan, repository, stateOf } from './testing.ts'

const TASK = 'add() gives wrong sums'
const mend = edit('src/math.js', 'a - b', 'a + b')
const command = { call: 'runCommand', input: { command: 'node --test test/slow.test.js' } }
const stalled = { answer: [{ text: 'Let me think about this for a while.' }], fault: { stallAfterDeltas: 1 } } as const

/** What the model answers, and what tells that the moment has come. */
const MOMENTS = {
  'while the model answers': { answers: [stalled], printed: '"type":"baseline.taken"' },
  'while the model answers, after a change': {
    answers: [[plan('src/math.js'), mend], stalled],
    printed: '"type":"model.requested","request":2',
  },
  'during a command of the model': { answers: [[plan('src/math.js'), mend, command]], held: 2 },
  'during a check that runs long': { answers: [[plan('src/math.js'), mend, finish]], held: 2 },
} as const

const CASES = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).flatMap((signal) =>
  Object.entries(MOMENTS).map(([when, moment]) => ({ signal, when, moment })),
)

it.each(CASES)('$signal $when: the tree is given back and no process is left', async ({ signal, moment }) => {
  const root = repository(SLEEPING_PROJECT)
  const before = stateOf(root)
  const { env, held, free } = await lifeline()
  const { start } = await bed(inTurn(...moment.answers))
  const running = start(['fix', TASK, '-C', root, '--json'], { env })
  await ('held' in moment ? held(moment.held) : running.printed(moment.printed))
  running.kill(signal)
  const ended = await running.ended
  const exitCode = signal === 'SIGINT' ? 130 : 143
  expect([ended.exitCode, stateOf(root), processesWith('LIFELINE', env.LIFELINE ?? '')]).toEqual([exitCode, before, []])
  await free()
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  const log = runLogs(root)[0] ?? []
  expect(log.at(-1)).toEqual(eventsOf(ended).at(-1))
  expect(only(log, 'run.ended').map(({ result }) => [result.exitCode, result.failure, result.changes])).toEqual([
    [exitCode, { kind: 'user.cancelled', signal }, []],
  ])
})

it('does not stop giving the tree back when it is interrupted again and again', async () => {
  const root = repository(SLEEPING_PROJECT)
  const before = stateOf(root)
  const { env, held, free } = await lifeline()
  const { start } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const running = start(['fix', TASK, '-C', root, '--json'], { env })
  await held(2)
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) running.kill(signal)
  await running.printed('"type":"rollback.started"')
  running.kill('SIGINT')
  const ended = await running.ended
  await free()
  expect([ended.signal, stateOf(root)]).toEqual([null, before])
  expect([130, 143]).toContain(ended.exitCode)
})

it('refuses a second run in the same tree, and tells who works there', async () => {
  const root = repository(SLEEPING_PROJECT)
  const { start, run } = await bed(inTurn([plan('src/math.js'), mend], stalled))
  const running = start(['fix', TASK, '-C', root, '--json'])
  await running.printed('"type":"model.requested","request":2')
  const between = stateOf(root)
  const second = await run(['fix', TASK, '-C', root])
  const [log = []] = runLogs(root)
  const runId = log[0]?.type === 'run.started' ? log[0].runId : ''
  expect([second.exitCode, second.stdout, stateOf(root), runLogs(root).length]).toEqual([2, '', between, 1])
  expect(second.stderr).toMatch(
    new RegExp(
      `^goatfied: Run ${runId} \\(process ${running.pid}, since [-\\dT:.]+Z\\) is working in this tree: wait until it has ended, or end it\\.\\n$`,
    ),
  )
  running.kill('SIGTERM')
  expect((await running.ended).exitCode).toBe(143)
})

it('leaves nothing behind when it is interrupted while it starts', async () => {
  const root = repository(SLEEPING_PROJECT)
  const before = stateOf(root)
  const { start, run } = await bed(inTurn([plan('src/math.js'), finish]))
  for (const ms of [50, 100, 150, 200, 250]) {
    const running = start(['fix', TASK, '-C', root, '--json'])
    await sleep(ms)
    running.kill('SIGINT')
    const { exitCode, signal } = await running.ended
    expect([130, 'SIGINT']).toContain(exitCode ?? signal)
    expect(stateOf(root)).toEqual(before)
  }
  expect((await run(['fix', TASK, '-C', root])).exitCode).toBe(3)
})
