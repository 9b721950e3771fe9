import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunEvent, RunEventOf, Rung, SchemaChange } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import { NO_USAGE } from '../core/message.ts'
import type { Stats } from '../core/stats.ts'
import { collectStats, NO_STATS, withRun } from './stats.ts'
import { logPath, notice, RESULT, START, started, writeRun } from './testing.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'goatfied-stats-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const notFound = (callId: string): Failure => ({
  kind: 'target.not-found',
  callId,
  tool: 'readFile',
  target: 'path',
  pointer: '/path',
  value: 'a.ts',
  candidates: ['b.ts'],
  exhaustive: false,
  lead: 0,
})
const types: Failure = { kind: 'check.types', diagnostics: [] }
const usage = (input: number, cacheRead: number, cacheWrite: number, output: number) => ({
  input,
  cacheRead,
  cacheWrite,
  output,
})
const failedCall = (callId: string, failure: Failure = notFound(callId)): RunEvent => ({
  type: 'call.failed',
  callId,
  tool: 'readFile',
  failure,
  executed: false,
})
const change = { tool: 'readFile', pointer: '/path', before: {}, after: { enum: ['b.ts'] } }
const fired = (callId: string, guard: string, changes: readonly SchemaChange[] = []): RunEvent => ({
  type: 'guard.fired',
  guard,
  reason: 'r',
  failure: notFound(callId),
  constraints: [],
  changes,
})
const ended = (callId: string, rung: Rung, recovered: boolean): RunEvent => ({
  type: 'recovery.ended',
  callId,
  rung,
  recovered,
  note: '',
  cost: { requests: 1, usage: usage(10, 0, 2, 3), ms: 40 },
})
const answered = (costUsd?: number): RunEvent => ({
  type: 'model.answered',
  request: 1,
  answer: { content: [], stopReason: 'end', usage: usage(1, 20, 3, 4), model: 'm' },
  ...(costUsd === undefined ? {} : { costUsd }),
  ms: 1,
})
const requested: RunEvent = {
  type: 'model.requested',
  request: 1,
  conversation: 'c',
  role: 'plan',
  appended: [],
  estimatedTokens: 1,
}

test('failures, rungs, the guard of each recovery, tokens and results are summed over the runs', () => {
  const first: RunEvent[] = [
    started('a'),
    requested,
    answered(0.25),
    failedCall('c1'),
    fired('c1', 'refused-call'),
    fired('c1', 'enum-exhaustion', [change]),
    fired('c1', 'region', [change]),
    ended('c1', 'scoped-replay', false),
    ended('c1', 'overlay', true),
    { type: 'call.repaired', callId: 'c2', tool: 'readFile', repairs: [] },
    { type: 'run.ended', result: RESULT },
  ]
  const skipped: Failure = { kind: 'call.skipped', callId: 'c4', tool: 'editFile', because: 'earlier-failure' }
  const decided: RunEventOf<'decision'> = {
    type: 'decision',
    level: 'attempt',
    failure: types,
    decision: { kind: 'give-up' },
    count: 1,
    limit: 1,
    reason: '',
  }
  const second: RunEvent[] = [
    started('b'),
    requested,
    requested,
    answered(),
    failedCall('c3'),
    fired('c3', 'enum-exhaustion'),
    ended('c3', 'overlay', true),
    { ...decided, level: 'call', failure: notFound('c3') },
    failedCall('c4', skipped),
    decided,
    { type: 'run.ended', result: { ...RESULT, status: 'gave-up', failure: types } },
  ]
  const third: RunEvent[] = [
    started('c'),
    { type: 'run.ended', result: { ...RESULT, status: 'stopped', failure: { kind: 'budget.turns', limit: 3 } } },
  ]
  const none = { tried: 0, recovered: 0, requests: 0, usage: NO_USAGE, ms: 0 }
  const expected: Stats = {
    runs: 4,
    results: { validated: 1, unchanged: 0, 'gave-up': 1, stopped: 1, unended: 1 },
    failures: { 'target.not-found': 2, 'check.types': 1, 'budget.turns': 1 },
    rungs: {
      repair: { ...none, tried: 1, recovered: 1 },
      'scoped-replay': { tried: 1, recovered: 0, requests: 1, usage: usage(10, 0, 2, 3), ms: 40 },
      overlay: { tried: 2, recovered: 2, requests: 2, usage: usage(20, 0, 4, 6), ms: 80 },
      'end-of-attempt': none,
    },
    guards: [
      { guard: 'enum-exhaustion', rung: 'overlay', recovered: 2, share: 2 / 3 },
      { rung: 'repair', recovered: 1, share: 1 / 3 },
    ],
    requests: 3,
    usage: usage(2, 40, 6, 8),
    recoveryUsage: usage(30, 0, 6, 9),
    costUsd: 0.25,
    unpriced: 1,
  }
  expect([first, second, third, [started('d')]].reduce(withRun, NO_STATS)).toEqual(expected)
})

