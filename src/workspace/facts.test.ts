import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CheckPlan } from '../core/verdict.ts'
import { createWorkspace } from './facts.ts'
import { createPathIndex } from './path-index.ts'

let root: string
const checks: readonly CheckPlan[] = [{ id: 'types', kind: 'types', tool: 'tsc', command: 'tsc --noEmit', cwd: '.' }]
const system = { platform: process.platform, nodeVersion: process.versions.node }

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'facts-')))
})
afterEach(() => rm(root, { recursive: true }))

const put = (file: string, text: string): Promise<void> => writeFile(path.join(root, file), text)
function git(...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'core.autocrlf=false']
  return execFileSync('git', [...identity, ...args], { cwd: root, env, encoding: 'utf8' }).trim()
}
/** `path` is where package managers are looked for. */
const facts = (path = root) =>
  createWorkspace(root, createPathIndex(root), async () => checks, path).facts('mend `wanted()`')

test('outside of git, without a package.json', async () => {
  await put('a.txt', '')
  expect(await facts()).toEqual({
    ...system,
    packageManager: 'npm',
    scripts: {},
    checks,
    topLevel: ['a.txt'],
    files: ['a.txt'],
    mentions: [],
    git: { kind: 'none' },
  })
})

test('before the first commit', async () => {
  git('init', '-q', '-b', 'trunk')
  expect((await facts()).git).toEqual({ kind: 'unborn', branch: 'trunk' })
})

test('in git: head, branch, and what is dirty, by plain names', async () => {
  git('init', '-q', '-b', 'main')
  await put('package.json', JSON.stringify({ name: 'x', scripts: { test: 'vitest', bad: 3 } }))
  await put('pnpm-lock.yaml', '')
  await put('old name.ts', 'const wanted = 1\nconst other = 2\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('mv', 'old name.ts', 'neü name.ts')
  await put('package.json', JSON.stringify({ scripts: { test: 'vitest' } }))
  await put('untracked file', '')
  expect(await facts()).toEqual({
    ...system,
    packageManager: 'npm (pnpm-lock.yaml is there, but pnpm is not installed)',
    scripts: { test: 'vitest' },
    checks,
    topLevel: ['neü name.ts', 'package.json', 'pnpm-lock.yaml', 'untracked file'],
    files: ['neü name.ts', 'package.json', 'pnpm-lock.yaml', 'untracked file'],
    mentions: [{ name: 'wanted', places: ['neü name.ts:1'] }],
    git: {
      kind: 'commit',
      head: git('rev-parse', 'HEAD'),
      branch: 'main',
      dirty: ['neü name.ts', 'package.json', 'untracked file'],
    },
  })
})

test('a detached head has no branch', async () => {
  git('init', '-q', '-b', 'main')
  git('commit', '-qm', 'first', '--allow-empty')
  git('checkout', '-q', '--detach')
  expect((await facts()).git).toEqual({ kind: 'commit', head: git('rev-parse', 'HEAD'), dirty: [] })
})

test.each([
  [
    { packageManager: 'yarn@4.1.0+sha224.abc' },
    'package-lock.json',
    'yarn',
    'npm (package.json names yarn, but yarn is not installed)',
  ],
  [{}, 'bun.lockb', 'bun', 'npm (bun.lockb is there, but bun is not installed)'],
  [{}, 'yarn.lock', 'yarn', 'npm (yarn.lock is there, but yarn is not installed)'],
  [{}, 'package-lock.json', 'npm', 'npm'],
])('%o and %s: %s, or %s', async (manifest, lockfile, manager, without) => {
  await put('package.json', JSON.stringify(manifest))
  await put(lockfile, '')
  const bin = path.join(root, 'bin')
  await mkdir(bin)
  await writeFile(path.join(bin, manager), '', { mode: 0o755 })
  expect([(await facts(bin)).packageManager, (await facts()).packageManager]).toEqual([manager, without])
})

test('a package.json that is not JSON has no scripts', async () => {
  await put('package.json', '{')
  expect((await facts()).scripts).toEqual({})
})
