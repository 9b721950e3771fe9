import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Constraint } from './constraint.ts'
import type { RunEvent, StampedEvent } from './event.ts'
import type { Failure } from './failure.ts'
import { narrate } from './narrate.ts'
import { NO_PROGRESS, progress } from './progress.ts'
import type { StoryLine } from './story/line.ts'
import { NO_NEWS, type Verdict } from './verdict.ts'

const RUNS = resolve(import.meta.dirname, '../../fixtures/runs')
const sample = readFileSync(`${RUNS}/sample.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line): StampedEvent => JSON.parse(line))

function story(events: readonly StampedEvent[]): readonly StoryLine[] {
  let state = NO_PROGRESS
  return events.flatMap((event) => {
    const lines = narrate(event, state)
    state = progress(state, event)
    return lines
  })
}

const stamped = (events: readonly RunEvent[]) => events.map((event, seq): StampedEvent => ({ ...event, seq, at: seq }))
const text = (lines: readonly StoryLine[]) => lines.map((line) => '  '.repeat(line.indent) + line.text)
const told = (...events: readonly RunEvent[]) => text(story(stamped(events)))

const attempt = (number: number): RunEvent => ({
  type: 'attempt.started',
  attempt: number,
  step: 0,
  limit: 2,
  snapshot: { id: 's' },
  constraints: { constraints: [], trace: [] },
})

const verdict: Verdict = {
  status: 'fail',
  results: [],
  ...NO_NEWS,
}

test('the sample run, word for word', () => {
  expect(text(story(sample))).toEqual(readFileSync(`${RUNS}/sample.txt`, 'utf8').trimEnd().split('\n'))
})

test('a run that gives up says what was tried, that the tree is as it was, and what to try', () => {
  const failing = {
    id: 'a.test.ts > adds',
    status: 'failed' as const,
    message: '\n\u001b[31mexpected 2\u001b[39m to be 3\n  at a.ts:1\n',
  }
  const failure: Failure = { kind: 'check.tests', diagnostics: [], failing: [failing.id] }
  const usage = { input: 1200, cacheRead: 0, cacheWrite: 0, output: 300 }
  const totals = { requests: 3, attempts: 2, replans: 0, failedCalls: 0, recoveredCalls: 0, usage, ms: 61_000 }
  expect(
    told(
      attempt(1),
      { type: 'verdict', phase: 'attempt', attempt: 1, verdict: { ...verdict, newlyFailing: [failing] }, ms: 900 },
      { type: 'attempt.ended', attempt: 1, outcome: 'rejected', patch: '', changed: ['a.ts'] },
      {
        type: 'decision',
        level: 'attempt',
        failure,
        decision: { kind: 'give-up' },
        count: 1,
        limit: 0,
        reason: 'no attempt is left',
      },
      {
        type: 'run.ended',
        result: {
          status: 'gave-up',
          exitCode: 1,
          summary: 'The tests fail.',
          failure,
          changes: [],
          conflicts: [],
          totals,
        },
      },
    ),
  ).toEqual([
    'attempt 1 of 2',
    '  ✗ checks failed in 0.9 s: 1 test newly failing',
    '    a.test.ts > adds',
    '      expected 2 to be 3',
    '        at a.ts:1',
    '  ✗ attempt 1 rejected (a.ts)',
    '  giving up: no attempt is left',
    '',
    '✗ gave up: The tests fail.',
    '  what was tried',
    '    attempt 1 changed a.ts, rejected: 1 test newly failing: a.test.ts > adds',
    '  the tree is as it was before the run',
    '  what you could try',
    '    read the rejected attempts in the run log and name in the task what they missed',
    '    give it more attempts: --max-attempts, or a stronger model: --model provider/model',
    '  3 requests · 1.2k tokens sent, 300 received · price not known · 2 attempts · 1 min 1 s',
    '  exit 1: gave up, tree restored',
  ])
})

test('files that could not be given back are named, and nothing is claimed of the tree that does not hold', () => {
  const totals = {
    requests: 0,
    attempts: 0,
    replans: 0,
    failedCalls: 0,
    recoveredCalls: 0,
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    ms: 0,
  }
  const ended = (failure: Failure, conflicts: readonly string[]) =>
    told({
      type: 'run.ended',
      result: { status: 'stopped', exitCode: 1, summary: 's', failure, changes: [], conflicts, totals },
    })
  expect([
    ended({ kind: 'user.cancelled', signal: 'SIGINT' }, ['a.ts']).slice(2, 4),
    ended({ kind: 'internal.restore', reason: 'no space left', paths: ['b.ts'] }, []).slice(2, 3),
  ]).toEqual([
    ['  the tree is as it was before the run, but for', '    a.ts'],
    ['  the tree is not in full as it was before the run'],
  ])
})

test('what is long is capped, and what is left out is counted', () => {
  const diagnostics = Array.from({ length: 11 }, (_, index) => ({
    source: 'tsc',
    severity: 'error' as const,
    file: 'a.ts',
    line: index + 1,
    message: 'no',
  }))
  const diff = Array.from({ length: 20 }, (_, index) => `+${index}`).join('\n')
  expect([
    told({
      type: 'verdict',
      phase: 'proof',
      attempt: 1,
      verdict: { ...verdict, newDiagnostics: diagnostics },
      ms: 0,
    }).slice(-2),
    told({
      type: 'call.ended',
      callId: 'c',
      tool: 'createFile',
      text: '',
      edits: [{ path: 'a.ts', action: 'created', diff, added: 20, removed: 0 }],
      changed: ['a.ts'],
      ms: 1,
    }).slice(-2),
  ]).toEqual([
    ['    a.ts:8 no', '    … 3 more complaints'],
    ['    +15', '    … 4 more lines'],
  ])
})

test('a guard tells what its constraints rule out where no schema changed', () => {
  const failure: Failure = { kind: 'progress.none', reason: 'r' }
  const scope = { by: 'kind', kind: 'existing-path' } as const
  const constraints: readonly Constraint[] = [
    { kind: 'enum', scope, values: ['a.ts', 'b.ts', '__none__'], lasts: 'step' },
    { kind: 'exclude', scope, values: ['x.ts'], lasts: 'step' },
    {
      kind: 'narrow',
      tool: 'readFile',
      pointer: '/startLine',
      schema: { type: 'integer', minimum: 1, maximum: 9 },
      lasts: 'step',
    },
    { kind: 'refuse', tool: 'editFile', schema: {}, lasts: 'step' },
    { kind: 'strict', tool: 'editFile', lasts: 'call' },
    { kind: 'hide', tool: 'runCommand', lasts: 'step' },
    { kind: 'hint', text: 'look\nthere', lasts: 'call' },
  ]
  expect(told({ type: 'guard.fired', guard: 'g', reason: 'why', failure, constraints, changes: [] })).toEqual([
    '    guard g: why',
    '      one of 2: a.ts, b.ts',
    '      no longer accepted: x.ts',
    '      readFile startLine: any value -> integer 1 to 9',
    '      editFile: this very call is refused from now on',
    '      editFile: held to its schema while the model writes',
    '      runCommand is taken away',
    '      hint: look there',
  ])
})

test('an event of another version adds nothing to the story', () => {
  expect(narrate({ type: 'later.invention', seq: 0, at: 0 } as unknown as StampedEvent, NO_PROGRESS)).toEqual([])
})

// Members whose values are words of ours and not text from outside.
const OURS = /"(type|kind|status|phase|outcome|role|by|rung|origin|state|stopReason|strategy)":"[^"]*"/

test('no text from a model, a repository or a tool can move the cursor, whatever it is', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      '\u001b[2J',
      '\u001b]0;t',
      '\u0007',
      '\r',
      '\n',
      '\t',
      '\u009b1A',
      '\u202e',
      '\u0000',
      '\u001b',
      '日',
      '%',
    ),
    maxLength: 12,
  })
  const spoil = (value: unknown, bad: string, key = ''): unknown => {
    if (typeof value === 'string') return OURS.test(`"${key}":"${value}"`) ? value : `${bad}${value}${bad}`
    if (Array.isArray(value)) return value.map((member) => spoil(member, bad))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spoil(member, bad, name)]))
  }
  fc.assert(
    fc.property(nasty, (bad) => {
      const spoiled = sample.map((event) => spoil(event, bad) as StampedEvent)
      for (const line of story(spoiled)) expect(line.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
    }),
    { numRuns: 60 },
  )
})
