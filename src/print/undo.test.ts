import { expect, test } from 'vitest'
import { renderUndo, type UndoSummary } from './undo.ts'

const CHANGE = {
  path: 'src/a\u001b[31m.js',
  action: 'edited' as const,
  diff: '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-new\n+old\n',
  added: 1,
  removed: 1,
}
const BASE: UndoSummary = { preview: false, run: 'r1', changes: [], left: [], displaced: [] }
const told = (summary: Partial<UndoSummary>) => [...renderUndo({ ...BASE, ...summary }, { color: false })].join('')

test('what was given back, what stays and how to take it back', () => {
  expect(
    told({
      since: 'attempt-2',
      changes: [CHANGE, { ...CHANGE, path: 'b.js', action: 'deleted' }],
      left: [{ what: 'c.js', former: 'the run had made it' }, { what: 'not covered: sub' }],
      displaced: [{ path: 'd.js', kept: '/kept/d.js' }],
      again: 'r1/undo',
    }),
  ).toBe(`2 files given back as before attempt-2 of run r1
  edited src/a.js  +1 -1
  deleted b.js  +1 -1
  ! left as it is: c.js (the run had made it)
  ! left as it is: not covered: sub
  what a command had written to d.js is in /kept/d.js
  to take this back: goatfied undo r1/undo
`)
})

test('a preview has the diff', () => {
  expect(told({ preview: true, changes: [CHANGE] })).toBe(`1 file would be given back as before run r1
  edited src/a.js  +1 -1
    @@ -1 +1 @@
    -new
    +old
`)
})

test.each([
  [{ run: undefined }, 'no run has left anything to undo here\n'],
  [{}, 'nothing is left to give back of run r1\n'],
  [{ left: [{ what: 'c.js' }] }, 'nothing given back of run r1\n  ! left as it is: c.js\n'],
  [{ preview: true, left: [{ what: 'c.js' }] }, 'nothing would be given back of run r1\n  ! left as it is: c.js\n'],
])('nothing given back: %j', (summary, text) => {
  expect(told(summary)).toBe(text)
})
