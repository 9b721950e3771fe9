import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestRunner } from './testing.ts'

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\tline ${from + index}`).join('\n')
const file = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

test('readFile: numbered lines, whole or a range, and how to go on only where something is left', async () => {
  const { text } = await openTestRunner({ 'short.ts': file(3), 'long.ts': file(450), 'empty.ts': '' })
  expect(await text('readFile', { path: 'short.ts' })).toBe(lines(1, 3))
  expect(await text('readFile', { path: 'short.ts', startLine: 2, endLine: 2 })).toBe(lines(2, 2))
  expect(await text('readFile', { path: 'short.ts', endLine: 2 })).toBe(lines(1, 2))
  expect(await text('readFile', { path: 'short.ts', startLine: 2, endLine: 99 })).toBe(lines(2, 3))
  expect(await text('readFile', { path: 'short.ts', startLine: 4 })).toBe('short.ts ends at line 3.')
  expect(await text('readFile', { path: 'long.ts' })).toBe(
    `${lines(1, 400)}\n(450 lines in all; go on with startLine 401)`,
  )
  expect(await text('readFile', { path: 'long.ts', startLine: 401 })).toBe(lines(401, 450))
  expect(await text('readFile', { path: 'long.ts', startLine: 10, endLine: 12 })).toBe(lines(10, 12))
  expect(await text('readFile', { path: 'empty.ts' })).toBe('(empty file)')
})

test('readFile: not more than 32 kB, long lines cut, also of a range', async () => {
  const { text } = await openTestRunner({ 'wide.ts': `${'x'.repeat(1999)}\n`.repeat(100) })
  const shown = await text('readFile', { path: 'wide.ts', startLine: 1, endLine: 90 })
  expect(shown.split('\n').length).toBe(17)
  expect(shown.split('\n').at(-1)).toBe('(100 lines in all; go on with startLine 17)')
})

test('readFile: a range that ends before it starts is refused', async () => {
  const { run } = await openTestRunner({ 'a.ts': file(3) })
  expect(await run('readFile', { path: 'a.ts', startLine: 3, endLine: 2 })).toEqual({
    kind: 'call.invalid-arguments',
    callId: 'c1',
    tool: 'readFile',
    errors: [{ pointer: '/endLine', keyword: 'order', message: 'must be >= startLine (3)', params: {} }],
  })
})

test('readFile: binary and otherwise encoded files are refused in words, folders are listed', async () => {
  const { text } = await openTestRunner({
    'a.png': Buffer.from([0x89, 0, 1]),
    'latin.ts': Buffer.from('const x = 1\n// caf\xe9\n', 'latin1'),
    'src/a.ts': 'x',
  })
  expect(await text('readFile', { path: 'a.png' })).toBe("a.png is a binary file of 3 bytes; it can't be shown.")
  expect(await text('readFile', { path: 'latin.ts' })).toBe(
    "latin.ts is a file of 20 bytes that is not valid UTF-8; it can't be shown.",
  )
  expect(await text('readFile', { path: 'src' })).toBe('a.ts')
})

test('readFile: tells what was read, so that staleness can be noticed', async () => {
  const { run, tree } = await openTestRunner({ 'a.ts': 'x\n' })
  expect(await run('readFile', { path: './a.ts' })).toEqual({
    text: '1\tx',
    edits: [],
    changed: [],
    read: { path: 'a.ts', hash: (await tree.read('a.ts'))?.hash },
  })
})

test('listFiles: two levels with counts; empty, ignored and file paths are answered too', async () => {
  const { root, text } = await openTestRunner({
    '.gitignore': 'dist\n',
    'package.json': '{}',
    'src/a.ts': '',
    'src/core/b.ts': '',
    'src/core/deep/c.ts': '',
    'src/core/deep/d.ts': '',
    'dist/out.js': '',
  })
  await mkdir(path.join(root, 'nothing'))
  expect(await text('listFiles', {})).toBe(
    ['src/ (4 files)', '  core/ (3 files)', '  a.ts', '.gitignore', 'package.json'].join('\n'),
  )
  expect(await text('listFiles', { path: 'src/core/' })).toBe(
    ['deep/ (2 files)', '  c.ts', '  d.ts', 'b.ts'].join('\n'),
  )
  expect(await text('listFiles', { path: 'dist' })).toBe('out.js')
  expect(await text('listFiles', { path: 'nothing' })).toBe('nothing is empty.')
  expect(await text('listFiles', { path: 'src/a.ts' })).toBe('src/a.ts is a file of 0 bytes, not a folder.')
})

test('listFiles: capped', async () => {
  const { text } = await openTestRunner(
    Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${String(n).padStart(3, '0')}`, ''])),
  )
  const listed = (await text('listFiles', {})).split('\n')
  expect([listed.length, listed.at(-2), listed.at(-1)]).toEqual([201, 'f199', '[... 50 more lines ...]'])
})

test('searchCode: context, grouped by file, in a file, a folder, a glob', async () => {
  const { text } = await openTestRunner({
    'src/a.ts': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\ntwo\n',
    'src/b.tsx': 'two\n',
    'test/a.ts': 'two',
    'app/[id]/(x)/page.ts': 'two',
  })
  const inA = ['src/a.ts', '1-one', '2:two', '3-three', '4-four', '--', '7-seven', '8-eight', '9:two'].join('\n')
  expect(await text('searchCode', { pattern: '^two$', path: 'src' })).toBe(`${inA}\n\nsrc/b.tsx\n1:two`)
  expect(await text('searchCode', { pattern: '^two$', path: 'src/a.ts' })).toBe(inA)
  expect(await text('searchCode', { pattern: 'two', path: '**/*.tsx' })).toBe('src/b.tsx\n1:two')
  expect(await text('searchCode', { pattern: 'two', path: '*.tsx' })).toBe('src/b.tsx\n1:two')
  expect(await text('searchCode', { pattern: 'two', path: 'app/[id]/(x)/page.ts' })).toBe('app/[id]/(x)/page.ts\n1:two')
  expect(await text('searchCode', { pattern: 'two', path: '*.css' })).toBe('*.css holds no files that are searched.')
  expect(await text('searchCode', { pattern: 'nowhere', path: 'src' })).toBe('No matches in src.')
  expect(await text('searchCode', { pattern: 'nowhere' })).toBe('No matches.')
})

