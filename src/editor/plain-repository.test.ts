import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainGitDir } from './plain-repository.ts'
import { git, repository, temporaryFolder } from './testing.ts'

const linux = it.runIf(process.platform === 'linux')

linux('the .git of an ordinary clone, on a branch and off it', async () => {
  const root = await repository({ 'a.ts': '' })
  const clone = join(await temporaryFolder(), 'clone')
  git(root, 'clone', '-q', root, clone)
  git(root, 'checkout', '-q', '--detach')
  expect([await plainGitDir(root), await plainGitDir(clone)]).toEqual([join(root, '.git'), join(clone, '.git')])
})

linux.each<[string, (root: string) => Promise<unknown> | unknown]>([
  ['a tree elsewhere', (root) => git(root, 'config', 'core.worktree', '/tmp')],
  ['no tree', (root) => git(root, 'config', 'core.bare', 'true')],
  ['an extension', (root) => git(root, 'config', 'extensions.worktreeConfig', 'true')],
  ['an included file', (root) => git(root, 'config', 'include.path', 'more')],
  ['a key continued on the next line', (root) => appendFile(join(root, '.git/config'), '[user]\n\tname = a\\\n b\n')],
  ['a key beside its section', (root) => appendFile(join(root, '.git/config'), '[core] worktree = /tmp\n')],
  ['a common directory', (root) => writeFile(join(root, '.git/commondir'), '..\n')],
  ['a HEAD that is none', (root) => writeFile(join(root, '.git/HEAD'), 'nothing\n')],
  ['no objects', (root) => rm(join(root, '.git/objects'), { recursive: true })],
  [
    'a link',
    async (root) => {
      await rename(join(root, '.git'), join(root, 'real'))
      await symlink('real', join(root, '.git'))
    },
  ],
  [
    'a file',
    async (root) => {
      await rename(join(root, '.git'), join(root, 'real'))
      await writeFile(join(root, '.git'), 'gitdir: real\n')
    },
  ],
])('is left to git where there is %s', async (_, change) => {
  const root = await repository({ 'a.ts': '' })
  await change(root)
  expect(await plainGitDir(root)).toBeUndefined()
})

it('is none in a folder of a repository and outside of one', async () => {
  const root = await repository({ 'a/b.ts': '' })
  const plain = await temporaryFolder()
  await mkdir(join(plain, '.git'))
  expect([await plainGitDir(join(root, 'a')), await plainGitDir(plain)]).toEqual([undefined, undefined])
})
