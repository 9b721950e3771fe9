import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { StampedEvent } from '../core/event.ts'
import { NO_PROGRESS, progress } from '../core/progress.ts'
import { liveLines } from './live.ts'

const SAMPLE = resolve(import.meta.dirname, '../../fixtures/runs/sample.jsonl')
const events = readFileSync(SAMPLE, 'utf8')
  .trim()
  .split('\n')
  .map((line): StampedEvent => JSON.parse(line))

const upTo = (stop: (event: StampedEvent) => boolean) => {
  const end = events.findIndex(stop)
  return events.slice(0, end + 1).reduce(progress, NO_PROGRESS)
}

const size = { columns: 80, rows: 24, frame: 0, asking: false }

test('planning while the baseline runs, with the end of what the model says', () => {
  const state = upTo((event) => event.type === 'model.text' && event.text.startsWith('how'))
  expect(liveLines({ ...size, progress: state, now: (state.startedAt ?? 0) + 2000 })).toEqual([
    { tone: 'plain', text: '' },
    { tone: 'dim', text: 'I will look at how pages are counted.' },
    { tone: 'accent', text: '⠋ planning 1.9 s · baseline (types, tests) 2.0 s' },
    { tone: 'dim', text: '2.0 s · 1 request · 0 tokens' },
  ])
})

test('the countdown to the next try', () => {
  const state = upTo((event) => event.type === 'model.waiting')
  const now = (state.waiting?.until ?? 0) - 900
  expect(liveLines({ ...size, progress: state, now }).map((line) => line.text)).toEqual([
    '',
    '⠋ again in 1 s (1/5): the provider is not available for now…',
    '3.3 s · 2 requests · 2.4k tokens',
  ])
})

test('an attempt with its plan steps and a question', () => {
  const state = upTo((event) => event.type === 'approval.asked')
  const now = (state.startedAt ?? 0) + 65_000
  expect(liveLines({ ...size, progress: state, now, asking: true, frame: 11 })).toEqual([
    { tone: 'plain', text: '' },
    { tone: 'accent', text: '⠙ attempt 1 of 3 · waiting for your answer' },
    { tone: 'good', text: '  ✓ 1. Round the page count up' },
    { tone: 'plain', text: '  ▸ 2. Say so in the changelog' },
    { tone: 'dim', text: '1 min 5 s · 6 requests · 11.3k tokens (7.1k cached) · 1 fai…' },
    { tone: 'warn', text: 'allow it? [y] yes  [n] no' },
  ])
})

test('nothing is left when the run has ended', () => {
  const state = events.reduce(progress, NO_PROGRESS)
  expect(liveLines({ ...size, progress: state, now: 0 })).toEqual([])
})

test('never higher than rows - 2 nor wider than the terminal, whatever the names', () => {
  const wide = fc.string({ unit: fc.constantFrom('日', '⚠️', '👩‍👩‍👧', 'a', ' ', '\u001b[2J', 'é') })
  fc.assert(
    fc.property(
      fc.nat(events.length - 1),
      fc.array(wide, { minLength: 1, maxLength: 12 }),
      wide,
      fc.integer({ min: 2, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (end, goals, text, columns, rows, asking) => {
        const state = events.slice(0, end).reduce(progress, NO_PROGRESS)
        const steps = goals.map((goal) => ({ goal, state: 'waiting' as const }))
        const answering = { request: 1, role: 'edit' as const, since: 0, text }
        const lines = liveLines({ progress: { ...state, steps, answering }, asking, columns, rows, now: 0, frame: end })
        expect(lines.length).toBeLessThanOrEqual(Math.max(0, rows - 2))
        for (const line of lines) {
          expect(stringWidth(line.text)).toBeLessThan(columns)
          expect(line.text).not.toMatch(/[\u0000-\u001f]/)
        }
      },
    ),
  )
})
