import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { sha256 } from '../lib/hash.ts'
import { git } from './git.ts'
import { plainGitDir } from './plain-repository.ts'

/** Where a tree is and where the state of its runs lives. All paths are absolute, links resolved. */
export interface StateLocation {
  readonly root: string
  readonly stateDir: string
  /** The git directory of this working tree; absent where the tree is not under git's control. */
  readonly gitDir?: string
}

/** A short name for a tree: linked worktrees share a state folder and are told apart by it. */
export function treeKey(root: string): string {
  return sha256(root).slice(0, 16)
}

/**
 * `<git common dir>/goatfied` in a git repository, so that no tool of the repository's ever sees it; else a folder for
 * this tree in the user's state directory. A folder that an enclosing repository ignores counts as not under git.
 * Throws (ENOENT) when `root` does not exist, and a `UserError` where there is a `.git` and git can't be run: a run that was
 * killed would not be found, nor its lock.
 */
export async function locateState(root: string): Promise<StateLocation> {
  const real = await realpath(root)
  const plain = await plainGitDir(real)
  if (plain !== undefined) return { root: real, stateDir: join(plain, 'goatfied'), gitDir: plain }
  const found = await git(['rev-parse', '--absolute-git-dir', '--git-common-dir', '--show-toplevel'], { cwd: real })
  if (!found.ok && found.code === undefined) demandNoGit(real, found.reason)
  const [gitDir, commonDir, top] = found.stdout.toString('utf8').split('\n')
  if (found.ok && gitDir && commonDir && top && !(await ignoredBy(top, real)))
    return { root: real, stateDir: join(resolve(real, commonDir), 'goatfied'), gitDir }
  return { root: real, stateDir: join(userStateDir(), 'trees', treeKey(real)) }
}

function demandNoGit(root: string, reason: string): void {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) {
      const why = `git can't be run (${reason}), and it is needed: ${folder} is a git repository`
      throw new UserError(why, EXIT.configuration)
    }
    if (dirname(folder) === folder) return
  }
}

async function ignoredBy(top: string, root: string): Promise<boolean> {
  if ((await realpath(top)) === root) return false
  return (await git(['check-ignore', '--quiet', '--', root], { cwd: top })).code === 0
}

/** The user's folder for state that is neither configuration nor cache. */
export function userStateDir(): string {
  const xdg = process.env.XDG_STATE_HOME
  if (xdg) return join(xdg, 'goatfied')
  if (process.platform === 'linux') return join(homedir(), '.local', 'state', 'goatfied')
  return envPaths('goatfied', { suffix: '' }).data
}
