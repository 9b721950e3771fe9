import { expect, test } from 'vitest'
import { keysOf } from './keyboard.ts'

test('keys are read singly; arrows and unknown keys are nothing', () => {
  expect(keysOf('\u0003')).toEqual(['interrupt'])
  expect(keysOf('y\u0003')).toEqual(['yes', 'interrupt'])
  expect(keysOf('Y\r')).toEqual(['yes', 'no'])
  expect(keysOf('\u001b')).toEqual(['no'])
  expect(keysOf('\u001b[A\u001b[1;5Dxqn')).toEqual(['no'])
  expect(keysOf('')).toEqual([])
})
