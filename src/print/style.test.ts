import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { Tone } from '../core/story/line.ts'
import { renderLine, wantsColor } from './style.ts'

test('every tone has its colour, and none without colour', () => {
  const tones: readonly Tone[] = ['title', 'plain', 'dim', 'good', 'bad', 'warn', 'add', 'remove', 'accent']
  const render = (color: boolean) => tones.map((tone) => renderLine({ tone, indent: 1, text: 'x' }, { color }))
  expect(render(true)).toEqual([
    '\u001b[1m  x\u001b[22m',
    '  x',
    '\u001b[2m  x\u001b[22m',
    '\u001b[32m  x\u001b[39m',
    '\u001b[31m  x\u001b[39m',
    '\u001b[33m  x\u001b[39m',
    '\u001b[32m  x\u001b[39m',
    '\u001b[31m  x\u001b[39m',
    '\u001b[36m  x\u001b[39m',
  ])
  expect(render(false)).toEqual(tones.map(() => '  x'))
})

test('only lines that say so are cut', () => {
  const line = { tone: 'plain', indent: 1, text: 'abcdef' } as const
  const style = { color: false, terminal: { columns: 5, widthOf: stringWidth } }
  expect([renderLine(line, style), renderLine({ ...line, cut: true }, style)]).toEqual(['  abcdef', '  ab…'])
})

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
])('terminal %s with %j: colour %s', (isTTY, env, color) => {
  expect(wantsColor({ isTTY }, env)).toBe(color)
})
