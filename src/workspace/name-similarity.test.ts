import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameSimilarity } from './name-similarity.ts'

const name = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9._-]{0,12}$/), fc.string({ maxLength: 8 }))

test('1 for the same name and for no other, never below 0', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      const value = nameSimilarity(a, b)
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
      expect(value === 1).toBe(a === b)
      expect(nameSimilarity(a, a)).toBe(1)
    }),
  )
})

test.each([
  ['case before a mistyped letter', 'totals', 'Totals', 'totale'],
  ['a mistyped letter before another word', 'totals', 'totale', 'taxes'],
  ['the same words joined otherwise before others', 'user-account', 'userAccount', 'user-amount'],
  ['the same words in another order before half of them', 'test_async', 'async_test', 'test_reset'],
  ['another mark of a test before none', 'money.test', 'money.spec', 'money'],
  ['a word more before other words', 'kraft.handler', 'kraft', 'craft-fair'],
  ['the beginning of a word before another word', 'deco', 'decorator', 'docs'],
  ['a shortened word before another word', 'msg', 'message', 'messy-plugins'],
])('%s', (_, written, nearer, farther) => {
  expect(nameSimilarity(written, nearer)).toBeGreaterThan(nameSimilarity(written, farther))
})

test.each([
  ['totals', 'x'],
  ['a', 'b'],
  ['', 'totals'],
  ['handler', 'provider'],
  ['\u65e5\u672c', 'totals'],
])('%j and %j have nothing in common', (a, b) => {
  expect([nameSimilarity(a, b), nameSimilarity(b, a)]).toEqual([0, 0])
})
