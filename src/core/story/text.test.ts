import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanLines, cleanText, compactNumber, duration, fit, oneLine, shortList, visibleControls } from './text.ts'

test('terminal sequences go with all their parts, and what is text stays', () => {
  expect(
    [
      '\u001b[1;31mred\u001b[0m',
      '\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\',
      '\u001b]0;title without an end',
      '\u009b2Jc1',
      '\u001bcreset',
      'a\r\nb\rc',
      '\ttab',
      'right\u202eleft',
      'naïve 日本 👩‍👩‍👧 [31m',
    ].map(cleanText),
  ).toEqual(['red', 'link', '', 'c1', 'reset', 'a\nbc', '    tab', 'rightleft', 'naïve 日本 👩‍👩‍👧 [31m'])
})

test('cleaning twice is cleaning once', () => {
  const unit = fc.constantFrom('\u001b', '[', ']', '2', 'J', '\u009b', '\u0007', '\r', '\n', 'x', '\\', ';')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(cleanText(cleanText(text))).toBe(cleanText(text))
    }),
  )
})

test('lines', () => {
  expect([cleanLines('a\n\nb \n\n'), oneLine('  a\n\n b\t c '), oneLine('x'.repeat(2001)).length]).toEqual([
    ['a', '', 'b'],
    'a b c',
    2000,
  ])
})

test('control characters can be made visible', () => {
  expect(visibleControls('rm\u001b[2K x\u202e\ny')).toBe('rm\\u001b[2K x\\u202e\ny')
})

test('a cut text has an ellipsis, is never wider than asked, and splits no cluster', () => {
  const width = (text: string) => Array.from(new Intl.Segmenter().segment(text)).length * 2
  expect([
    fit('abcd', 8, width),
    fit('abcd', 7, width),
    fit('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5, width),
    fit('ab', 0, width),
  ]).toEqual(['abcd', 'abc…', '👩‍👩‍👧👩‍👩‍👧…', ''])
})

test('durations, numbers and lists', () => {
  expect({
    durations: [0, 49, 940, 9_949, 9_950, 59_499, 64_000, 7_380_000].map(duration),
    numbers: [0, 999, 1000, 12_345, 999_949, 999_950].map(compactNumber),
    lists: [shortList(['a', 'b'], 2), shortList(['a', 'b', 'c'], 2), shortList([], 2)],
  }).toEqual({
    durations: ['0.0 s', '0.0 s', '0.9 s', '9.9 s', '10 s', '59 s', '1 min 4 s', '2 h 3 min'],
    numbers: ['0', '999', '1.0k', '12.3k', '999.9k', '1.0M'],
    lists: ['a, b', 'a, b, … 1 more', ''],
  })
})
