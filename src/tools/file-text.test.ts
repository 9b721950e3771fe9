import { expect, test } from 'vitest'
import { numberLines, readText } from './file-text.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\rb', ['a', 'b']],
  ['\n\n', ['', '']],
  ['\uFEFFa\n', ['a']],
])('%j', (text, lines) => {
  expect(readText(bytes(text))).toEqual({ ok: true, lines })
})

test('what has no text says so', () => {
  expect(readText(Buffer.from([1, 0, 2]))).toEqual({ ok: false, reason: 'a binary file of 3 bytes' })
  expect(readText(Buffer.from([0x63, 0xe9, 0x0a]))).toEqual({
    ok: false,
    reason: 'a file of 3 bytes that is not valid UTF-8',
  })
})

test('numbers as many lines as fit, the first in any case, and cuts long ones', () => {
  const lines = ['one', 'two', 'three']
  expect(numberLines(lines, 2, 9, 100)).toEqual({ text: '2\ttwo\n3\tthree', lastLine: 3 })
  expect(numberLines(lines, 1, 3, 12)).toEqual({ text: '1\tone\n2\ttwo', lastLine: 2 })
  expect(numberLines(lines, 1, 3, 1)).toEqual({ text: '1\tone', lastLine: 1 })
  expect(numberLines([], 1, 3, 100)).toEqual({ text: '', lastLine: 0 })
  expect(numberLines(['x'.repeat(2003)], 1, 1, 1e6).text).toBe(`1\t${'x'.repeat(2000)} [... 3 more characters]`)
})
