import { expect, test } from 'vitest'
import { NONE_OF_THESE } from '../core/constraint.ts'
import { openTestRunner } from './testing.ts'

const FILES = {
  'src/price.ts':
    "import { base } from './base.ts'\n\n/** Adds tax. */\nexport function withTax(net: number): number {\n  return net * 1.2\n}\n\nexport const RATE = 0.2\nexport type Rate = number\nexport { base }\nexport default withTax\n",
  'src/base.ts': 'export const base = 1\n',
  'src/index.ts': "export * from './price.js'\nexport * from './more/index'\nexport { base as ground } from './base'\n",
  'src/more/index.ts': "export * from '..'\nexport const more = 1\n",
  'src/outer.ts': "export * from 'package'\nexport const own = 1\n",
  'README.md': '# export const a = 1\n',
}
const missing = {
  callId: 'c1',
  tool: 'readFile',
  kind: 'target.not-found',
  target: 'symbol',
  pointer: '/symbol',
  exhaustive: true,
}

test('only the declaration of an exported name, with its comment and its lines', async () => {
  const { run, text, tree } = await openTestRunner(FILES)
  expect(await run('readFile', { path: 'src/price.ts', symbol: 'withTax' })).toEqual({
    text: '3\t/** Adds tax. */\n4\texport function withTax(net: number): number {\n5\t  return net * 1.2\n6\t}',
    edits: [],
    changed: [],
    read: { path: 'src/price.ts', hash: (await tree.read('src/price.ts'))?.hash },
  })
  expect(await text('readFile', { path: 'src/price.ts', symbol: 'RATE' })).toBe('8\texport const RATE = 0.2')
  expect(await text('readFile', { path: 'src/price.ts', symbol: 'default' })).toBe(
    '3\t/** Adds tax. */\n4\texport function withTax(net: number): number {\n5\t  return net * 1.2\n6\t}\n...\n11\texport default withTax',
  )
})

test('what is exported again is told with the file that declares it', async () => {
  const { text } = await openTestRunner(FILES)
  const read = (path: string, symbol: string) => text('readFile', { path, symbol })
  expect(
    await Promise.all([
      read('src/price.ts', 'base'),
      read('src/index.ts', 'ground'),
      read('src/index.ts', 'RATE'),
      read('src/index.ts', 'more'),
      read('src/more/index.ts', 'Rate'),
      read('src/outer.ts', 'anything'),
    ]),
  ).toEqual([
    '10\texport { base }\n(re-exported from src/base.ts, as base)',
    "3\texport { base as ground } from './base'\n(re-exported from src/base.ts, as base)",
    'src/index.ts exports RATE again from src/price.ts: read it there.',
    'src/index.ts exports more again from src/more/index.ts: read it there.',
    'src/more/index.ts exports Rate again from src/price.ts: read it there.',
    'src/outer.ts declares no anything; all of package is exported again and may hold it.',
  ])
})

test('a name that the module does not export: all that it exports, nearest first', async () => {
  const { run } = await openTestRunner(FILES)
  expect(await run('readFile', { path: 'src/price.ts', symbol: 'withTaxes' })).toEqual({
    ...missing,
    value: 'withTaxes',
    candidates: ['withTax', 'RATE', 'Rate', 'base', 'default'],
    lead: expect.closeTo(7 / 9),
  })
  expect(await run('readFile', { path: 'src/index.ts', symbol: 'default' })).toMatchObject({
    ...missing,
    value: 'default',
    candidates: expect.arrayContaining(['ground', 'withTax', 'RATE', 'Rate', 'base', 'more']),
  })
  expect(await run('readFile', { path: 'src/price.ts', symbol: NONE_OF_THESE })).toEqual({
    ...missing,
    value: NONE_OF_THESE,
    candidates: [],
    exhaustive: false,
    lead: 0,
  })
})

test('a name goes neither with lines nor with a file that is no module', async () => {
  const { run } = await openTestRunner(FILES)
  const refused = (keyword: string, message: string) => ({
    kind: 'call.invalid-arguments',
    callId: 'c1',
    tool: 'readFile',
    errors: [{ pointer: '/symbol', keyword, message, params: {} }],
  })
  expect(await run('readFile', { path: 'src/price.ts', symbol: 'RATE', startLine: 1 })).toEqual(
    refused('exclusive', 'goes without startLine and endLine: it shows one declaration, wherever it is'),
  )
  expect(await run('readFile', { path: 'README.md', symbol: 'a' })).toEqual(
    refused('module', 'is for JavaScript and TypeScript files'),
  )
})

test('null and no value at all read the file', async () => {
  const { text } = await openTestRunner(FILES)
  expect(await text('readFile', { path: 'src/base.ts', symbol: null })).toBe('1\texport const base = 1')
})
