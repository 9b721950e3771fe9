import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editorOf, git, gitStateOf, link, put, repository, temporaryFolder, treeOf } from './testing.ts'

const sh = async (root: string, script: string) => {
  execFileSync('sh', ['-c', script], { cwd: root, stdio: 'ignore' })
}

describe.each(['git', 'no git'])('a command of the repository, %s', (kind) => {
  async function start(files: Record<string, string>): Promise<string> {
    if (kind === 'git') return repository(files)
    const root = await temporaryFolder()
    process.env.XDG_STATE_HOME = await temporaryFolder()
    for (const [path, content] of Object.entries(files)) await put(root, path, content)
    return root
  }

  it('has what it changed, deleted and made given back', async () => {
    const root = await start({
      'a.ts': 'a\n',
      'gone.ts': 'gone\n',
      'd/same.ts': 's\n',
      '.gitignore': '*.log\n',
      'dirty.ts': '1\n',
    })
    await put(root, 'dirty.ts', '2\n', 0o600)
    await put(root, 'untracked.ts', 'u\n', 0o640)
    await put(root, 'gone.ts', 'gone\n', 0o660)
    await link(root, 'l', 'a.ts')
    await put(root, 'keep.log', 'log')
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    const { value, changed } = await tree.observe('ours', async () => {
      await sh(
        root,
        'echo x >> a.ts; rm gone.ts untracked.ts l; echo x > dirty.ts; chmod 755 d/same.ts; mkdir -p out/deep; echo o > out/deep/o; ln -s x l2; echo x > new.log; echo y > keep.log',
      )
      return 7
    })
    expect({ value, changed }).toEqual({
      value: 7,
      changed: ['a.ts', 'd/same.ts', 'dirty.ts', 'gone.ts', 'l', 'l2', 'out/deep/o', 'untracked.ts'],
    })
    const { restored, conflicts, displaced } = await snapshots.restore(snapshot)
    expect({ restored, conflicts }).toEqual({ restored: changed, conflicts: [] })
    expect(displaced?.map(({ path }) => path).sort()).toEqual(['a.ts', 'd/same.ts', 'dirty.ts', 'l2', 'out/deep/o'])
    expect(await treeOf(root)).toEqual({ ...before, 'keep.log': '644 y\n', 'new.log': '644 x\n' })
  })

  it('is not charged with what was changed before it', async () => {
    const root = await start({ 'a.ts': 'a', 'b.ts': 'b' })
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await put(root, 'a.ts', 'mine')
    await put(root, 'mine.ts', 'mine')
    const { changed } = await tree.observe('ours', () => sh(root, 'echo 2 > b.ts'))
    expect([changed, (await snapshots.restore(snapshot)).restored]).toEqual([['b.ts'], ['b.ts']])
    expect(await treeOf(root)).toEqual({ 'a.ts': '644 mine', 'b.ts': '644 b', 'mine.ts': '644 mine' })
  })

  it('keeps the bytes that it takes away or overwrites', async () => {
    const root = await start({ 'a.ts': 'a' })
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await tree.observe('ours', () => sh(root, 'printf command > a.ts; printf made > made.ts'))
    const { displaced = [] } = await snapshots.restore(snapshot)
    const kept = await Promise.all(displaced.map(async (one) => [one.path, await readFile(one.kept, 'utf8')]))
    expect([await treeOf(root), kept]).toEqual([
      { 'a.ts': '644 a' },
      [
        ['made.ts', 'made'],
        ['a.ts', 'command'],
      ],
    ])
  })

  it('shares its time with other commands and with edits', async () => {
    const root = await start({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' })
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    const outer = await tree.observe('ours', async () => {
      await sh(root, 'echo 1 > a.ts')
      await tree.write('b.ts', Buffer.from('edited'))
      const inner = await tree.observe('ours', () => sh(root, 'echo 2 > c.ts; echo 1 >> b.ts'))
      return inner.changed
    })
    expect(outer).toEqual({ value: ['b.ts', 'c.ts'], changed: ['a.ts', 'b.ts', 'c.ts'] })
    const { restored, conflicts } = await snapshots.restore(snapshot)
    expect({ restored, conflicts }).toEqual({ restored: ['a.ts', 'b.ts', 'c.ts'], conflicts: [] })
    expect(await treeOf(root)).toEqual(before)
  })

  it('that throws is accounted for as well', async () => {
    const root = await start({ 'a.ts': 'a' })
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    const run = tree.observe('ours', async () => {
      await sh(root, 'echo 1 > a.ts')
      throw new Error('deadline')
    })
    await expect(run).rejects.toThrow('deadline')
    expect((await snapshots.restore(snapshot)).restored).toEqual(['a.ts'])
  })

  it('puts files where folders were, and back', async () => {
    const root = await start({ 'd/a.ts': 'a', f: 'f' })
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await tree.observe('ours', () => sh(root, 'rm -r d f; echo x > d; mkdir f; echo y > f/y'))
    expect((await snapshots.restore(snapshot)).conflicts).toEqual([])
    expect(await treeOf(root)).toEqual(before)
  })

  it('does not own what its own change of the ignore rules shows', async () => {
    const root = await start({ '.gitignore': 'big\n', 'a.ts': 'a' })
    await put(root, 'big/file', 'precious')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    const { changed } = await tree.observe('ours', () => sh(root, 'rm .gitignore'))
    expect(changed).toEqual(['.gitignore'])
    await snapshots.restore(snapshot)
    expect(await treeOf(root)).toEqual(before)
  })
})

describe('under git', () => {
  it('gives converted line endings back as they were on disk', async () => {
    const root = await repository({ '.gitattributes': '*.txt text=auto\n' })
    git(root, 'config', 'core.autocrlf', 'true')
    await put(root, 'crlf.txt', 'a\r\nb\r\n')
    await put(root, 'lf.txt', 'a\nb\n')
    git(root, 'add', '-A')
    git(root, 'commit', '-q', '-m', 'text')
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await tree.observe('ours', () => sh(root, 'echo 1 > crlf.txt; rm lf.txt'))
    expect(await snapshots.restore(snapshot)).toMatchObject({ restored: ['crlf.txt', 'lf.txt'], conflicts: [] })
    expect(await treeOf(root)).toEqual(before)
  })

  it('leaves what a command stages or commits', async () => {
    const root = await repository({ 'a.ts': 'a' })
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    const { changed } = await tree.observe('ours', async () => {
      await put(root, 'a.ts', 'b')
      git(root, 'add', 'a.ts')
      git(root, 'commit', '-q', '-m', 'theirs')
    })
    const state = gitStateOf(root)
    expect([changed, (await snapshots.restore(snapshot)).restored]).toEqual([['a.ts'], ['a.ts']])
    expect(await treeOf(root)).toEqual({ 'a.ts': '644 a' })
    expect([gitStateOf(root).head, gitStateOf(root).index]).toEqual([state.head, state.index])
  })

  it('gives back what git is told not to look at', async () => {
    const root = await repository({ 'assumed.ts': 'a', 'skipped.ts': 's', 'sparse.ts': 'p', 'gone.ts': 'g' })
    git(root, 'update-index', '--assume-unchanged', 'assumed.ts')
    git(root, 'update-index', '--skip-worktree', 'skipped.ts', 'sparse.ts', 'gone.ts')
    await put(root, 'assumed.ts', 'mine')
    await put(root, 'skipped.ts', 'mine\r\n', 0o755)
    await rm(join(root, 'gone.ts'))
    const before = { tree: await treeOf(root), git: gitStateOf(root), hidden: git(root, 'ls-files', '-v') }
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    await tree.observe('ours', async () => {
      for (const name of ['assumed.ts', 'skipped.ts', 'gone.ts']) await put(root, name, 'command')
      await rm(join(root, 'sparse.ts'))
    })
    expect(await snapshots.restore(snapshot)).toMatchObject({
      restored: ['assumed.ts', 'gone.ts', 'skipped.ts', 'sparse.ts'],
      conflicts: [],
    })
    expect({ tree: await treeOf(root), git: gitStateOf(root), hidden: git(root, 'ls-files', '-v') }).toEqual(before)
  })

  it('works in a folder of the repository', async () => {
    const root = await repository({ 'packages/a/x.ts': 'x', 'other.ts': 'o' })
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(join(root, 'packages/a'))
    const snapshot = await snapshots.take('before')
    const { changed } = await tree.observe('ours', () => sh(root, 'echo 1 > packages/a/x.ts; echo 2 > packages/a/y.ts'))
    expect(changed).toEqual(['x.ts', 'y.ts'])
    await snapshots.restore(snapshot)
    expect(await treeOf(root)).toEqual(before)
  })

  it('leaves embedded repositories alone and survives an unborn HEAD', async () => {
    const root = await temporaryFolder()
    git(root, 'init', '-q')
    await put(root, 'staged.ts', 's')
    git(root, 'add', 'staged.ts')
    git(root, 'init', '-q', 'sub')
    await put(root, 'sub/x.ts', 'x')
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    const { changed } = await tree.observe('ours', () => sh(root, 'echo 1 > staged.ts; echo 1 > sub/x.ts'))
    expect(changed).toEqual(['staged.ts'])
    await tree.write('sub/x.ts', Buffer.from('edited'))
    await snapshots.restore(snapshot)
    await rm(join(root, 'sub/.git'), { recursive: true })
    expect(await treeOf(root)).toEqual({ 'staged.ts': '644 s', 'sub/': 'directory', 'sub/x.ts': '644 1\n' })
  })
})
