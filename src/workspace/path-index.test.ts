import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPathIndex } from './path-index.ts'

let root: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'path-index-')))
})
afterEach(() => rm(root, { recursive: true }))

async function put(...files: string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), `${file}\n`)
  }
}

function git(...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always']
  execFileSync('git', [...identity, ...args], { cwd: root, env, stdio: 'pipe' })
}

test('in git: tracked and untracked files, neither ignored nor deleted ones, nor other repositories', async () => {
  await put('src/a.ts', 'src/gone.ts', 'ünï "quoted"\n.ts', 'app/(shop)/[id]/page.tsx', 'tracked.log')
  git('init', '-q', '-b', 'main')
  git('init', '-q', 'embedded')
  await put('embedded/x.ts')
  git('-C', 'embedded', 'add', '.')
  git('-C', 'embedded', 'commit', '-qm', 'x')
  git('submodule', '--quiet', 'add', './embedded', 'sub')
  git('add', '-f', 'src', 'app', 'tracked.log', 'ünï "quoted"\n.ts')
  git('commit', '-qm', 'first')
  await put('.gitignore', 'new/untracked.ts', 'dist/out.js', 'other.log')
  await writeFile(path.join(root, '.gitignore'), 'dist/\n*.log\n')
  await rm(path.join(root, 'src/gone.ts'))
  await symlink('src/a.ts', path.join(root, 'link.ts'))
  const index = createPathIndex(root)
  expect(await index.files()).toEqual(
    [
      '.gitignore',
      '.gitmodules',
      'app/(shop)/[id]/page.tsx',
      'link.ts',
      'new/untracked.ts',
      'src/a.ts',
      'tracked.log',
      'ünï "quoted"\n.ts',
    ].sort(),
  )
  expect(await index.directories()).toEqual(['app', 'app/(shop)', 'app/(shop)/[id]', 'new', 'src'])
})

test('without git: a walk that honours ignore files at every level', async () => {
  await put(
    'src/a.ts',
    'src/b.log',
    'src/keep.log',
    'node_modules/x/index.js',
    'dist/out.js',
    'pkg/.gitignore',
    'pkg/secret.ts',
    'pkg/src/c.ts',
  )
  await writeFile(path.join(root, '.gitignore'), 'dist\n*.log\n')
  await writeFile(path.join(root, 'src/.gitignore'), '!keep.log\n')
  await writeFile(path.join(root, 'pkg/.gitignore'), '/secret.ts\n')
  expect(await createPathIndex(root).files()).toEqual([
    '.gitignore',
    'pkg/.gitignore',
    'pkg/src/c.ts',
    'src/.gitignore',
    'src/a.ts',
    'src/keep.log',
  ])
})

test('a folder that an outer repository ignores is walked', async () => {
  git('init', '-q')
  await put('scratch/src/a.ts')
  await writeFile(path.join(root, '.gitignore'), 'scratch\n')
  expect(await createPathIndex(path.join(root, 'scratch')).files()).toEqual(['src/a.ts'])
})

test('is told of files that come and go; everything asked afterwards knows', async () => {
  await put('src/a.ts', 'src/b.ts')
  const index = createPathIndex(root)
  expect((await index.rank('lib/c.ts', 'file', 1)).map((each) => each.path)).toEqual(['src/a.ts'])
  await put('lib/c.ts')
  await rm(path.join(root, 'src/b.ts'))
  index.changed(['lib/c.ts', 'src/b.ts', 'src/a.ts', 'never/was.ts'])
  expect(await index.files()).toEqual(['lib/c.ts', 'src/a.ts'])
  expect(await index.directories()).toEqual(['lib', 'src'])
  expect(await index.rank('lib/c.ts', 'file', 1)).toEqual([{ path: 'lib/c.ts', score: 1 }])
  expect((await index.rank('libs', 'directory', 1)).map((each) => each.path)).toEqual(['lib'])
  // As a rollback does.
  await rm(path.join(root, 'lib'), { recursive: true })
  await put('src/b.ts')
  expect(await index.files()).toEqual(['src/a.ts', 'src/b.ts'])
})

test('an empty repository has an empty index', async () => {
  const index = createPathIndex(root)
  expect([await index.files(), await index.directories(), await index.rank('a', 'file', 5)]).toEqual([[], [], []])
  expect(await index.confine('./a.ts')).toEqual({ ok: true, path: 'a.ts' })
})
