import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { RunEvent, StampedEvent } from './event.ts'
import { NO_PROGRESS, progress, type RunProgress } from './progress.ts'

const sample = readFileSync(resolve(import.meta.dirname, '../../fixtures/runs/sample.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): StampedEvent => JSON.parse(line))

const fold = (events: readonly RunEvent[]): RunProgress =>
  events.reduce((state, event, seq) => progress(state, { ...event, seq, at: 1000 + seq }), NO_PROGRESS)

/** Without the members that are undefined. */
const members = (state: RunProgress) => JSON.parse(JSON.stringify(state))

test('a whole run', () => {
  const start = sample[0]
  const end = sample.at(-1)
  if (start?.type !== 'run.started' || end?.type !== 'run.ended') throw new Error('not a whole run')
  const plan = sample.find((event) => event.type === 'plan.accepted')?.plan
  expect(members(sample.reduce(progress, NO_PROGRESS))).toEqual({
    runId: start.runId,
    runLog: start.runLog,
    task: start.task.text,
    model: start.model,
    startedAt: start.at,
    lastAt: end.at,
    plan,
    revision: 1,
    steps: [
      { goal: 'Round the page count up', state: 'passed' },
      { goal: 'Say so in the changelog', state: 'passed' },
    ],
    attempts: [
      {
        attempt: 1,
        revision: 1,
        step: 0,
        ordinal: 1,
        limit: 3,
        outcome: 'rejected',
        changed: ['src/paginate.ts'],
        reasons: ["1 new complaint (tsc): src/paginate.ts:2:28 TS2552 Cannot find name 'Size'. Did you mean 'size'?"],
      },
      {
        attempt: 2,
        parent: 1,
        revision: 1,
        step: 0,
        ordinal: 2,
        limit: 3,
        outcome: 'passed',
        changed: ['src/paginate.ts'],
        reasons: [],
      },
      {
        attempt: 3,
        revision: 1,
        step: 1,
        ordinal: 1,
        limit: 3,
        outcome: 'passed',
        changed: ['CHANGELOG.md'],
        reasons: [],
      },
    ],
    calls: [],
    checks: [],
    restoring: false,
    requests: 6,
    usage: end.result.totals.usage,
    failedCalls: 1,
    guards: 1,
    replans: 0,
    result: end.result,
  })
})

test('what runs is there while it runs', () => {
  const at = (type: RunEvent['type']) => sample.findIndex((event) => event.type === type)
  const upTo = (type: RunEvent['type']) => sample.slice(0, at(type) + 1).reduce(progress, NO_PROGRESS)
  const failedCall = { id: 'c3', tool: 'editFile', target: 'src/pagination.ts', state: 'failed' }
  expect({
    streamed: upTo('model.text').answering?.text,
    checks: upTo('model.text').checks.map(({ phase, check }) => `${phase} ${check.id}`),
    waiting: upTo('model.waiting').waiting,
    failed: upTo('call.failed').calls,
    asking: upTo('approval.asked').asking,
    restoring: upTo('rollback.started').restoring,
  }).toEqual({
    streamed: 'I will look at ',
    checks: ['baseline types', 'baseline tests'],
    waiting: {
      failure: { kind: 'provider.transient', reason: 'overloaded', status: 529 },
      retry: 1,
      limit: 5,
      until: (sample[at('model.waiting')]?.at ?? 0) + 1500,
    },
    failed: [failedCall],
    asking: { callId: 'c5', action: 'git log --oneline -3' },
    restoring: true,
  })
})

test('a new plan counts its attempts from one, and a decision gives the reason where no verdict has', () => {
  const step = { goal: 'g', files: [], newFiles: [] }
  const accepted = (revision: number): RunEvent => ({
    type: 'plan.accepted',
    plan: { summary: 's', steps: [step], origin: 'submitted' },
    revision,
  })
  const started = (attempt: number): RunEvent => ({
    type: 'attempt.started',
    attempt,
    step: 0,
    limit: 3,
    snapshot: { id: 's' },
    constraints: { constraints: [], trace: [] },
  })
  const state = fold([
    accepted(1),
    started(1),
    started(2),
    {
      type: 'decision',
      level: 'attempt',
      failure: { kind: 'progress.none', reason: 'no call was made' },
      decision: { kind: 'replan' },
      count: 1,
      limit: 3,
      reason: 'r',
    },
    { type: 'attempt.ended', attempt: 2, outcome: 'abandoned', patch: '', changed: [] },
    accepted(2),
    started(3),
  ])
  expect({
    replans: state.replans,
    attempts: state.attempts.map(({ ordinal, outcome, reasons }) => ({ ordinal, outcome, reasons })),
  }).toEqual({
    replans: 1,
    attempts: [
      { ordinal: 1, outcome: 'running', reasons: [] },
      { ordinal: 2, outcome: 'abandoned', reasons: ['no progress: no call was made'] },
      { ordinal: 1, outcome: 'running', reasons: [] },
    ],
  })
})

test('streamed text keeps its tail only, and that of another request is left out', () => {
  const state = fold([
    { type: 'model.requested', request: 2, conversation: 'c', role: 'edit', appended: [], estimatedTokens: 1 },
    { type: 'model.text', request: 2, text: `${'x'.repeat(500)}end` },
    { type: 'model.text', request: 1, text: 'late' },
  ])
  expect(state.answering).toEqual({ request: 2, role: 'edit', since: 1000, text: `${'x'.repeat(397)}end` })
})

test('an event of another version changes nothing but the time', () => {
  const unknown = { type: 'later.invention', seq: 0, at: 5 } as unknown as StampedEvent
  expect(progress(NO_PROGRESS, unknown)).toEqual({ ...NO_PROGRESS, startedAt: 5, lastAt: 5 })
})
