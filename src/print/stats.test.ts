import { expect, test } from 'vitest'
import { NO_USAGE } from '../core/message.ts'
import type { Stats } from '../core/stats.ts'
import { renderStats } from './stats.ts'

const none = { tried: 0, recovered: 0, requests: 0, usage: NO_USAGE, ms: 0 }
const STATS: Stats = {
  runs: 3,
  results: { validated: 2, unchanged: 0, 'gave-up': 0, stopped: 0, unended: 1 },
  failures: { 'edit.no-match': 2, 'target.not-found': 11, 'call.unknown-tool': 2 },
  rungs: {
    repair: { ...none, tried: 4, recovered: 4 },
    'scoped-replay': {
      tried: 12,
      recovered: 9,
      requests: 12,
      usage: { input: 3_000, cacheRead: 0, cacheWrite: 900, output: 300 },
      ms: 61_000,
    },
    overlay: none,
    'end-of-attempt': none,
  },
  guards: [
    { guard: 'enum-exhaustion', rung: 'scoped-replay', recovered: 9, share: 9 / 13 },
    { rung: 'repair', recovered: 4, share: 4 / 13 },
  ],
  requests: 61,
  usage: { input: 4_000, cacheRead: 250_000, cacheWrite: 8_300, output: 5_100 },
  recoveryUsage: { input: 3_000, cacheRead: 0, cacheWrite: 900, output: 300 },
  costUsd: 1.234,
  unpriced: 1,
}

test('everything is told, in tables that fit', () => {
  expect(renderStats(STATS)).toBe(`3 runs: 2 validated, 1 unended
61 requests, 12.3k tokens sent, 250.0k more from the cache, 5.1k received
of these on recoveries: 3.9k tokens sent, 0 more from the cache, 300 received
cost: $1.23, without 1 answer whose price is not known

failure            times
target.not-found      11
call.unknown-tool      2
edit.no-match          2

rung           tried  recovered  requests  tokens       time
repair             4          4         0       0      0.0 s
scoped-replay     12          9        12    4.2k  1 min 1 s

guard            rung           recovered  share
enum-exhaustion  scoped-replay          9   69 %
-                repair                 4   31 %
`)
})

test('what never came is left out', () => {
  const clean: Stats = {
    ...STATS,
    failures: {},
    rungs: { repair: none, 'scoped-replay': none, overlay: none, 'end-of-attempt': none },
    guards: [],
    recoveryUsage: NO_USAGE,
    unpriced: 0,
  }
  expect(renderStats(clean)).toBe(`3 runs: 2 validated, 1 unended
61 requests, 12.3k tokens sent, 250.0k more from the cache, 5.1k received
of these on recoveries: 0 tokens sent, 0 more from the cache, 0 received
cost: $1.23
`)
})

test('no runs', () => {
  expect(renderStats({ ...STATS, runs: 0 })).toBe('no runs yet\n')
})