test('the shares of the recoveries sum to one, and the rungs have as many as the guards', () => {
  const one = fc.record({
    callId: fc.constantFrom('c1', 'c2', 'c3'),
    guard: fc.constantFrom('enum-exhaustion', 'region', undefined),
    rung: fc.constantFrom<Rung>('scoped-replay', 'overlay', 'end-of-attempt'),
    recovered: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(fc.array(one)), (logs) => {
      const stats = logs
        .map((log) =>
          log.flatMap(({ callId, guard, rung, recovered }) => [
            ...(guard === undefined ? [] : [fired(callId, guard)]),
            ended(callId, rung, recovered),
          ]),
        )
        .reduce(withRun, NO_STATS)
      const recovered = logs.flat().filter((each) => each.recovered).length
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
      expect(sum(stats.guards.map((each) => each.recovered))).toBe(recovered)
      expect(sum(Object.values(stats.rungs).map((each) => each.recovered))).toBe(recovered)
      expect(sum(stats.guards.map((each) => each.share))).toBeCloseTo(recovered === 0 ? 0 : 1)
    }),
  )
})

test('a damaged or foreign log is left out and noted; of a torn one the whole lines count', async () => {
  writeRun(dir, 'a-good', [started('a-good'), requested, { type: 'run.ended', result: RESULT }])
  writeRun(dir, 'b-torn', [started('b-torn'), requested])
  appendFileSync(logPath(dir, 'b-torn'), '{"seq":2,"ty')
  writeRun(dir, 'c-damaged', [started('c-damaged'), notice('x'), { type: 'run.ended', result: RESULT }])
  const damaged = readFileSync(logPath(dir, 'c-damaged'), 'utf8').replace('"type":"notice"', '"type":')
  writeFileSync(logPath(dir, 'c-damaged'), damaged)
  writeRun(dir, 'd-foreign', [started('d-foreign'), { type: 'model.answered' } as RunEvent, notice('x')])
  mkdirSync(path.join(dir, 'e-other'))
  writeFileSync(logPath(dir, 'e-other'), 'something else\n')

  const { stats, notes } = await collectStats(dir, START)
  expect(stats).toEqual({
    ...NO_STATS,
    runs: 2,
    results: { ...NO_STATS.results, validated: 1, unended: 1 },
    requests: 2,
  })
  expect(notes.map((note) => note.split(':')[0]).sort()).toEqual(['b-torn', 'c-damaged', 'd-foreign', 'e-other'])
})

test('a log of an earlier version has no cost of its recoveries', () => {
  const { cost, ...bare } = ended('c1', 'overlay', true) as RunEventOf<'recovery.ended'>
  expect(cost.requests).toBe(1)
  const { rungs, recoveryUsage } = withRun(NO_STATS, [bare as RunEvent])
  expect([rungs.overlay, recoveryUsage]).toEqual([
    { tried: 1, recovered: 1, requests: 0, usage: NO_USAGE, ms: 0 },
    NO_USAGE,
  ])
})

test('no runs give no stats', async () => {
  expect(await collectStats(path.join(dir, 'none'), START)).toEqual({ stats: NO_STATS, notes: [] })
})
