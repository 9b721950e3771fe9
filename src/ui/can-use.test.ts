import { expect, test } from 'vitest'
import { canUseUi } from './can-use.ts'

const stdin = { isTTY: true, setRawMode: () => {} }
const stdout = { isTTY: true, columns: 80, rows: 24 }
const env = { TERM: 'xterm-256color' }

test('a terminal at both ends is enough', () => {
  expect(canUseUi(stdin, stdout, env)).toBe(true)
  expect(canUseUi(stdin, stdout, {})).toBe(true)
  expect(canUseUi(stdin, stdout, { ...env, CI: 'false', CONTINUOUS_INTEGRATION: '0' })).toBe(true)
})

test.each([
  ['no terminal to read from', { setRawMode: () => {} }, stdout, env],
  ['no raw mode', { isTTY: true }, stdout, env],
  ['output into a pipe', stdin, {}, env],
  ['a dumb terminal', stdin, stdout, { TERM: 'dumb' }],
  ['CI', stdin, stdout, { ...env, CI: 'true' }],
  ['another CI', stdin, stdout, { ...env, CONTINUOUS_INTEGRATION: '1' }],
  ['an unknown size', stdin, { isTTY: true, columns: 0, rows: 0 }, env],
  ['a low terminal', stdin, { isTTY: true, columns: 80, rows: 5 }, env],
  ['a narrow terminal', stdin, { isTTY: true, columns: 19, rows: 24 }, env],
])('%s is refused', (_, input, output, environment) => {
  expect(canUseUi(input, output, environment)).toBe(false)
})
