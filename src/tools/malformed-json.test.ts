import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mendJson } from './malformed-json.ts'

test.each([
  ['an invalid escape', String.raw`{"pattern":"\d+\.ts"}`, { pattern: String.raw`\d+\.ts` }],
  ['invalid escapes beside plain ones', String.raw`{"a":"\d\n\"x\""}`, { a: '\\d\n"x"' }],
  ['a trailing comma', '{"a":[1,2,],}', { a: [1, 2] }],
  ['a missing comma', '{"a":1 "b":2}', { a: 1, b: 2 }],
  ['a raw newline and tab', '{"a":"x\n\ty"}', { a: 'x\n\ty' }],
  ['comments', '{"a":1, /* one */ "b":2 // two\n}', { a: 1, b: 2 }],
  ['a fence', '```json\n{"a":1}\n```', { a: 1 }],
  ['a fence without a language, around malformed JSON', '~~~\n{"a":1,}\n~~~', { a: 1 }],
  ['an object that was encoded twice', JSON.stringify('{"path":"a.ts"}'), { path: 'a.ts' }],
  ['one encoded twice and malformed', JSON.stringify(String.raw`{"pattern":"\d",}`), { pattern: String.raw`\d` }],
  ['typographic quotes', '{“path”: „a b.ts”, "text": "keeps “these”"}', { path: 'a b.ts', text: 'keeps “these”' }],
  ['blanks around', '\n {"a":1,} \n', { a: 1 }],
])('mends %s', (_, raw, value) => {
  expect(mendJson(raw)).toEqual(value)
})

test.each([
  ['cut in a string', '{"path":"a.t'],
  ['a missing closing brace', '{"path":"a.ts"'],
  ['a missing closing bracket', '{"files":["a.ts"}'],
  ['a brace too many', '{"path":"a.ts"}}'],
  ['two objects', '{"path":"a.ts"}{"path":"b.ts"}'],
  ['a quote inside of a string', '{"text":"say "hi" now"}'],
  ['an escape that may be a letter or an escape', String.raw`{"pattern":"\bword\d"}`],
  ['backslashes doubled in one place and not in another', String.raw`{"pattern":"\\d\w"}`],
  ['an escaped apostrophe', String.raw`{"text":"it\'s"}`],
  ['half of a Unicode escape', String.raw`{"text":"\u12"}`],
  ['no object', '[1,2,]'],
  ['a fence that does not close', '```json\n{"a":1}'],
  ['a fence of another language', '```ts\n{"a":1}\n```'],
  ['text beside a fence', 'Here:\n```json\n{"a":1}\n```'],
  ['a text that was encoded twice', JSON.stringify('a.ts')],
  ['an object that was encoded thrice', JSON.stringify(JSON.stringify('{"a":1}'))],
  ['quotes of either kind inside of typographic ones', '{“text”: “say "hi" now”}'],
  ['typographic quotes inside of typographic ones', '{“text”: “say “hi” now”}'],
  ['nothing', ''],
  ['unquoted text', '{"path": src/a.ts}'],
])('does not mend %s', (_, raw) => {
  expect(mendJson(raw)).toBe(undefined)
})

test('whatever is cut off from valid arguments is not mended', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()))),
      fc.nat(),
      (value, at) => {
        const text = JSON.stringify(value)
        expect(mendJson(text)).toEqual(JSON.parse(text))
        expect(mendJson(text.slice(0, at % text.length))).toBe(undefined)
      },
    ),
    { numRuns: 200 },
  )
})
