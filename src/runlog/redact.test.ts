import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../core/json.ts'
import { createRedactor } from './redact.ts'

const random = 'Zx81kQv0Lm29Tn47Rb63'

test.each([
  ['key is sk-ant-api03-AbC_dEf-123 here', 'key is [redacted] here'],
  [`sk-proj-${random}`, '[redacted]'],
  [`ghp_${random}abcdefghijklmnop`, '[redacted]'],
  [`github_pat_${random}_abc`, '[redacted]'],
  ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
  [`Authorization: Bearer ${random}`, 'Authorization: Bearer [redacted]'],
  ['https://me:pa55word@host.test/x', 'https://me:[redacted]@host.test/x'],
  [`{\\"api_key\\": \\"${random}\\"}`, '{\\"api_key\\": \\"[redacted]\\"}'],
  [`clientSecret = '${random}'`, "clientSecret = '[redacted]'"],
  ['A=1\nexport DB_PASSWORD=correcthorse\nB=2', 'A=1\nexport DB_PASSWORD=[redacted]\nB=2'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nnext', '[redacted]\nnext'],
  ['-----BEGIN PRIVATE KEY-----\nMIIE and then cut', '[redacted]'],
])('well-known shapes go: %j', (text, expected) => {
  const { text: redact } = createRedactor([])
  expect(redact(text)).toBe(expected)
  expect(redact(redact(text))).toBe(expected)
})

test.each([
  'const token = parseToken(input, options)',
  'password: string',
  'const apiKey = process.env.ANTHROPIC_API_KEY',
  'const secretKey = process.env.MY_SECRET_KEY_2',
  '{ "token": "src/components/auth2/index.ts" }',
  'const token = createTokenForVersion2(input)',
  'postgres://$USER:$PASSWORD@db.test/x',
  'MONKEY=banana-split',
  'DB_PASSWORD=$OTHER_PASSWORD',
  'Bearer authentication is used',
  '.sk-loading-spinner-wrapper { }',
  'http://127.0.0.1:8080/path',
  'maxOutputTokens: 32000',
])('source code stays: %j', (text) => expect(createRedactor([]).text(text)).toBe(text))

test('members whose name says so are blanked, at any depth', () => {
  const value: Json = { headers: { 'X-Api-Key': 'short', accept: '*/*' }, list: [{ password: 'p' }, 1, null, true] }
  expect(createRedactor([]).value(value)).toEqual({
    headers: { 'X-Api-Key': '[redacted]', accept: '*/*' },
    list: [{ password: '[redacted]' }, 1, null, true],
  })
})

test('a secret that contains another goes as a whole', () => {
  expect(createRedactor(['abcdef', 'abcdef-more']).text('abcdef-more abcdef')).toBe('[redacted] [redacted]')
})

test('what is too short to be a secret blanks nothing', () => {
  expect(createRedactor(['', 'test']).text('a test')).toBe('a test')
})

/** JSON text of a text, with some of its characters as \uXXXX, with the letter case of the digits chosen. */
const escapedAs = (text: string, choose: (index: number) => 'no' | 'lower' | 'upper'): string =>
  [
    ...JSON.stringify(text)
      .slice(1, -1)
      .matchAll(/\\u.{4}|\\.|[\s\S]/gu),
  ]
    .map(([piece], index) => {
      if (piece.startsWith('\\') || choose(index) === 'no') return piece
      const codes = piece.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
      return codes.map((code) => `\\u${choose(index) === 'upper' ? code.toUpperCase() : code}`).join('')
    })
    .join('')

test('nothing of a given secret survives, however JSON writes it and however deep JSON text stands in JSON text', () => {
  const secret = fc
    .string({
      minLength: 6,
      maxLength: 40,
      unit: fc.constantFrom(...('abcXYZ019-_+/="\\\n\té€😀'.match(/./gsu) ?? [])),
    })
    .filter((text) => text.length >= 6)
  const around = fc.string({ maxLength: 20 })
  const escapes = fc.array(fc.constantFrom<'no' | 'lower' | 'upper'>('no', 'no', 'lower', 'upper'), { minLength: 1 })
  fc.assert(
    fc.property(secret, around, around, escapes, fc.nat({ max: 2 }), (hidden, before, after, choices, depth) => {
      const choose = (index: number) => choices[index % choices.length] ?? 'no'
      let written = escapedAs(hidden, choose)
      for (let level = 0; level < depth; level++) written = JSON.stringify(written).slice(1, -1)
      const { value } = createRedactor([hidden])
      const inside = { [`name ${hidden}`]: [`${before}${written}${after}`, hidden], plain: 'stays' }
      const text = JSON.stringify(value(inside))
      // Still JSON, with the secret in no level of it.
      const [list] = Object.values(JSON.parse(text) as Record<string, string[]>)
      expect(text).not.toContain(written)
      expect(text).not.toContain(JSON.stringify(hidden).slice(1, -1))
      expect(list?.[0]).toContain('[redacted]')
      expect(list?.[1]).toBe('[redacted]')
      expect(text).toContain('"plain":"stays"')
    }),
    { numRuns: 300 },
  )
})

test('long texts without an end in sight take no long time', () => {
  const redactor = createRedactor(['sk-\\"abc'])
  for (const piece of ['\\', 'a', 'token=', '://a:', 'Bearer ', 'sk-', '-----BEGIN PRIVATE KEY-----']) {
    expect(redactor.text(piece.repeat(100_000)).length).toBeGreaterThan(0)
  }
}, 20_000)
