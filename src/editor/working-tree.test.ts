import { link as hardLink, lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../lib/hash.ts'
import { cases, editorOf, git, gitStateOf, link, put, repository, temporaryFolder, treeOf } from './testing.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the working tree', () => {
  it('reads bytes and their hash, through links, and nothing that is no file', async () => {
    const root = await repository({ 'a.ts': 'x\r\n', 'src/b.ts': '' })
    await link(root, 'l.ts', 'a.ts')
    const { tree } = await editorOf(root)
    const content = { bytes: bytes('x\r\n'), hash: sha256('x\r\n') }
    expect([await tree.read('a.ts'), await tree.read('l.ts'), await tree.read('b.ts'), await tree.read('src')]).toEqual(
      [content, content, undefined, undefined],
    )
  })

  it('keeps mode, links and hard links, makes folders, and gives all of it back', async () => {
    const root = await repository({ 'conf.base.ts': 'base', 'gone.ts': 'gone', 'from.ts': 'from' })
    await put(root, 'run.sh', '#!/bin/sh\n', 0o755)
    await put(root, 'one.ts', 'shared', 0o600)
    await link(root, 'conf.ts', 'conf.base.ts')
    await hardLink(join(root, 'one.ts'), join(root, 'two.ts'))
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await tree.write('run.sh', bytes('#!/bin/bash\n'))
    await tree.write('conf.ts', bytes('changed'))
    await tree.write('one.ts', bytes('for both'))
    await tree.write('deep/er/new.ts', bytes('new'))
    await tree.remove('gone.ts')
    await tree.move('from.ts', 'other/to.ts')
    expect(await treeOf(root)).toEqual({
      'conf.base.ts': '644 changed',
      'conf.ts': 'link conf.base.ts',
      'run.sh': '755 #!/bin/bash\n',
      'one.ts': '600 for both',
      'two.ts': '600 for both',
      'deep/': 'directory',
      'deep/er/': 'directory',
      'deep/er/new.ts': '644 new',
      'other/': 'directory',
      'other/to.ts': '644 from',
    })
    expect(await snapshots.restore(snapshot)).toEqual({
      restored: ['conf.base.ts', 'deep/er/new.ts', 'from.ts', 'gone.ts', 'one.ts', 'other/to.ts', 'run.sh'],
      conflicts: [],
    })
    expect(await treeOf(root)).toEqual(before)
    expect((await lstat(join(root, 'one.ts'))).ino).toBe((await lstat(join(root, 'two.ts'))).ino)
  })

  it('gives all hard links of a file back, whatever became of the name that was edited', async () => {
    const root = await repository({ 'one.ts': 'shared', 'other.ts': 'o' })
    await hardLink(join(root, 'one.ts'), join(root, 'two.ts'))
    await hardLink(join(root, 'one.ts'), join(root, 'three.ts'))
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const first = await snapshots.take('first')
    await tree.move('one.ts', 'zero.ts')
    await tree.write('three.ts', bytes('0'))
    await tree.move('zero.ts', 'one.ts')
    await tree.write('one.ts', bytes('1'))
    const second = await snapshots.take('second')
    const between = await treeOf(root)
    await tree.move('one.ts', 'moved.ts')
    await tree.write('two.ts', bytes('2'))
    await tree.observe('ours', () => writeFile(join(root, 'three.ts'), 'command'))
    await tree.write('moved.ts', bytes('3'))
    await tree.move('other.ts', 'moved.ts')
    await tree.remove('two.ts')
    expect(await treeOf(root)).toEqual({ 'moved.ts': '644 o', 'three.ts': '644 3' })
    expect([(await snapshots.restore(second)).conflicts, await treeOf(root)]).toEqual([[], between])
    await tree.write('two.ts', bytes('4'))
    expect([(await snapshots.restore(first)).conflicts, await treeOf(root)]).toEqual([[], before])
  })

  it('removes and moves a link itself', async () => {
    const root = await repository({ 'a.ts': 'a' })
    await link(root, 'l.ts', 'a.ts')
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await tree.move('l.ts', 'm.ts')
    await tree.remove('m.ts')
    expect(await treeOf(root)).toEqual({ 'a.ts': '644 a' })
    await snapshots.restore(snapshot)
    expect(await treeOf(root)).toEqual(before)
  })

  it.each([
    ['a link that leads out', 'out/file.ts', 'EACCES', 'lies outside of the repository'],
    ['a path with ..', '../file.ts', 'EACCES', 'lies outside of the repository'],
    ['a git directory', '.git/config', 'EACCES', 'lies inside of a git directory'],
    ['a folder', 'src', 'EISDIR', 'src is not a file'],
    ['a link to itself', 'loop', 'ELOOP', 'loop is a link that leads back to itself'],
    ['a file as folder', 'src/a.ts/b.ts', 'ENOTDIR', 'src/a.ts is not a folder'],
  ])('refuses %s for good', async (_, path, code, message) => {
    const root = await repository({ 'src/a.ts': 'a' })
    const outside = await temporaryFolder()
    await symlink(outside, join(root, 'out'))
    await symlink('loop', join(root, 'loop'))
    const before = await treeOf(root)
    const { tree } = await editorOf(root)
    await expect(tree.write(path, bytes('x'))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
    expect([await treeOf(root), await treeOf(outside)]).toEqual([before, {}])
  })

  it('leaves nothing behind when a write fails', async () => {
    const root = await repository({ file: 'a' })
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await expect(tree.write('file/below.ts', bytes('x'))).rejects.toThrow('file is not a folder')
    expect(await treeOf(root)).toEqual({ file: '644 a' })
    expect(await snapshots.restore(snapshot)).toEqual({ restored: [], conflicts: [] })
  })

  it('leaves what somebody else changed, and says so', async () => {
    const root = await repository({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' })
    const { tree, snapshots } = await editorOf(root)
    const first = await snapshots.take('first')
    for (const path of ['a.ts', 'b.ts', 'c.ts']) await tree.write(path, bytes('2'))
    await put(root, 'a.ts', 'mine')
    await put(root, 'c.ts', 'mine', 0o600)
    await put(root, 'theirs.ts', 'mine')
    const second = await snapshots.take('second')
    await tree.write('c.ts', bytes('3'))
    expect(await snapshots.restore(second)).toEqual({ restored: ['c.ts'], conflicts: [] })
    expect(await snapshots.restore(first)).toEqual({ restored: ['b.ts'], conflicts: ['a.ts', 'c.ts'] })
    expect(await treeOf(root)).toEqual({
      'a.ts': '644 mine',
      'b.ts': '644 1',
      'c.ts': '600 mine',
      'theirs.ts': '644 mine',
    })
  })
})

describe('properties', () => {
  const NAMES = [
    'plain.ts',
    'dir/näme ✓.ts',
    '-dash',
    'qu\'ote".ts',
    'new\nline',
    'dir/deep/run.sh',
    'crlf.txt',
    'ignored.log',
    'empty',
  ]
  const content = fc.oneof(
    fc.constantFrom('', 'text\n', 'a\r\nb\r\n', 'mixed\r\nends\n', '\x00\xff\xfe binary'),
    fc.string({ maxLength: 12 }),
  )
  const name = fc.constantFrom(...NAMES)
  const file = fc.record({
    path: name,
    content,
    mode: fc.constantFrom(0o644, 0o755, 0o600),
    link: fc.boolean(),
    committed: fc.boolean(),
    later: fc.constantFrom('nothing', 'staged', 'unstaged', 'both', 'deleted', 'removed'),
  })
  const action = fc.oneof(
    fc.record({
      do: fc.constant('write' as const),
      path: fc.oneof(name, fc.constantFrom('new.ts', 'dir/x/new.ts')),
      content,
    }),
    fc.record({ do: fc.constant('remove' as const), path: name }),
    fc.record({ do: fc.constant('move' as const), path: name, to: fc.constantFrom('moved.ts', 'dir/moved', 'a/b/c') }),
    fc.record({ do: fc.constant('snapshot' as const) }),
  )

  it('gives every tree back to the byte after any edits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 6 }),
        fc.array(action, { maxLength: 8 }),
        fc.boolean(),
        async (files, actions, autocrlf) => {
          const root = await repository({ '.gitignore': '*.log\n', 'target.ts': 't' })
          git(root, 'config', 'core.autocrlf', String(autocrlf))
          for (const { path, content, mode, link: isLink } of files)
            await (isLink ? link(root, path, 'target.ts') : put(root, path, bytes(content), mode))
          for (const { path, committed } of files) if (committed && path !== 'ignored.log') git(root, 'add', '--', path)
          git(root, 'commit', '-q', '--allow-empty', '-m', 'second')
          for (const { path, later, link: isLink, committed } of files) {
            if (!committed || isLink || path === 'ignored.log') continue
            if (later === 'staged' || later === 'both') {
              await put(root, path, 'staged\n')
              git(root, 'add', '--', path)
            }
            if (later === 'unstaged' || later === 'both') await put(root, path, 'unstaged\n', 0o755)
            if (later === 'deleted') git(root, 'rm', '-q', '-f', '--', path)
            if (later === 'removed') git(root, 'rm', '-q', '--cached', '--', path)
          }
          const before = { tree: await treeOf(root), git: gitStateOf(root) }
          const { tree, snapshots, close } = await editorOf(root)
          const snapshot = await snapshots.take('before')
          const seen: { id: Awaited<ReturnType<typeof snapshots.take>>; tree: Record<string, string> }[] = []
          for (const step of actions) {
            if (step.do === 'snapshot') seen.push({ id: await snapshots.take('again'), tree: await treeOf(root) })
            else if (step.do === 'write') await tree.write(step.path, bytes(step.content))
            else if (step.do === 'remove') await tree.remove(step.path)
            else if (
              before.tree[step.path] !== undefined &&
              (await lstat(join(root, step.path)).catch(() => undefined))
            )
              await tree
                .move(step.path, step.to)
                .catch((error: Error) => expect(error.message).toMatch(/is not a (file|folder)/))
          }
          for (const { id, tree: then } of seen.reverse()) {
            expect((await snapshots.restore(id)).conflicts).toEqual([])
            expect(await treeOf(root)).toEqual(then)
          }
          expect((await snapshots.restore(snapshot)).conflicts).toEqual([])
          expect({ tree: await treeOf(root), git: gitStateOf(root) }).toEqual(before)
          await close()
        },
      ),
      { numRuns: cases(15) },
    )
  }, 120_000)

  it('keeps the bytes of every state in the journal', async () => {
    const root = await repository({ 'a.ts': '1' })
    const { tree, close } = await editorOf(root)
    await tree.write('a.ts', bytes('2'))
    await close()
    const folder = join(root, '.git/goatfied/runs/run-1/editor')
    expect(await readFile(join(folder, 'blobs', sha256('1')), 'utf8')).toBe('1')
  })
})
