import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRunId, RUN_ID_PATTERN } from './run-id.ts'

test('is the UTC time to the millisecond, and three random digits', () => {
  const id = newRunId(Date.UTC(2026, 10, 30, 18, 5, 1, 999))
  expect(id.slice(0, 19)).toBe('20261130-180501-3e7')
  expect(id).toMatch(RUN_ID_PATTERN)
})

test('names sort by their start', () => {
  const time = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })
  fc.assert(
    fc.property(time, time, (a, b) => {
      const order = Math.sign(a - b)
      fc.pre(order !== 0)
      expect(newRunId(a) < newRunId(b)).toBe(order < 0)
    }),
  )
})
