import { expect, it } from 'vitest'
import { unbalanced } from './bracket-balance.ts'

it('names the edits that open or close more than they did before', () => {
  expect(
    unbalanced([
      { oldText: 'f() {', newText: 'g() {' },
      { oldText: 'a', newText: 'if (a) {' },
      { oldText: '[1] }', newText: '1] }})' },
    ]),
  ).toEqual([
    'edit 2 opens 1 more "{" than it closes',
    'edit 3 closes 1 more "{" than it opens',
    'edit 3 closes 1 more "(" than it opens',
    'edit 3 closes 1 more "[" than it opens',
  ])
})
