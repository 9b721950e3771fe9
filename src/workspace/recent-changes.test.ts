import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPathIndex } from './path-index.ts'
import { recentlyChanged } from './recent-changes.ts'

let root: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'recent-changes-')))
})
afterEach(() => rm(root, { recursive: true }))

async function commit(files: readonly string[], text: string): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), text)
  }
  git('add', '.')
  git('commit', '-qm', text)
}

function git(...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com']
  execFileSync('git', [...identity, ...args], { cwd: root, env, stdio: 'pipe' })
}

test('the files of the last commits, oldest first, but for commits that touch very many', async () => {
  git('init', '-q')
  await commit(['src/a.ts', 'ünï "quoted"\n.ts', 'pkg/b.ts'], 'one')
  await commit(
    Array.from({ length: 101 }, (_, n) => `generated/${n}.ts`),
    'two',
  )
  await commit(['pkg/c.ts', 'src/a.ts'], 'three')
  expect(await recentlyChanged(root)).toEqual(['pkg/b.ts', 'src/a.ts', 'ünï "quoted"\n.ts', 'pkg/c.ts'])
  expect(await recentlyChanged(path.join(root, 'pkg'))).toEqual(['b.ts', 'c.ts'])
})

test('none without git, and none before the first commit', async () => {
  expect(await recentlyChanged(root)).toEqual([])
  git('init', '-q')
  expect(await recentlyChanged(root)).toEqual([])
})

test('of equally good paths the index names first the one that the task names, then what the model saw, then what changed lately', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((folder) => `packages/${folder}/src/index.ts`)
  git('init', '-q')
  // The first commit is a sweep.
  await commit([...all, ...Array.from({ length: 101 }, (_, n) => `generated/${n}.txt`)], 'one')
  await commit(['packages/c/src/index.ts'], 'two')
  const index = createPathIndex(root)
  index.mentioned(['packages/d/src/index.ts'], 'conversation')
  index.mentioned(['e/src/index.ts'], 'task')
  const ranked = await index.rank('src/index.ts', 'file', 5)
  expect(ranked.map((each) => each.path)).toEqual(
    ['e', 'd', 'c', 'a', 'b'].map((folder) => `packages/${folder}/src/index.ts`),
  )
  expect(new Set(ranked.map(({ score }) => score)).size).toBe(1)
})
