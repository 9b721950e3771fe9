import path from 'node:path'
import { expect, test } from 'vitest'
import { NONE_OF_THESE } from '../core/constraint.ts'
import { openTestRunner } from './testing.ts'

const FILES = {
  'src/a.ts': 'x\n',
  'src/App.tsx': 'x\n',
  'src/cart/totals.ts': 'x\n',
  'src/pricing/totals.ts': 'x\n',
  'docs/security.md': 'x\n',
  'app/(shop)/[id]/page.tsx': 'x\n',
}
const EDITS = [{ oldText: 'x', newText: 'y' }]
const ofEdit = { callId: 'c1', tool: 'editFile' }

test.each(['./src/a.ts', 'src//a.ts', 'src\\a.ts', 'src/cart/../a.ts'])(
  '%s is brought to its plain form, and that is on record',
  async (written) => {
    const { check } = await openTestRunner(FILES)
    expect(await check('editFile', { path: written, edits: EDITS })).toMatchObject({
      checked: {
        arguments: { path: 'src/a.ts', edits: EDITS },
        repairs: [{ pointer: '/path', from: written, to: 'src/a.ts', reason: 'path in its plain form' }],
      },
    })
  },
)

test('an absolute path inside of the root is one of the repository', async () => {
  const { root, check } = await openTestRunner(FILES)
  const written = path.join(root, 'app/(shop)/[id]/page.tsx')
  expect(await check('readFile', { path: written })).toMatchObject({
    checked: {
      arguments: { path: 'app/(shop)/[id]/page.tsx' },
      repairs: [{ pointer: '/path', from: written, to: 'app/(shop)/[id]/page.tsx', reason: 'path in its plain form' }],
    },
  })
})

test.each([
  ['another folder', 'src/x/totals.ts', ['src/cart/totals.ts', 'src/pricing/totals.ts']],
  ['a missing folder', 'security.md', ['docs/security.md']],
  ['a foreign root', '/home/usre/repo/src/a.ts', ['src/a.ts']],
  ['quotes', '"src/a.ts"', ['src/a.ts']],
  ['a line', 'src/a.ts:12', ['src/a.ts']],
  ['a heading', '### src/a.ts', ['src/a.ts']],
  ['letter case', 'src/app.tsx', ['src/App.tsx']],
])('a tool that writes never guesses: %s', async (_, written, first) => {
  const { check } = await openTestRunner(FILES)
  const outcome = await check('editFile', { path: written, edits: EDITS })
  expect(outcome).toMatchObject({
    failure: {
      ...ofEdit,
      kind: 'target.not-found',
      target: 'path',
      pointer: '/path',
      value: written,
      exhaustive: false,
    },
  })
  const candidates =
    'failure' in outcome && outcome.failure.kind === 'target.not-found' ? outcome.failure.candidates : []
  expect(candidates.slice(0, first.length)).toEqual(first)
})

test('a tool that only reads takes the one candidate that can be meant, and says so', async () => {
  const { run, text } = await openTestRunner(FILES)
  expect(await text('readFile', { path: 'security.md' })).toBe(
    '(security.md does not exist: taken for docs/security.md)\n1\tx',
  )
  expect(await text('readFile', { path: 'src/app.tsx' })).toBe(
    '(src/app.tsx does not exist: taken for src/App.tsx)\n1\tx',
  )
  expect(await run('readFile', { path: 'src/totals.ts' })).toMatchObject({ kind: 'target.not-found' })
  expect(await run('listFiles', { path: 'nowhere' })).toMatchObject({
    kind: 'target.not-found',
    target: 'directory',
    value: 'nowhere',
  })
})

test('the way out of an enum is no path and has no candidates', async () => {
  const { run } = await openTestRunner(FILES)
  expect(await run('editFile', { path: NONE_OF_THESE, edits: EDITS })).toEqual({
    ...ofEdit,
    kind: 'target.not-found',
    target: 'path',
    pointer: '/path',
    value: NONE_OF_THESE,
    candidates: [],
    exhaustive: false,
    lead: 0,
  })
})

test('what the model read comes first among equals, and is no reason to take it without asking', async () => {
  const { check, run } = await openTestRunner(FILES)
  const before = await check('readFile', { path: 'src/x/totals.ts' })
  await run('readFile', { path: 'src/pricing/totals.ts' })
  const after = await check('readFile', { path: 'src/x/totals.ts' })
  expect([before, after]).toMatchObject([
    { failure: { kind: 'target.not-found', lead: 0 } },
    { failure: { kind: 'target.not-found', lead: 0 } },
  ])
  const firstTwo = [before, after].map((outcome) =>
    'failure' in outcome && 'candidates' in outcome.failure ? outcome.failure.candidates.slice(0, 2) : [],
  )
  expect(firstTwo).toEqual([
    ['src/cart/totals.ts', 'src/pricing/totals.ts'],
    ['src/pricing/totals.ts', 'src/cart/totals.ts'],
  ])
})

test('what evidence put before a path that resembles more has no lead before it', async () => {
  const { check, run } = await openTestRunner({ 'src/invoice-totals.ts': 'x\n', 'src/invoice-totalsum.ts': 'x\n' })
  const read = () => check('readFile', { path: 'src/invoice-totalsu.ts' })
  const more = { candidates: ['src/invoice-totalsum.ts', 'src/invoice-totals.ts', 'src'] }
  const less = { candidates: ['src/invoice-totals.ts', 'src/invoice-totalsum.ts', 'src'], lead: 0 }
  expect(await read()).toMatchObject({ failure: more })
  await run('readFile', { path: 'src/invoice-totals.ts' })
  expect(await read()).toMatchObject({ failure: less })
})
