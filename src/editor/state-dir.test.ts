import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { UserError } from '../core/user-error.ts'
import { locateState, treeKey, userStateDir } from './state-dir.ts'
import { git, put, repository, temporaryFolder } from './testing.ts'

const xdg = process.env.XDG_STATE_HOME
afterEach(() => {
  if (xdg === undefined) delete process.env.XDG_STATE_HOME
  else process.env.XDG_STATE_HOME = xdg
})

describe('where the state of runs lives', () => {
  it('is the git directory, which linked worktrees share', async () => {
    const root = await repository({ 'a/b.ts': '' })
    const linked = join(await temporaryFolder(), 'linked')
    git(root, 'worktree', 'add', '-q', linked)
    const stateDir = join(root, '.git/goatfied')
    expect([await locateState(root), await locateState(join(root, 'a')), await locateState(linked)]).toEqual([
      { root, stateDir, gitDir: join(root, '.git') },
      { root: join(root, 'a'), stateDir, gitDir: join(root, '.git') },
      { root: linked, stateDir, gitDir: join(root, '.git/worktrees/linked') },
    ])
    expect(treeKey(root)).not.toBe(treeKey(linked))
  })

  it('is the user’s state folder outside of git and in a folder that git ignores', async () => {
    process.env.XDG_STATE_HOME = '/state'
    const plain = await temporaryFolder()
    const root = await repository({ '.gitignore': 'scratch\n' })
    await put(root, 'scratch/a.ts', '')
    const scratch = join(root, 'scratch')
    expect([await locateState(plain), await locateState(scratch)]).toEqual([
      { root: plain, stateDir: `/state/goatfied/trees/${treeKey(plain)}` },
      { root: scratch, stateDir: `/state/goatfied/trees/${treeKey(scratch)}` },
    ])
  })

  it('is nowhere when git can’t be run in a repository', async () => {
    const [root, plain, path] = [await repository({ 'a/b.ts': '' }), await temporaryFolder(), process.env.PATH]
    process.env.PATH = '/nonexistent'
    try {
      const error = await locateState(join(root, 'a')).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UserError)
      expect(error).toMatchObject({ exitCode: 52, message: expect.stringContaining(`${root} is a git repository`) })
      expect(await locateState(plain)).not.toHaveProperty('gitDir')
    } finally {
      process.env.PATH = path
    }
  })

  it('is below the home of the user by default', () => {
    delete process.env.XDG_STATE_HOME
    expect(userStateDir().startsWith(homedir())).toBe(true)
  })
})
