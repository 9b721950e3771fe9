import { lstat, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyIndex, git, records } from './git.ts'

/** The outcome: the ref, or why there is none. A `limitation` beside a ref says what the commit does not hold. */
export interface StashCommit {
  readonly ref?: string
  readonly limitation?: string
}

/** Untracked files above these are not copied into the object database: they may be anything. */
const MOST_BYTES_OF_FILE = 8 << 20
const MOST_BYTES = 64 << 20

class Refused extends Error {}

/**
 * Builds a commit as `git stash` would (parents: HEAD, the index, the untracked files) beside the tree and names it `ref`,
 * so that `git stash apply <ref>` gives the state back even without us. It works on copies of the index: working tree,
 * index, HEAD and stash list are not touched. `scratch` is a folder for these copies. Never throws; if any call of git's fails there is no ref at all.
 */
export async function buildStashCommit(
  root: string,
  ref: string,
  label: string,
  scratch: string,
): Promise<StashCommit> {
  const folder = await mkdtemp(join(scratch, 'index-'))
  try {
    return await build(root, ref, label, folder)
  } catch (error) {
    return { limitation: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function build(root: string, ref: string, label: string, folder: string): Promise<StashCommit> {
  const top = (await text(root, ['rev-parse', '--show-toplevel'], 'find the working tree')).replace(/\n$/, '')
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: top })
  if (!head.ok)
    throw new Refused('there is no commit yet, so git can hold no snapshot; copies of the files are kept instead')
  const parent = head.stdout.toString('utf8').trim()
  if ((await text(top, ['ls-files', '-z', '--unmerged'], 'read the index')) !== '')
    throw new Refused(
      'there are unresolved conflicts, so git can hold no snapshot; copies of the files are kept instead',
    )

  const staged = await indexCopy(top, join(folder, 'staged'))
  const stagedTree = await id(top, ['write-tree'], 'write the staged files', staged)
  const stagedCommit = await id(
    top,
    ['commit-tree', stagedTree, '-p', parent, '-m', `index on ${label}`],
    'commit the index',
  )

  const tracked = await indexCopy(top, join(folder, 'tracked'))
  await text(top, ['add', '--update', '--', '.'], 'add the changed files', tracked)
  const tree = await id(top, ['write-tree'], 'write the changed files', tracked)

  const untracked = { GIT_INDEX_FILE: join(folder, 'untracked') }
  const listed = await git(['ls-files', '-z', '--others', '--exclude-standard'], { cwd: top })
  if (!listed.ok) throw new Refused(`git could not list the untracked files: ${listed.reason}`)
  const { chosen, leftOut } = await withinBounds(top, records(listed.stdout))
  await text(
    top,
    ['update-index', '--add', '-z', '--stdin'],
    'add the untracked files',
    untracked,
    chosen.map((path) => `${path}\0`).join(''),
  )
  const untrackedTree = await id(top, ['write-tree'], 'write the untracked files', untracked)
  const untrackedCommit = await id(
    top,
    ['commit-tree', untrackedTree, '-m', `untracked files on ${label}`],
    'commit the untracked files',
  )

  const parents = [parent, stagedCommit, untrackedCommit].flatMap((commit) => ['-p', commit])
  const commit = await id(top, ['commit-tree', tree, ...parents, '-m', `goatfied: ${label}`], 'commit the snapshot')
  await text(top, ['update-ref', ref, commit], 'name the snapshot')
  if (leftOut === 0) return { ref }
  return {
    ref,
    limitation: `${leftOut} large untracked ${leftOut === 1 ? 'file is' : 'files are'} not in the git snapshot`,
  }
}

async function indexCopy(top: string, to: string): Promise<{ GIT_INDEX_FILE: string }> {
  const { failed } = await copyIndex(top, to)
  if (failed !== undefined) throw new Refused(`git could not find the index: ${failed}`)
  return { GIT_INDEX_FILE: to }
}

async function text(
  cwd: string,
  args: readonly string[],
  what: string,
  env: Record<string, string> = {},
  input?: string,
): Promise<string> {
  const result = await git(args, {
    cwd,
    env,
    refresh: 'GIT_INDEX_FILE' in env,
    ...(input === undefined ? {} : { input }),
  })
  if (!result.ok) throw new Refused(`git could not ${what}: ${result.reason}`)
  return result.stdout.toString('utf8')
}

async function id(cwd: string, args: readonly string[], what: string, env?: Record<string, string>): Promise<string> {
  return (await text(cwd, args, what, env)).trim()
}

/** Files and links that are small enough. Embedded repositories, which git lists with a slash, are nobody's but their own. */
async function withinBounds(top: string, paths: readonly string[]): Promise<{ chosen: string[]; leftOut: number }> {
  const chosen: string[] = []
  let bytes = 0
  let leftOut = 0
  for (const path of paths) {
    if (path.endsWith('/')) continue
    const stats = await lstat(join(top, path)).catch(() => undefined)
    if (!stats?.isFile() && !stats?.isSymbolicLink()) continue
    if (stats.size > MOST_BYTES_OF_FILE || bytes + stats.size > MOST_BYTES) leftOut++
    else {
      chosen.push(path)
      bytes += stats.size
    }
  }
  return { chosen, leftOut }
}
