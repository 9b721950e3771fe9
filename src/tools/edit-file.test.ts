import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestRunner } from './testing.ts'

const FILE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'

test('editFile answers with what it did', async () => {
  const { root, run } = await openTestRunner({ 'a.ts': FILE })
  const edits = [
    { oldText: 'two', newText: '2' },
    { oldText: 'eight\n', newText: 'eight\n8.5\n' },
  ]
  const result = await run('editFile', { path: 'a.ts', edits })
  expect(await readFile(path.join(root, 'a.ts'), 'utf8')).toBe(
    'one\n2\nthree\nfour\nfive\nsix\nseven\neight\n8.5\nnine\n',
  )
  expect(result).toEqual({
    text: [
      'Edited a.ts: +2 -1',
      '1\tone',
      '2\t2',
      '3\tthree',
      '4\tfour',
      '5\tfive',
      '6\tsix',
      '7\tseven',
      '8\teight',
      '9\t8.5',
      '10\tnine',
    ].join('\n'),
    edits: [
      {
        path: 'a.ts',
        action: 'edited',
        strategy: 'exact',
        diff: expect.stringContaining('-two\n+2'),
        added: 2,
        removed: 1,
      },
    ],
    changed: ['a.ts'],
  })
})

test('editFile names the strategy where the match is not exact', async () => {
  const { text } = await openTestRunner({ 'a.ts': 'if (x) {\n\treturn 1\n}\n' })
  const edits = [{ oldText: 'if (x) {\n  return 1', newText: 'if (x) {\n  return 2' }]
  expect(await text('editFile', { path: 'a.ts', edits })).toBe(
    'Edited a.ts: +1 -1 (matched after normalising indentation)\n1\tif (x) {\n2\t\treturn 2\n3\t}',
  )
})

test('editFile leaves out the line numbers of readFile, and says so; where it is unclear what they are, it refuses', async () => {
  const { root, run, text } = await openTestRunner({ 'a.ts': 'const a = 1\nconst b = 2\n' })
  const numbered = [{ oldText: '1\tconst a = 1\n2\tconst b = 2', newText: '1\tconst a = 1\n2\tconst b = 3' }]
  expect(await text('editFile', { path: 'a.ts', edits: numbered })).toBe(
    'Edited a.ts: +1 -1 (matched without the line numbers or marks given with it)\n1\tconst a = 1\n2\tconst b = 3',
  )
  const partly = [{ oldText: '1\tconst a = 1', newText: '1\tconst a = 1\nconst c = 3' }]
  expect(await run('editFile', { path: 'a.ts', edits: partly })).toEqual({
    kind: 'call.invalid-arguments',
    callId: 'c1',
    tool: 'editFile',
    errors: [
      {
        pointer: '/edits/0/newText',
        keyword: 'decorated',
        message: 'carries line numbers or marks that are not in the file: give the text alone',
        params: {},
      },
    ],
  })
  expect(await readFile(path.join(root, 'a.ts'), 'utf8')).toBe('const a = 1\nconst b = 3\n')
})

test('editFile takes most of a file away only from who has seen it, and shows it first', async () => {
  const lines = Array.from({ length: 30 }, (_, row) => `const a${row + 1} = ${row + 1}`)
  const content = `${lines.join('\n')}\n`
  const { root, run } = await openTestRunner({ 'a.ts': content, 'read.ts': content, 'half.ts': content })
  const shrink = (file: string, left: number) =>
    run('editFile', { path: file, edits: [{ oldText: lines.join('\n'), newText: lines.slice(0, left).join('\n') }] })
  expect(await shrink('a.ts', 14)).toEqual({
    kind: 'edit.stale',
    callId: 'c1',
    tool: 'editFile',
    path: 'a.ts',
    content: lines.join('\n'),
  })
  expect(await readFile(path.join(root, 'a.ts'), 'utf8')).toBe(content)
  expect(await shrink('a.ts', 14)).toMatchObject({ changed: ['a.ts'] })
  await run('readFile', { path: 'read.ts', startLine: 1, endLine: 5 })
  expect(await shrink('read.ts', 1)).toMatchObject({ changed: ['read.ts'] })
  expect(await shrink('half.ts', 15)).toMatchObject({ changed: ['half.ts'] })
})

test('editFile: text that is in place already is no change', async () => {
  const { run } = await openTestRunner({ 'a.ts': 'const a = 2\n' })
  const edits = [{ oldText: 'const a = 1', newText: 'const a = 2' }]
  expect(await run('editFile', { path: 'a.ts', edits })).toEqual({
    text: 'Nothing to do: a.ts has the new text already.',
    edits: [{ path: 'a.ts', action: 'already-applied', diff: '', added: 0, removed: 0 }],
    changed: [],
  })
})

