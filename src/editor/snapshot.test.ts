import { chmod, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editorOf, git, gitStateOf, link, put, repository, temporaryFolder, treeOf } from './testing.ts'

const bytes = (text: string) => Buffer.from(text)

describe('the git snapshot', () => {
  it('holds staged, unstaged and untracked work as git stash does, and touches nothing', async () => {
    const root = await repository({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'gone.ts': 'g\n', 'run.sh': 'r\n' })
    await put(root, 'a.ts', 'staged\n')
    git(root, 'add', 'a.ts')
    await put(root, 'a.ts', 'unstaged\n')
    await put(root, 'run.sh', 'r\n', 0o755)
    git(root, 'rm', '-q', 'gone.ts')
    await put(root, 'new/näme.ts', 'untracked\n')
    await link(root, 'l', 'a.ts')
    const before = { tree: await treeOf(root), git: gitStateOf(root) }
    const { snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('attempt 1')
    expect(snapshot).toEqual({ id: 'attempt-1', ref: 'refs/goatfied/run-1/attempt-1' })
    expect({ tree: await treeOf(root), git: gitStateOf(root) }).toEqual(before)

    const clone = join(await temporaryFolder(), 'clone')
    git(root, 'clone', '-q', root, clone)
    git(clone, 'fetch', '-q', root, `${snapshot.ref}:${snapshot.ref}`)
    git(clone, 'stash', 'apply', '--index', '-q', snapshot.ref ?? '')
    expect({ tree: await treeOf(clone), status: gitStateOf(clone).status, index: gitStateOf(clone).index }).toEqual({
      tree: before.tree,
      status: before.git.status,
      index: before.git.index,
    })
  })

  it('of a clean tree is that of HEAD, beside a stash of the user’s', async () => {
    const root = await repository({ 'a.ts': 'a\n' })
    await put(root, 'a.ts', 'mine\n')
    git(root, 'stash', 'push', '-q')
    const before = gitStateOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    await tree.write('a.ts', bytes('x'))
    await snapshots.restore(snapshot)
    expect(gitStateOf(root)).toEqual(before)
    expect(git(root, 'rev-parse', `${snapshot.ref}^{tree}`)).toBe(git(root, 'rev-parse', 'HEAD^{tree}'))
  })

  it('runs no hook and inherits no redirection of git’s', async () => {
    const root = await repository({ 'a.ts': 'a\n' })
    for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'fsmonitor']) {
      await writeFile(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch '${root}/sentinel'\n`)
      await chmod(join(root, '.git/hooks', hook), 0o755)
    }
    const config = `${git(root, 'config', '--list', '--local')}`
    await writeFile(
      join(root, '.git/config'),
      `[core]\n\tfsmonitor = .git/hooks/fsmonitor\n[commit]\n\tgpgSign = true\n`,
    )
    const { tree, snapshots } = await editorOf(root)
    process.env.GIT_DIR = '/nonexistent'
    try {
      const snapshot = await snapshots.take('1')
      await tree.observe('ours', async () => tree.write('a.ts', bytes('x')))
      expect([snapshot.limitation, await snapshots.restore(snapshot)]).toEqual([
        undefined,
        { restored: ['a.ts'], conflicts: [] },
      ])
    } finally {
      delete process.env.GIT_DIR
    }
    expect([await treeOf(root), config.includes('fsmonitor')]).toEqual([{ 'a.ts': '644 a\n' }, false])
  })

  it('runs no filter, and holds the bytes of the tree', async () => {
    const root = await repository({ '.gitattributes': '*.dat filter=seen\n', 'a.dat': 'a\r\n', 'b.dat': 'b' })
    const ran = join(await temporaryFolder(), 'ran')
    for (const which of ['clean', 'smudge']) git(root, 'config', `filter.seen.${which}`, `touch '${ran}'; tr a-z A-Z`)
    git(root, 'config', 'filter.seen.required', 'true')
    await put(root, 'a.dat', 'changed\r\n')
    await put(root, 'new.dat', 'new\r\n')
    await utimes(join(root, 'b.dat'), 1, 1)
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    expect([snapshot.limitation, git(root, 'show', `${snapshot.ref}:a.dat`)]).toEqual([undefined, 'changed\r\n'])
    expect(git(root, 'show', `${snapshot.ref}^3:new.dat`)).toBe('new\r\n')
    await tree.observe('ours', async () => {
      for (const name of ['a.dat', 'b.dat', 'new.dat']) await rm(join(root, name))
    })
    expect([(await snapshots.restore(snapshot)).conflicts, await treeOf(root)]).toEqual([[], before])
    await expect(readFile(ran)).rejects.toThrow('ENOENT')
  })

  it('of a linked worktree and of one with a submodule and an embedded repository keeps to itself', async () => {
    const main = await repository({ 'a.ts': 'a\n' })
    const sub = await repository({ 's.ts': 's\n' })
    git(main, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'sub')
    git(main, 'commit', '-q', '-m', 'sub')
    git(main, 'init', '-q', 'embedded')
    const linked = join(await temporaryFolder(), 'linked')
    git(main, 'worktree', 'add', '-q', linked)
    for (const root of [main, linked]) {
      const before = { tree: await treeOf(root), git: gitStateOf(root) }
      const { tree, snapshots } = await editorOf(root, root === main ? 'one' : 'two')
      const snapshot = await snapshots.take('1')
      expect(snapshot.ref).toBe(`refs/goatfied/${root === main ? 'one' : 'two'}/1`)
      await tree.write('sub/s.ts', bytes('x'))
      await tree.write('embedded/e.ts', bytes('x'))
      expect((await snapshots.restore(snapshot)).conflicts).toEqual([])
      expect({ tree: await treeOf(root), git: gitStateOf(root) }).toEqual(before)
    }
  })
})

describe('where git can hold no snapshot', () => {
  it('before the first commit the journal does', async () => {
    const root = await temporaryFolder()
    git(root, 'init', '-q')
    await put(root, 'a.ts', 'a')
    git(root, 'add', 'a.ts')
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    await tree.write('a.ts', bytes('x'))
    expect([snapshot, await snapshots.restore(snapshot), await treeOf(root)]).toEqual([
      {
        id: '1',
        limitation: 'there is no commit yet, so git can hold no snapshot; copies of the files are kept instead',
      },
      { restored: ['a.ts'], conflicts: [] },
      { 'a.ts': '644 a' },
    ])
  })

  it('with conflicts in the index the journal does', async () => {
    const root = await repository({ 'a.ts': 'a\n' })
    git(root, 'checkout', '-q', '-b', 'other')
    await put(root, 'a.ts', 'other\n')
    git(root, 'commit', '-q', '-a', '-m', 'other')
    git(root, 'checkout', '-q', 'main')
    await put(root, 'a.ts', 'main\n')
    git(root, 'commit', '-q', '-a', '-m', 'main')
    expect(() => git(root, 'merge', 'other')).toThrow()
    const before = { tree: await treeOf(root), git: gitStateOf(root) }
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    await tree.write('a.ts', bytes('x'))
    await tree.observe('ours', async () => writeFile(join(root, 'a.ts'), 'y'))
    expect(snapshot).toEqual({ id: '1', limitation: expect.stringContaining('unresolved conflicts') })
    await snapshots.restore(snapshot)
    expect({ tree: await treeOf(root), git: gitStateOf(root) }).toEqual(before)
  })

  it('because an object is missing, there is no ref at all, and no trace of it', async () => {
    const root = await repository({ 'a.ts': 'a\n' })
    await put(root, 'a.ts', 'mine\n')
    git(root, 'add', 'a.ts')
    const object = git(root, 'rev-parse', ':a.ts').trim()
    await rm(join(root, '.git/objects', object.slice(0, 2), object.slice(2)))
    const { tree, snapshots } = await editorOf(root)
    const before = await readdir(join(root, '.git'))
    const snapshot = await snapshots.take('1')
    expect(snapshot).toEqual({ id: '1', limitation: expect.stringContaining('git could not write the snapshot: ') })
    expect([git(root, 'for-each-ref', 'refs/goatfied'), await readdir(join(root, '.git'))]).toEqual(['', before])
    await tree.write('a.ts', bytes('x'))
    expect(await snapshots.restore(snapshot)).toEqual({ restored: ['a.ts'], conflicts: [] })
    expect(await treeOf(root)).toEqual({ 'a.ts': '644 mine\n' })
  })

  it('says what it leaves out', async () => {
    const root = await repository()
    await put(root, 'out/data.bin', Buffer.alloc(9 << 20))
    const { snapshots } = await editorOf(root)
    expect(await snapshots.take('1')).toEqual({
      id: '1',
      ref: 'refs/goatfied/run-1/1',
      limitation: '1 large file is not in the git snapshot',
    })
  })
})

describe('what an attempt left', () => {
  it('can be put into the tree again, and be taken back', async () => {
    const root = await repository({ 'a.ts': 'a\n', 'gone.ts': 'g\n' })
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const first = await snapshots.take('1')
    await tree.write('a.ts', bytes('A\n'))
    await tree.write('d/new.ts', bytes('n'))
    await tree.remove('gone.ts')
    const after = await treeOf(root)
    await snapshots.keep('1', first)
    await snapshots.restore(first)
    const second = await snapshots.take('2')
    expect(await snapshots.reapply('1')).toEqual(['a.ts', 'd/new.ts', 'gone.ts'])
    expect(await treeOf(root)).toEqual(after)
    expect((await snapshots.restore(second)).conflicts).toEqual([])
    expect([await treeOf(root), await snapshots.reapply('none')]).toEqual([before, undefined])
  })

  it('is not put over what a person wrote since', async () => {
    const root = await repository({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
    const { tree, snapshots } = await editorOf(root)
    const first = await snapshots.take('1')
    await tree.write('a.ts', bytes('A\n'))
    await tree.write('b.ts', bytes('B\n'))
    await snapshots.keep('1', first)
    await snapshots.restore(first)
    await put(root, 'a.ts', 'mine\n')
    expect(await snapshots.reapply('1')).toEqual(['b.ts'])
    expect(await treeOf(root)).toEqual({ 'a.ts': '644 mine\n', 'b.ts': '644 B\n' })
  })
})
