import { execFileSync } from 'node:child_process'
import { lstat, mkdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestRunner } from './testing.ts'

const FILE = 'one\ntwo\n'
const refused = (tool: string, file: string, reason: string) => ({
  kind: 'edit.out-of-scope',
  callId: 'c1',
  tool,
  path: file,
  reason,
})

test('createFile makes folders and keeps the text byte for byte', async () => {
  const { root, run, index } = await openTestRunner({})
  const content = 'const a = "&amp;"\r\nlast'
  expect(await run('createFile', { path: './src/app/[id]/new.ts', content })).toEqual({
    text: 'Created src/app/[id]/new.ts (2 lines).',
    edits: [
      {
        path: 'src/app/[id]/new.ts',
        action: 'created',
        diff: '@@ -0,0 +1,2 @@\n+const a = "&amp;"\n+last\n\\ No newline at end of file\n',
        added: 2,
        removed: 0,
      },
    ],
    changed: ['src/app/[id]/new.ts'],
  })
  expect(await readFile(path.join(root, 'src/app/[id]/new.ts'), 'utf8')).toBe(content)
  expect(await index.files()).toEqual(['src/app/[id]/new.ts'])
})

test('createFile never replaces a file, nor makes the twin of one in other letter case', async () => {
  const { root, run } = await openTestRunner({ 'src/App.tsx': FILE, 'src/empty.ts': '' })
  const create = (file: string) => run('createFile', { path: file, content: 'x' })
  expect(await create('src/App.tsx')).toEqual(
    refused('createFile', 'src/App.tsx', 'the file exists already; change it with editFile'),
  )
  const twin = (file: string, existing: string) =>
    refused('createFile', file, `it differs from the existing ${existing} in letter case only; write the path as it is`)
  expect(await create('src/app.tsx')).toEqual(twin('src/app.tsx', 'src/App.tsx'))
  expect(await create('SRC/new.ts')).toEqual(twin('SRC/new.ts', 'src/new.ts'))
  expect(await create('src')).toEqual(refused('createFile', 'src', 'it is a folder'))
  expect(await create('src/App.tsx/b.ts')).toEqual(
    refused('createFile', 'src/App.tsx/b.ts', 'src/App.tsx is a file, so nothing can be in it'),
  )
  expect(await create('src/empty.ts')).toMatchObject({ changed: ['src/empty.ts'] })
  expect(await readFile(path.join(root, 'src/App.tsx'), 'utf8')).toBe(FILE)
})

test('createFile tells paths from what is none', async () => {
  const { run, index } = await openTestRunner({})
  const create = async (file: string) => {
    const result = await run('createFile', { path: file, content: 'x' })
    return 'kind' in result ? result.kind : result.changed
  }
  const none = [
    '}',
    'markdown',
    '```ts',
    '### src/a.ts',
    '"src/a.ts"',
    'src/a.ts:12',
    '`a.ts`',
    'a\nb.ts',
    ' a.ts',
    'a.ts ',
    '<path>',
    'src/*.ts',
    'src/a.ts,',
  ]
  for (const file of none) expect([file, await create(file)]).toEqual([file, 'call.invalid-arguments'])
  expect(await index.files()).toEqual([])
  const paths = [
    'Makefile',
    '.gitignore',
    'app/(shop)/[id]/page.tsx',
    'src/+page.svelte',
    'src/$id.tsx',
    'docs/änderung',
    'a b/c d.md',
    'x/[...all]',
  ]
  for (const file of paths) expect(await create(file)).toEqual([file])
  expect(await index.files()).toEqual([...paths].sort())
})

test('deleteFile and moveFile', async () => {
  const { root, run, index, text } = await openTestRunner({ 'a.ts': 'x\ny\n', 'b.ts': 'z\n', 'dir/c.ts': '' })
  expect(await run('deleteFile', { path: 'a.ts' })).toEqual({
    text: 'Deleted a.ts.',
    edits: [{ path: 'a.ts', action: 'deleted', diff: '@@ -1,2 +0,0 @@\n-x\n-y\n', added: 0, removed: 2 }],
    changed: ['a.ts'],
  })
  expect(await run('moveFile', { from: 'b.ts', to: 'src/deep/B.ts' })).toEqual({
    text: 'Moved b.ts to src/deep/B.ts.',
    edits: [{ path: 'src/deep/B.ts', action: 'moved', diff: '', added: 0, removed: 0 }],
    changed: ['b.ts', 'src/deep/B.ts'],
  })
  expect(await run('moveFile', { from: 'src/deep/B.ts', to: 'src/deep/b.ts' })).toMatchObject({
    text: 'Moved src/deep/B.ts to src/deep/b.ts.',
  })
  expect(await index.files()).toEqual(['dir/c.ts', 'src/deep/b.ts'])
  expect(await readFile(path.join(root, 'src/deep/b.ts'), 'utf8')).toBe('z\n')
  expect(await run('deleteFile', { path: 'dir' })).toEqual(refused('deleteFile', 'dir', 'it is not a regular file'))
  await run('createFile', { path: 'full.ts', content: 'full' })
  expect(await run('moveFile', { from: 'src/deep/b.ts', to: 'full.ts' })).toEqual(
    refused('moveFile', 'full.ts', 'the file exists already; change it with editFile'),
  )
  expect(await text('readFile', { path: 'src/deep/b.ts' })).toBe('1\tz')
})

