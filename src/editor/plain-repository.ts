import { constants } from 'node:fs'
import { access, lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOnPath } from '../lib/on-path.ts'

/** What may be in the configuration without a say in where the repository or its tree is. */
const SECTION = /^\[(?:core|user|init|branch "[^"\\]*"|remote "[^"\\]*")\]$/
const CORE_KEY =
  /^(?:repositoryformatversion = 0|bare = false|(?:filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf) = \w+)$/
const OTHER_KEY = /^(?:name|email|url|fetch|pushurl|remote|merge|rebase|defaultBranch) = [^\\"]*$/

/**
 * The git directory of the tree at `root` (absolute, links resolved), where it surely is the `.git` in it: an ordinary
 * clone, neither linked nor a submodule, of this user's, with nothing unusual in its configuration, and a git to work on it.
 * Undefined where only git itself can tell.
 */
export async function plainGitDir(root: string): Promise<string | undefined> {
  // Elsewhere owners are unknown, or the git that is found may be a stand-in that asks for the real one to be installed.
  if (process.platform !== 'linux' || process.env.GIT_CONFIG_COUNT !== undefined) return undefined
  const gitDir = join(root, '.git')
  try {
    const owner = process.geteuid?.()
    const folders = [root, gitDir, join(gitDir, 'objects'), join(gitDir, 'refs')]
    const stats = await Promise.all(folders.map((folder) => lstat(folder)))
    if (stats.some((one) => !one.isDirectory() || one.uid !== owner)) return undefined
    const [head, config, linked, found] = await Promise.all([
      readFile(join(gitDir, 'HEAD'), 'utf8'),
      readFile(join(gitDir, 'config'), 'utf8'),
      exists(join(gitDir, 'commondir')),
      isOnPath('git', process.env.PATH ?? ''),
    ])
    const isPlain = /^(?:ref: refs\/heads\/[^\n]+|[\da-f]{40})\n$/.test(head) && isOrdinary(config)
    return isPlain && !linked && found ? gitDir : undefined
  } catch {
    return undefined
  }
}

function isOrdinary(config: string): boolean {
  let inCore = false
  return config.split('\n').every((whole) => {
    const line = whole.trim()
    if (line === '') return true
    if (SECTION.test(line)) {
      inCore = line === '[core]'
      return true
    }
    return (inCore ? CORE_KEY : OTHER_KEY).test(line)
  })
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}
