import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRunId, RUN_ID_PATTERN } from './run-id.ts'

test('is the UTC time and four digits', () => {
  const id = newRunId(Date.UTC(2026, 10, 30, 18, 5, 1, 999))
  expect(id.slice(0, 16)).toBe('20261130-180501-')
  expect(id).toMatch(RUN_ID_PATTERN)
})

test('names sort by the second of their start', () => {
  const time = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })
  fc.assert(
    fc.property(time, time, (a, b) => {
      const order = Math.sign(Math.trunc(a / 1_000) - Math.trunc(b / 1_000))
      fc.pre(order !== 0)
      expect(newRunId(a) < newRunId(b)).toBe(order < 0)
    }),
  )
})
