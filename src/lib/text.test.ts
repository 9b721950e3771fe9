import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capLines, headAndTail, stripTerminalSequences } from './text.ts'

describe('stripTerminalSequences', () => {
  test.each([
    ['colours', '\x1b[31mFAIL\x1b[39m a', 'FAIL a'],
    ['a window title ended by BEL', '\x1b]0;my title\x07ok', 'ok'],
    ['a link ended by ST', '\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a title without an end', '\x1b]0;title\nnext', '0;title\nnext'],
    ['8-bit introducers', '\x9b1mbold\x9b0m', 'bold'],
    ['cursor movement and erasing', '\x1b[2K\x1b[1A\x1b[?25lx\x1b7\x1b(By', 'xy'],
    ['a redrawn line', '10%\r20%\r\ndone', '10%\n20%\ndone'],
    ['tabs are kept, other controls not', 'a\tb\x00\x08c', 'a\tbc'],
  ])('%s', (_, raw, plain) => {
    expect(stripTerminalSequences(raw)).toBe(plain)
  })

  test('leaves no control character, and a second pass changes nothing', () => {
    const pieces = fc.constantFrom('\x1b', '[', ']', '0;', 'm', '\x07', '\\', '\x9b', '\r', '\n', 'é', '1', 'P', '\x9c')
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const plain = stripTerminalSequences(parts.join(''))
        expect(plain).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
        expect(stripTerminalSequences(plain)).toBe(plain)
      }),
    )
  })
})

describe('headAndTail', () => {
  test('keeps whole lines from both ends and counts the rest', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n')
    expect(headAndTail(text, 90)).toEqual({
      text: 'line 1\nline 2\nline 3\n[... 95 lines left out ...]\nline 99\nline 100',
      truncated: true,
    })
  })

  test('cuts a single long line inside', () => {
    expect(headAndTail('a'.repeat(500), 68)).toEqual({
      text: 'aaaaaaaaaa\n[... 480 bytes left out ...]\naaaaaaaaaa',
      truncated: true,
    })
  })

  test('stays within its bytes, breaks no character, and changes nothing that fits', () => {
    const text = fc
      .array(fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀') }))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 64, max: 300 }), (whole, maxBytes) => {
        const capped = headAndTail(whole, maxBytes)
        expect(Buffer.byteLength(capped.text)).toBeLessThanOrEqual(maxBytes)
        expect(capped.text).not.toContain('\ufffd')
        expect(capped.truncated).toBe(Buffer.byteLength(whole) > maxBytes)
        if (!capped.truncated) expect(capped.text).toBe(whole)
      }),
    )
  })
})

test('capLines keeps the first lines and counts the rest', () => {
  expect([capLines('a\nb\n', 2), capLines('a\nb\nc\n', 2), capLines('a\nb\nc\nd', 1)]).toEqual([
    { text: 'a\nb\n', truncated: false },
    { text: 'a\nb\n[... 1 more line ...]', truncated: true },
    { text: 'a\n[... 3 more lines ...]', truncated: true },
  ])
})