test('a link inside is written through and stays a link; one that leaves is refused, and nothing outside changes', async () => {
  const { outer, root, run } = await openTestRunner({ 'conf.base.ts': 'const a = 1\n' })
  await symlink('conf.base.ts', path.join(root, 'conf.ts'))
  await mkdir(path.join(outer, 'out'))
  await symlink(path.join(outer, 'out'), path.join(root, 'link'))
  await symlink(path.join(outer, 'none.ts'), path.join(root, 'dangling'))
  const edits = [{ oldText: 'a = 1', newText: 'a = 2' }]
  expect(await run('editFile', { path: 'conf.ts', edits })).toMatchObject({ changed: ['conf.ts'] })
  expect((await lstat(path.join(root, 'conf.ts'))).isSymbolicLink()).toBe(true)
  expect(await readFile(path.join(root, 'conf.base.ts'), 'utf8')).toBe('const a = 2\n')
  const reason = 'a symbolic link leads out of the repository'
  expect(await run('createFile', { path: 'link/new.ts', content: 'x' })).toEqual(
    refused('createFile', 'link/new.ts', reason),
  )
  expect(await run('createFile', { path: 'dangling', content: 'x' })).toEqual(refused('createFile', 'dangling', reason))
  await expect(lstat(path.join(outer, 'none.ts'))).rejects.toThrow('ENOENT')
  await expect(lstat(path.join(outer, 'out/new.ts'))).rejects.toThrow('ENOENT')
})

test('outside of the root, .git and other repositories are not written', async () => {
  const { root, run } = await openTestRunner({ 'sub/a.ts': 'x\n', 'a.ts': 'x\n' })
  execFileSync('git', ['init', '-q', path.join(root, 'sub')])
  execFileSync('git', ['init', '-q', root])
  await symlink('sub', path.join(root, 'link'))
  const edits = [{ oldText: 'x', newText: 'y' }]
  const nested = 'sub is another repository (a submodule or an embedded one)'
  expect(await run('editFile', { path: 'sub/a.ts', edits })).toEqual(refused('editFile', 'sub/a.ts', nested))
  expect(await run('createFile', { path: 'sub/deep/b.ts', content: '' })).toEqual(
    refused('createFile', 'sub/deep/b.ts', nested),
  )
  expect(await run('createFile', { path: 'link/b.ts', content: '' })).toEqual(
    refused('createFile', 'link/b.ts', nested),
  )
  expect(await run('deleteFile', { path: 'sub/a.ts' })).toEqual(refused('deleteFile', 'sub/a.ts', nested))
  expect(await run('moveFile', { from: 'a.ts', to: 'sub/b.ts' })).toEqual(refused('moveFile', 'sub/b.ts', nested))
  expect(await run('createFile', { path: '.git/hooks/pre-commit', content: '' })).toEqual(
    refused('createFile', '.git/hooks/pre-commit', 'it is in a .git folder'),
  )
  expect(await run('createFile', { path: '../new.ts', content: '' })).toEqual(
    refused('createFile', '../new.ts', 'it is outside of the repository'),
  )
  expect(await run('editFile', { path: '/etc/hosts', edits })).toEqual(
    refused('editFile', '/etc/hosts', 'it is outside of the repository'),
  )
})

test('names with characters that nobody sees, and node_modules, are refused', async () => {
  const { root, run, index } = await openTestRunner({ 'a.ts': 'x\n', 'node_modules/p/index.js': 'x\n' })
  await mkdir(path.join(root, 'lib'))
  await symlink('../node_modules/p', path.join(root, 'lib/p'))
  const hidden = (tool: string, file: string, code: string) =>
    refused(tool, file, `its name holds the invisible character ${code}`)
  for (const [name, code] of [
    ['src/\u202eexe.ts', 'U+202E'],
    ['src/a\u200b.ts', 'U+200B'],
    ['a\ufeff.ts', 'U+FEFF'],
  ] as const) {
    expect(await run('createFile', { path: name, content: 'x' })).toEqual(hidden('createFile', name, code))
    expect(await run('moveFile', { from: 'a.ts', to: name })).toEqual(hidden('moveFile', name, code))
  }
  const reason = 'packages are installed, not edited'
  const edits = [{ oldText: 'x', newText: 'y' }]
  for (const file of ['node_modules/p/index.js', 'lib/p/index.js']) {
    expect(await run('editFile', { path: file, edits })).toEqual(refused('editFile', file, reason))
    expect(await run('deleteFile', { path: file })).toEqual(refused('deleteFile', file, reason))
  }
  for (const file of [
    'node_modules/q/index.js',
    'packages/a/node_modules/.bin/tsc',
    'Node_Modules/x.js',
    'lib/p/x.js',
  ]) {
    expect(await run('createFile', { path: file, content: 'x' })).toMatchObject({ kind: 'edit.out-of-scope' })
    expect(await run('moveFile', { from: 'a.ts', to: file })).toMatchObject({ kind: 'edit.out-of-scope' })
  }
  expect(await run('createFile', { path: 'node_modules_of_mine.ts', content: 'x' })).toMatchObject({ edits: [{}] })
  expect(await index.files()).toContain('a.ts')
})
