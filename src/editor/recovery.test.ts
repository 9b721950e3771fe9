import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, link as hardLink, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { restoreInterrupted } from './recovery.ts'
import { findInterrupted, findRun, type RecordedRun } from './run-folders.ts'
import { locateState } from './state-dir.ts'
import { cases, editorOf, gitStateOf, link, put, repository, temporaryFolder, treeOf } from './testing.ts'

/** Edits the tree at random, without end; or, told so, restores the first interrupted run. */
const CHILD = `
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEditor, restoreInterrupted } from './recovery.ts'
import { findInterrupted } from './run-folders.ts'
import { lockTree } from './lock.ts'
import { locateState } from './state-dir.ts'

const [root, what] = process.argv.slice(2)
const location = await locateState(root)
const lock = await lockTree(location.stateDir, location.root, 'run-1')
if (!lock.ok) throw new Error('locked')
const pick = (list) => list[Math.floor(Math.random() * list.length)]
if (what === 'restore') {
  const [run] = await findInterrupted(location.stateDir)
  console.log('ready')
  if (run !== undefined) await restoreInterrupted(run)
} else {
  const { tree, snapshots } = await openEditor({ ...location, runId: 'run-1' })
  console.log('ready')
  const names = ['a.ts', 'b.ts', 'dir/c.ts', 'one.ts', 'two.ts', 'new.ts', 'made/deep/new.ts', 'untracked.ts']
  let snapshot = await snapshots.take('first')
  for (;;) {
    const choice = Math.random()
    try {
      if (choice < 0.5) await tree.write(pick(names), Buffer.from(String(Math.random()).repeat(1 + Math.floor(Math.random() * 3000))))
      else if (choice < 0.6) await tree.remove(pick(names))
      else if (choice < 0.7) await tree.move(pick(names), pick(names))
      else if (choice < 0.8) await snapshots.restore(snapshot)
      else
        await tree.observe('ours', async () => {
          writeFileSync(join(root, 'made-by-command'), String(Math.random()))
          appendFileSync(join(root, 'a.ts'), 'command')
          rmSync(join(root, 'b.ts'), { force: true })
        })
    } catch (error) {
      if (!String(error).includes('there is no')) throw error
    }
  }
}
`

let bundle = ''
beforeAll(async () => {
  const result = await build({
    stdin: { contents: CHILD, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    write: false,
  })
  bundle = result.outputFiles[0]?.text ?? ''
})

async function start(root: string, what: 'edit' | 'restore'): Promise<ChildProcess> {
  const file = join(await temporaryFolder(), 'child.mjs')
  await writeFile(file, bundle)
  const child = spawn(process.execPath, [file, root, what], { stdio: ['ignore', 'pipe', 'inherit'] })
  await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
  return child
}

async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  if (child.exitCode !== null) throw new Error(`the child ended by itself: ${child.exitCode}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function dirtyRepository(): Promise<string> {
  const root = await repository({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'dir/c.ts': 'c\n', 'one.ts': 'one\n' })
  await hardLink(join(root, 'one.ts'), join(root, 'two.ts'))
  await put(root, 'b.ts', 'changed\r\n', 0o600)
  await put(root, 'untracked.ts', 'u', 0o755)
  await link(root, 'l.ts', 'a.ts')
  return root
}

async function onlyInterrupted(root: string): Promise<RecordedRun> {
  const runs = await findInterrupted((await locateState(root)).stateDir)
  expect(runs.map(({ runId, root: of, finished }) => ({ runId, of, finished }))).toEqual([
    { runId: 'run-1', of: root, finished: false },
  ])
  return runs[0] as RecordedRun
}

describe('a run that was killed', () => {
  it.each(Array.from({ length: cases(6) }, (_, index) => index))(
    'is given back whole, however often the restore is killed too (%i)',
    async () => {
      const root = await dirtyRepository()
      const before = { tree: await treeOf(root), git: gitStateOf(root) }
      await killAfter(await start(root, 'edit'), Math.random() * 400)
      for (let kills = 0; kills < 2; kills++) {
        const child = await start(root, 'restore')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      const { stateDir } = await locateState(root)
      const run = await findRun(stateDir, 'run-1')
      const report = run && (await restoreInterrupted(run))
      expect(report?.conflicts).toEqual([])
      expect({ tree: await treeOf(root), git: gitStateOf(root) }).toEqual(before)
      expect(await findInterrupted(stateDir)).toEqual([])
      expect(run && (await restoreInterrupted(run))).toEqual({ restored: [], conflicts: [] })
    },
    60_000,
  )

  it('is found with what it changed, keeps what a person changed since, and forgives a torn last line', async () => {
    const root = await dirtyRepository()
    const child = await start(root, 'edit')
    const journal = join(root, '.git/goatfied/runs/run-1/editor/journal.jsonl')
    const touched = async () => (await findRun(join(root, '.git/goatfied'), 'run-1'))?.changed.includes('dir/c.ts')
    while (!(await touched())) await new Promise((resolve) => setTimeout(resolve, 20))
    await killAfter(child, 0)
    await put(root, 'dir/c.ts', 'mine')
    await appendFile(journal, '{"type":"change","chan')
    const run = await onlyInterrupted(root)
    expect(run.changed).toContain('dir/c.ts')
    expect((await restoreInterrupted(run)).conflicts).toEqual(['dir/c.ts'])
    expect(await readFile(join(root, 'dir/c.ts'), 'utf8')).toBe('mine')
  }, 60_000)
})

describe('a run that ended well', () => {
  it('is not interrupted, and can be undone', async () => {
    const root = await dirtyRepository()
    const before = await treeOf(root)
    const editor = await editorOf(root)
    await editor.tree.write('a.ts', Buffer.from('better'))
    await editor.close()
    const { stateDir } = await locateState(root)
    const run = await findRun(stateDir, 'run-1')
    expect([await findInterrupted(stateDir), run?.finished, run?.changed]).toEqual([[], true, ['a.ts']])
    expect(run && (await restoreInterrupted(run))).toEqual({ restored: ['a.ts'], conflicts: [] })
    expect(await treeOf(root)).toEqual(before)
  })

  it('is nothing where there is no run', async () => {
    const { stateDir } = await locateState(await repository())
    expect([await findInterrupted(stateDir), await findRun(stateDir, 'run-1')]).toEqual([[], undefined])
  })

  it('refuses a journal that is damaged in the middle', async () => {
    const root = await dirtyRepository()
    const editor = await editorOf(root)
    await editor.tree.write('a.ts', Buffer.from('better'))
    const journal = join(root, '.git/goatfied/runs/run-1/editor/journal.jsonl')
    await writeFile(journal, `garbage\n${await readFile(journal, 'utf8')}`)
    await expect(findRun(join(root, '.git/goatfied'), 'run-1')).rejects.toThrow('journal.jsonl: line 1 is damaged')
  })
})
