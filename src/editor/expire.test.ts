import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expireRuns } from './expire.ts'
import { runNames } from './run-folders.ts'
import { locateState } from './state-dir.ts'
import { editorOf, git, repository, temporaryFolder } from './testing.ts'

/** A process that is gone, whatever this machine runs. */
const GONE = { pid: 2 ** 22 + 1, started: 'never' }
const named = /^run-\d$/

/** A run in the tree; `dead`: its process is gone. */
async function run(root: string, id: string, options: { finished: boolean; dead: boolean }): Promise<void> {
  const editor = await editorOf(root, id)
  await editor.snapshots.take('start')
  if (options.finished) await editor.close()
  if (!options.dead) return
  const { root: real, stateDir } = await locateState(root)
  const head = { ...GONE, runId: id, root: real, since: '2026-01-01T00:00:00.000Z' }
  await writeFile(join(stateDir, 'runs', id, 'editor/run.json'), JSON.stringify(head))
}

const refs = (root: string) =>
  git(root, 'for-each-ref', '--format=%(refname)', 'refs/goatfied').split('\n').filter(Boolean)

it('removes the oldest runs and their refs, and none that may still be needed', async () => {
  const root = await repository()
  const { stateDir } = await locateState(root)
  await run(root, 'run-0', { finished: true, dead: false })
  await run(root, 'run-1', { finished: false, dead: true })
  await run(root, 'run-2', { finished: true, dead: true })
  await run(root, 'other', { finished: true, dead: true })
  await run(root, 'run-3', { finished: true, dead: true })
  const linked = join(await temporaryFolder(), 'linked')
  git(root, 'worktree', 'add', '-q', linked)
  await run(linked, 'run-4', { finished: true, dead: true })
  await run(root, 'run-9', { finished: true, dead: true })
  for (const id of ['run-5', 'run-6']) await mkdir(join(stateDir, 'runs', id))
  await utimes(join(stateDir, 'runs/run-6'), 1, 1)
  const state = { ...(await locateState(root)), named }
  expect(await expireRuns({ ...state, keep: 8 })).toEqual([])
  expect(await expireRuns({ ...state, keep: 1 })).toEqual(['run-2', 'run-3', 'run-6'])
  const kept = ['other', 'run-0', 'run-1', 'run-4', 'run-5', 'run-9']
  expect((await runNames(stateDir)).sort()).toEqual(kept)
  expect(refs(root)).toEqual(kept.filter((id) => id !== 'run-5').map((id) => `refs/goatfied/${id}/start`))
  await rm(linked, { recursive: true })
  expect(await expireRuns({ ...state, keep: 1 })).toEqual(['run-4'])
})

it('does nothing where there are no runs', async () => {
  const root = await repository()
  expect(await expireRuns({ ...(await locateState(root)), keep: 1, named })).toEqual([])
})