test('editFile: what cannot be applied changes nothing', async () => {
  const { root, run } = await openTestRunner({
    'a.ts': FILE,
    'twice.ts': 'x\nx\n',
    'latin.ts': Buffer.from('// caf\xe9\nx\n', 'latin1'),
    'image.bin': Buffer.from('x\0y'),
  })
  const edit = (file: string, ...edits: { oldText: string; newText: string }[]) =>
    run('editFile', { path: file, edits })
  const good = { oldText: 'one', newText: '1' }
  expect(await edit('a.ts', good, { oldText: 'nowhere to be found', newText: 'nor is this' })).toMatchObject({
    kind: 'edit.no-match',
    path: 'a.ts',
    edit: 1,
  })
  expect(await edit('twice.ts', { oldText: 'x', newText: 'y' })).toEqual({
    kind: 'edit.ambiguous',
    callId: 'c1',
    tool: 'editFile',
    path: 'twice.ts',
    edit: 0,
    lines: [1, 2],
    regions: [{ startLine: 1, endLine: 2, text: 'x\nx' }],
  })
  expect(await edit('a.ts', { oldText: 'one', newText: 'one' })).toEqual({
    kind: 'call.invalid-arguments',
    callId: 'c1',
    tool: 'editFile',
    errors: [
      {
        pointer: '/edits/0/newText',
        keyword: 'no-change',
        message: 'is the same as oldText: the edit would change nothing',
        params: {},
      },
    ],
  })
  expect(
    await edit('a.ts', { oldText: 'one\ntwo', newText: '1' }, { oldText: 'two\nthree', newText: '2' }),
  ).toMatchObject({
    kind: 'call.invalid-arguments',
    errors: [{ pointer: '/edits/1/oldText', keyword: 'overlap' }],
  })
  expect(await edit('latin.ts', { oldText: 'x', newText: 'y' })).toEqual({
    kind: 'edit.out-of-scope',
    callId: 'c1',
    tool: 'editFile',
    path: 'latin.ts',
    reason: 'it is not valid UTF-8, so an edit would damage it',
  })
  expect(await edit('image.bin', { oldText: 'x', newText: 'y' })).toMatchObject({
    kind: 'edit.out-of-scope',
    reason: 'it is a binary file, so an edit would damage it',
  })
  expect(await readFile(path.join(root, 'image.bin'), 'utf8')).toBe('x\0y')
  expect(await readFile(path.join(root, 'a.ts'), 'utf8')).toBe(FILE)
})

test('a file that changed since it was read: its present content comes back, and counts as read', async () => {
  const { put, run, root } = await openTestRunner({ 'a.ts': 'const a = 1\n' })
  const edit = () => run('editFile', { path: 'a.ts', edits: [{ oldText: 'a = 1', newText: 'a = 2' }] })
  await run('readFile', { path: 'a.ts' })
  await put('a.ts', '// saved by somebody\nconst a = 1\n')
  const stale = { kind: 'edit.stale', callId: 'c1', path: 'a.ts', content: '// saved by somebody\nconst a = 1' }
  expect(await edit()).toEqual({ ...stale, tool: 'editFile' })
  expect(await edit()).toMatchObject({ changed: ['a.ts'] })
  await put('a.ts', 'other\n')
  expect(await run('deleteFile', { path: 'a.ts' })).toEqual({ ...stale, tool: 'deleteFile', content: 'other' })
  expect(await readFile(path.join(root, 'a.ts'), 'utf8')).toBe('other\n')
})

test('content that the model knows is not stale after it was given back', async () => {
  const { put, run } = await openTestRunner({ 'a.ts': 'const a = 1\n' })
  const edits = [{ oldText: 'a = 1', newText: 'a = 2' }]
  await run('readFile', { path: 'a.ts' })
  await run('editFile', { path: 'a.ts', edits })
  await put('a.ts', 'const a = 1\n')
  expect(await run('editFile', { path: 'a.ts', edits })).toMatchObject({ changed: ['a.ts'] })
})

test('nor is the content that it edited without having read it', async () => {
  const { put, run } = await openTestRunner({ 'a.ts': 'const a = 1\n' })
  await run('editFile', { path: 'a.ts', edits: [{ oldText: 'a = 1', newText: 'a = 2' }] })
  await put('a.ts', 'const a = 1\n')
  const edits = [{ oldText: 'a = 1', newText: 'a = 3' }]
  expect(await run('editFile', { path: 'a.ts', edits })).toMatchObject({ changed: ['a.ts'] })
})

test('of a long file that changed, only what changed comes back, with numbers', async () => {
  const lines = Array.from({ length: 100 }, (_, row) => `const a${row + 1} = ${row + 1}`)
  const { put, run } = await openTestRunner({ 'a.ts': `${lines.join('\n')}\n` })
  const edits = [{ oldText: 'const a50 = 50', newText: 'const a50 = 5' }]
  const stale = { kind: 'edit.stale', callId: 'c1', tool: 'editFile', path: 'a.ts' }
  await run('readFile', { path: 'a.ts' })
  const saved = ['// saved by somebody', ...lines.slice(0, 39), 'other', ...lines.slice(42)]
  await put('a.ts', saved.join('\r\n'))
  expect(await run('editFile', { path: 'a.ts', edits })).toEqual({
    ...stale,
    content: [
      '1\t// saved by somebody',
      '2\tconst a1 = 1',
      '3\tconst a2 = 2',
      '4\tconst a3 = 3',
      '(33 lines as you know them)',
      '38\tconst a37 = 37',
      '39\tconst a38 = 38',
      '40\tconst a39 = 39',
      '41\tother',
      '42\tconst a43 = 43',
      '43\tconst a44 = 44',
      '44\tconst a45 = 45',
      '(in these, 3 former lines are gone or changed)',
      '(55 lines as you know them)',
    ].join('\n'),
  })
  expect(await run('editFile', { path: 'a.ts', edits })).toMatchObject({ changed: ['a.ts'] })
  await put('a.ts', 'short now\n')
  expect(await run('editFile', { path: 'a.ts', edits })).toEqual({ ...stale, content: 'short now' })
  const others = Array.from({ length: 100 }, (_, row) => `let b${row + 1}`).join('\n')
  await put('a.ts', others)
  expect(await run('editFile', { path: 'a.ts', edits })).toEqual({ ...stale, content: others })
})
