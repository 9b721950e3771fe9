import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editorOf, git, put, repository, treeOf } from './testing.ts'

const bytes = (text: string) => Buffer.from(text)

/** A run whose baseline check did nothing, or what `baseline` does. */
async function begin(files: Readonly<Record<string, string>>, baseline = async (_: string) => {}) {
  const root = await repository(files)
  const before = await treeOf(root)
  const { tree, snapshots } = await editorOf(root)
  const snapshot = await snapshots.take('before')
  await tree.observe('kept', () => baseline(root))
  const check = (work: () => Promise<unknown>) => tree.observe('kept', work)
  return { root, before, tree, snapshots, check, restore: () => snapshots.restore(snapshot) }
}

/** What a report says of a path in doubt, and the bytes that it points to. */
async function doubtOf(conflicts: readonly string[], path: string): Promise<string | undefined> {
  const words = `${path} (a check or somebody else changed it; its former content is in `
  const told = conflicts.find((text) => text.startsWith(words))
  return told === undefined ? undefined : readFile(told.slice(words.length, -1), 'utf8')
}

describe('what the run touched and a check changed then is given back', () => {
  it.each([
    ['deleted', (tree: Awaited<ReturnType<typeof begin>>['tree']) => tree.remove('a.txt')],
    ['moved', (tree: Awaited<ReturnType<typeof begin>>['tree']) => tree.move('a.txt', 'b.txt')],
    ['edited', (tree: Awaited<ReturnType<typeof begin>>['tree']) => tree.write('a.txt', bytes('run'))],
  ])('when the file was %s and is written anew', async (_, act) => {
    const { root, before, tree, check, restore } = await begin({ 'a.txt': 'a' })
    await act(tree)
    await check(() => put(root, 'a.txt', 'check'))
    const { conflicts, displaced = [] } = await restore()
    const kept = await Promise.all(displaced.map(async (one) => [one.path, await readFile(one.kept, 'utf8')]))
    expect([conflicts, kept, await treeOf(root)]).toEqual([[], [['a.txt', 'check']], before])
  })

  it('when a folder stands in its place', async () => {
    const { root, before, tree, check, restore } = await begin({ 'a.txt': 'a' })
    await tree.write('a.txt', bytes('run'))
    await tree.write('made.txt', bytes('run'))
    await check(async () => {
      for (const path of ['a.txt', 'made.txt']) {
        await rm(join(root, path))
        await mkdir(join(root, path, 'deep'), { recursive: true })
        await writeFile(join(root, path, 'deep/in'), 'in')
      }
    })
    expect((await restore()).conflicts).toEqual([])
    expect(await treeOf(root)).toEqual(before)
  })

  it('with the copy of what was there, even when the model edits on top of it', async () => {
    const { root, before, tree, check, restore } = await begin({ 'a.txt': 'a\n' })
    await tree.write('a.txt', bytes('run\n'))
    await check(() => appendFile(join(root, 'a.txt'), 'by hand\n'))
    await tree.write('a.txt', bytes('again\nby hand\n'))
    const { conflicts, displaced = [] } = await restore()
    expect([conflicts, await treeOf(root)]).toEqual([[], before])
    expect(await readFile(displaced[0]?.kept ?? '', 'utf8')).toBe('again\nby hand\n')
  })

  it('but not any more once the run has given it back', async () => {
    const { root, tree, check, restore } = await begin({ 'a.txt': 'a' })
    await tree.write('a.txt', bytes('run'))
    await restore()
    await check(() => put(root, 'a.txt', 'by hand'))
    const { restored, conflicts } = await restore()
    expect([restored, await doubtOf(conflicts, 'a.txt'), await treeOf(root)]).toEqual([
      [],
      'a',
      { 'a.txt': '644 by hand' },
    ])
  })
})