test('searchCode: what is no regular expression is plain text; letter case; line ends', async () => {
  const { text } = await openTestRunner({ 'a.ts': 'call(x\nTWO\n' })
  expect(await text('searchCode', { pattern: 'call(' })).toBe(
    'a.ts\n1:call(x\n2-TWO\n\n(not a regular expression: searched as plain text)',
  )
  expect(await text('searchCode', { pattern: '(?i)two' })).toBe('a.ts\n1-call(x\n2:TWO')
  expect(await text('searchCode', { pattern: 'x\\nTWO' })).toBe('No matches.\n(a pattern matches within one line)')
})

test('searchCode: lock files, minified, binary and big files are left out', async () => {
  const { text } = await openTestRunner({
    'package-lock.json': 'needle',
    'a.min.js': 'needle',
    'packed.js': `needle${'x'.repeat(6000)}`,
    'binary.dat': Buffer.from('needle\0'),
    'big.txt': `needle\n${'x\n'.repeat(600_000)}`,
    'a.ts': 'needle',
  })
  expect(await text('searchCode', { pattern: 'needle' })).toBe('a.ts\n1:needle')
  expect(await text('searchCode', { pattern: 'needle', path: 'package-lock.json' })).toBe('package-lock.json\n1:needle')
  expect(await text('searchCode', { pattern: 'needle', path: 'big.txt' })).toBe(
    "big.txt can't be searched: it is binary, minified or larger than 1 MB.",
  )
})

test('searchCode: capped, and says what was left out', async () => {
  const { text } = await openTestRunner({ 'a.ts': 'hit\n'.repeat(60), 'b.ts': 'hit\n', 'c.ts': 'hit\n' })
  const found = (await text('searchCode', { pattern: 'hit' })).split('\n\n')
  expect(found.length).toBe(2)
  expect(found[0]?.split('\n').filter((line) => /^\d+:/.test(line)).length).toBe(50)
  expect(found[1]).toBe('(12 more matches not shown, in b.ts, c.ts; narrow the pattern or the path)')
})

test('searchCode: a pattern that backtracks without end is cut off and said so', async () => {
  const { text } = await openTestRunner({ 'a.ts': `${'a'.repeat(40)}b\n` })
  expect(await text('searchCode', { pattern: '(a+)+$' })).toBe(
    'No matches.\n(the search was cut off: the pattern takes too long; make it simpler)',
  )
})

test('links inside are read through, those that leave are refused', async () => {
  const { root, outer, run, text } = await openTestRunner({ 'src/a.ts': 'x' })
  await symlink('src/a.ts', path.join(root, 'alias.ts'))
  await symlink(outer, path.join(root, 'out'))
  await symlink('src', path.join(root, 'folder'))
  await symlink(path.join(outer, 'secret'), path.join(root, 'leaving'))
  await writeFile(path.join(outer, 'secret'), 'x')
  expect(await text('readFile', { path: 'alias.ts' })).toBe('1\tx')
  expect(await text('searchCode', { pattern: 'x', path: 'alias.ts' })).toBe('src/a.ts\n1:x')
  expect(await text('searchCode', { pattern: 'x', path: 'folder' })).toBe('src/a.ts\n1:x')
  expect(await text('searchCode', { pattern: 'x' })).toBe('src/a.ts\n1:x')
  expect(await run('readFile', { path: 'out/state' })).toEqual({
    kind: 'edit.out-of-scope',
    callId: 'c1',
    tool: 'readFile',
    path: 'out/state',
    reason: 'a symbolic link leads out of the repository',
  })
})

test('show: numbered files within a budget; missing ones are left out', async () => {
  const { runner } = await openTestRunner({ 'a.ts': 'one\ntwo\n', 'b.ts': file(50), 'empty.ts': '' })
  expect(await runner.show([{ path: 'a.ts' }, { path: 'none.ts' }, { path: 'empty.ts' }], 1000)).toBe(
    'a.ts (2 lines)\n1\tone\n2\ttwo\n\nempty.ts (0 lines)',
  )
  expect(await runner.show([{ path: 'a.ts' }, { path: 'b.ts' }], 90)).toBe(
    'a.ts (2 lines)\n1\tone\n2\ttwo\n\nb.ts (50 lines)\n1\tline 1\n2\tline 2\n(to line 2)',
  )
  expect(await runner.show([{ path: 'a.ts' }], 5)).toBe('')
})

test('show: of a long file what stands around the lines in question, of a short one all', async () => {
  const { runner } = await openTestRunner({ 'long.ts': file(400), 'short.ts': file(3) })
  const stretch = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\tline ${from + index}`).join('\n')
  const shown = await runner.show(
    [
      { path: 'long.ts', lines: [300, 40, 60] },
      { path: 'short.ts', lines: [2] },
    ],
    10_000,
  )
  expect(shown).toBe(
    `long.ts (400 lines)\n${stretch(15, 85)}\n...\n${stretch(275, 325)}\n\nshort.ts (3 lines)\n${stretch(1, 3)}`,
  )
})
