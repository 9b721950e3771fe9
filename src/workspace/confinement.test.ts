import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { confine } from './confinement.ts'

let outer: string
let root: string

beforeEach(async () => {
  outer = await realpath(await mkdtemp(path.join(os.tmpdir(), 'confinement-')))
  root = path.join(outer, 'repo')
  await mkdir(path.join(root, 'src'), { recursive: true })
  await mkdir(path.join(root, '.git'))
  await mkdir(path.join(outer, 'repo-evil'))
  await writeFile(path.join(root, 'src/a.ts'), '')
})

afterEach(() => rm(outer, { recursive: true }))

test.each(['src/a.ts', './src/a.ts', 'src//a.ts', 'src\\a.ts', 'src/../src/a.ts', 'nowhere/../src/a.ts'])(
  '%s is src/a.ts',
  async (written) => {
    expect(await confine(root, written)).toEqual({ ok: true, path: 'src/a.ts' })
  },
)

test('an absolute path inside of the root, also by a link to the root', async () => {
  await symlink(root, path.join(outer, 'link'))
  expect(await confine(root, path.join(root, 'src/a.ts'))).toEqual({ ok: true, path: 'src/a.ts' })
  expect(await confine(path.join(outer, 'link'), path.join(root, 'src/a.ts'))).toEqual({ ok: true, path: 'src/a.ts' })
  expect(await confine(path.join(outer, 'link'), 'src/new.ts')).toEqual({ ok: true, path: 'src/new.ts' })
})

test.each([
  ['.', '.'],
  ['', '.'],
  ['new/deep/b.ts', 'new/deep/b.ts'],
  ['app/(shop)/[id]/page.tsx', 'app/(shop)/[id]/page.tsx'],
  ['..a/b.ts', '..a/b.ts'],
  ['.github/x.yml', '.github/x.yml'],
])('%s need not exist', async (written, plain) => {
  expect(await confine(root, written)).toEqual({ ok: true, path: plain })
})

test('a file whose name has a backslash is taken literally', async () => {
  await writeFile(path.join(root, 'odd\\name.ts'), '')
  expect(await confine(root, 'odd\\name.ts')).toEqual({ ok: true, path: 'odd\\name.ts' })
})

const OUTSIDE = { ok: false, reason: 'it is outside of the repository' }
test.each(['..', '../x.ts', 'src/../../x.ts', '/etc/passwd', '..\\x.ts'])('%s is outside', async (written) => {
  expect(await confine(root, written)).toEqual(OUTSIDE)
})

test('a sibling whose name begins alike is outside', async () => {
  expect(await confine(root, `${root}-evil/x.ts`)).toEqual(OUTSIDE)
})

test.each(['.git', '.git/config', 'sub/.git/config', '.GIT/config', './src/../.git/HEAD'])(
  '%s is refused',
  async (written) => {
    expect(await confine(root, written)).toEqual({ ok: false, reason: 'it is in a .git folder' })
  },
)

test('a null character is refused', async () => {
  expect(await confine(root, 'src/a\0.ts')).toEqual({ ok: false, reason: 'it contains a null character' })
})

test('links inside are followed, links that leave are refused, also dangling ones and for files below', async () => {
  await symlink(path.join(root, 'src'), path.join(root, 'inside'))
  await symlink('a.ts', path.join(root, 'src/alias.ts'))
  await symlink(outer, path.join(root, 'out'))
  await symlink(path.join(outer, 'none.ts'), path.join(root, 'dangling'))
  await symlink('out', path.join(root, 'twice'))
  await symlink('.git', path.join(root, 'git'))
  await symlink('round', path.join(root, 'round'))
  const leaves = { ok: false, reason: 'a symbolic link leads out of the repository' }
  const confined = await Promise.all(
    [
      'inside/a.ts',
      'inside/new.ts',
      'src/alias.ts',
      'out/new.ts',
      'out',
      'dangling',
      'twice/deep/new.ts',
      'git/config',
      'round',
    ].map((each) => confine(root, each)),
  )
  expect(confined).toEqual([
    { ok: true, path: 'inside/a.ts' },
    { ok: true, path: 'inside/new.ts' },
    { ok: true, path: 'src/alias.ts' },
    leaves,
    leaves,
    leaves,
    leaves,
    { ok: false, reason: 'a symbolic link leads into a .git folder' },
    { ok: false, reason: 'its symbolic links lead in a circle' },
  ])
})