describe('what the run did not touch', () => {
  it('stays and is reported when it changed during one check, before the first edit or after', async () => {
    const { root, tree, check, restore } = await begin({ 'a.txt': 'a', 'b.txt': 'b' }, (root) =>
      put(root, 'a.txt', 'by hand'),
    )
    await tree.write('new.txt', bytes('run'))
    await check(() => put(root, 'b.txt', 'by hand'))
    const { restored, conflicts, displaced } = await restore()
    expect({ restored, count: conflicts.length, displaced }).toEqual({
      restored: ['new.txt'],
      count: 2,
      displaced: undefined,
    })
    expect([await doubtOf(conflicts, 'a.txt'), await doubtOf(conflicts, 'b.txt')]).toEqual(['a', 'b'])
    expect(await treeOf(root)).toEqual({ 'a.txt': '644 by hand', 'b.txt': '644 by hand' })
  })

  it('is given back when checks change it time and again: to before the first, or to the snapshot', async () => {
    const { root, before, tree, snapshots, check, restore } = await begin({ 'log.txt': '0' }, (root) =>
      put(root, 'log.txt', '1'),
    )
    const attempt = await snapshots.take('attempt')
    await tree.write('new.txt', bytes('run'))
    await check(() => put(root, 'log.txt', '2'))
    expect([(await snapshots.restore(attempt)).conflicts, await treeOf(root)]).toEqual([[], { 'log.txt': '644 1' }])
    await check(() => put(root, 'log.txt', '3'))
    expect([(await restore()).conflicts, await treeOf(root)]).toEqual([[], before])
  })

  it('is not a check’s when somebody changed it between the checks', async () => {
    const { root, tree, check, restore } = await begin({ 'log.txt': '0' }, (root) => put(root, 'log.txt', '1'))
    await tree.write('new.txt', bytes('run'))
    await put(root, 'log.txt', 'by hand')
    await check(() => put(root, 'log.txt', 'by hand, more'))
    expect(await doubtOf((await restore()).conflicts, 'log.txt')).toBe('0')
    expect(await treeOf(root)).toEqual({ 'log.txt': '644 by hand, more' })
  })

  it('is given back when it is what tests write', async () => {
    const snap = 'src/__snapshots__/a.ts.snap'
    const { root, before, tree, check, restore } = await begin({ [snap]: 'old', 'coverage/index.html': 'old' })
    await tree.write('new.txt', bytes('run'))
    await check(async () => {
      await put(root, snap, 'new')
      await put(root, 'coverage/index.html', 'new')
    })
    expect([(await restore()).conflicts, await treeOf(root)]).toEqual([[], before])
  })

  it.each([
    ['committed', (root: string) => git(root, 'commit', '-qam', 'by hand')],
    ['staged', (root: string) => git(root, 'add', '-A')],
  ])('is a person’s when it was %s meanwhile, whatever it is', async (_, act) => {
    const { root, tree, check, restore } = await begin({ 'a.snap': 'a', 'log.txt': '0' }, (root) =>
      put(root, 'log.txt', '1'),
    )
    await tree.write('new.txt', bytes('run'))
    await check(async () => {
      await put(root, 'a.snap', 'by hand')
      await put(root, 'log.txt', 'by hand')
      act(root)
    })
    const { restored, conflicts } = await restore()
    const former = [await doubtOf(conflicts, 'a.snap'), await doubtOf(conflicts, 'log.txt')]
    expect([restored, former]).toEqual([['new.txt'], ['a', '0']])
    expect(await treeOf(root)).toMatchObject({ 'a.snap': '644 by hand', 'log.txt': '644 by hand' })
  })

  it('is left without a word when a check made it, however often it writes it', async () => {
    const { root, tree, check, restore } = await begin({}, (root) => put(root, 'out/report.xml', '1'))
    await tree.write('new.txt', bytes('run'))
    await check(() => put(root, 'out/report.xml', '2'))
    expect(await restore()).toEqual({ restored: ['new.txt'], conflicts: [] })
    expect(await treeOf(root)).toEqual({ 'out/': 'directory', 'out/report.xml': '644 2' })
  })

  it('is given back with its mixed line endings after a command of the model’s', async () => {
    const root = await repository({ 'mixed.txt': 'a\r\nb\n' })
    git(root, 'config', 'core.autocrlf', 'true')
    git(root, 'add', '--renormalize', '.')
    git(root, 'commit', '-q', '-m', 'lf')
    const before = await treeOf(root)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('before')
    await tree.observe('ours', () => appendFile(join(root, 'mixed.txt'), 'x\r\n'))
    expect([(await snapshots.restore(snapshot)).conflicts, await treeOf(root)]).toEqual([[], before])
  })
})

it('what is out of sight is named', async () => {
  const root = await repository({ 'a.txt': 'a' })
  const inner = await repository({ 's.txt': 's' })
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub')
  git(root, 'commit', '-q', '-m', 'sub')
  git(root, 'clone', '-q', inner, 'nested')
  const odd = Buffer.concat([bytes(`${root}/`), Buffer.from([0x62, 0xff])])
  await writeFile(odd, 'odd')
  const { tree, snapshots } = await editorOf(root)
  const snapshot = await snapshots.take('before')
  await tree.observe('kept', async () => execFileSync('git', ['status'], { cwd: root }))
  expect((await snapshots.restore(snapshot)).conflicts).toEqual([])
  await tree.observe('kept', async () => {
    await appendFile(join(root, 'sub/s.txt'), 'x')
    await appendFile(join(root, 'nested/s.txt'), 'x')
    await appendFile(odd, 'x')
  })
  expect([...(await snapshots.restore(snapshot)).conflicts].sort()).toEqual([
    'not covered: b\ufffd (its name is no UTF-8)',
    'not covered: nested (a git repository of its own)',
    'not covered: sub (a git repository of its own)',
  ])
})
