import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LONGEST_MS, parseDuration } from './duration.ts'

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['250ms', 250],
  ['1.5h', 5_400_000],
  ['1m500ms', 60_500],
  ['', undefined],
  ['600', undefined],
  ['-5s', undefined],
  ['0s', undefined],
  ['5 s', undefined],
  ['5d', undefined],
  ['600h', undefined],
  [`${'9'.repeat(400)}s`, undefined],
])('%j', (text, ms) => expect(parseDuration(text)).toBe(ms))

test('whatever is written in whole units is read back', () => {
  const amount = fc.integer({ min: 0, max: 500 })
  fc.assert(
    fc.property(amount, amount, amount, (hours, minutes, seconds) => {
      const ms = ((hours * 60 + minutes) * 60 + seconds) * 1_000
      expect(parseDuration(`${hours}h${minutes}m${seconds}s`)).toBe(ms > 0 && ms <= LONGEST_MS ? ms : undefined)
    }),
  )
})
