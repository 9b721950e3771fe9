import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const NAMES = ['model', 'models', 'limits', 'checks', 'approvalMode']

test.each([
  ['modle', 'model'],
  ['modles', 'models'],
  ['limit', 'limits'],
  ['approvalmode', 'approvalMode'],
  ['ckecks', 'checks'],
  ['colour', undefined],
  ['', undefined],
])('%j is meant to be %j', (typed, meant) => expect(nearest(typed, NAMES)).toBe(meant))

test('a name with one letter less is found again', () => {
  fc.assert(
    fc.property(fc.nat({ max: 11 }), (at) => {
      expect(nearest(`${'approvalMode'.slice(0, at)}${'approvalMode'.slice(at + 1)}`, NAMES)).toBe('approvalMode')
    }),
  )
})
