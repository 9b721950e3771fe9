import { expect, test } from 'vitest'
import { bounded } from './bounded.ts'

test('gives what the task returns and throws what it throws', () => {
  expect(bounded(() => ({ a: 1 }), 10_000)).toEqual({ a: 1 })
  const thrown = new RangeError('a')
  expect(() =>
    bounded(() => {
      throw thrown
    }, 10_000),
  ).toThrow(thrown)
})

test('ends a task without an end, and goes on', () => {
  const forever = () => {
    for (;;);
  }
  expect(() => bounded(forever, 20)).toThrow(expect.objectContaining({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }))
  expect(bounded(() => 1, 10_000)).toBe(1)
})
