import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stampOf } from './file-state.ts'
import { git } from './git.ts'
import { isAlive } from './process-identity.ts'
import { editorFolder, findRun, readHead, runNames } from './run-folders.ts'
import { refsOf } from './snapshot.ts'

/** A folder in which no run has begun may be that of one that is just starting. */
const STARTING_MS = 24 * 3600_000

/**
 * Removes the oldest runs in `<stateDir>/runs` beyond the `keep` latest: their folders, and the refs of their snapshots. Only
 * folders whose names match `named`, which sort by time. Left are runs that are going on or were not finished, and those
 * of another working tree that is still there. Gives the names of those removed. The caller holds the lock of the tree.
 */
export async function expireRuns(options: {
  readonly root: string
  readonly stateDir: string
  readonly gitDir?: string
  readonly keep: number
  readonly named: RegExp
}): Promise<readonly string[]> {
  const { root, stateDir, keep, named } = options
  const names = (await runNames(stateDir)).filter((name) => named.test(name)).sort()
  const old: string[] = []
  for (const name of names.slice(0, Math.max(0, names.length - keep)))
    if (await isOver(stateDir, name, root)) old.push(name)
  if (old.length === 0) return []
  // The refs first: without its folder nobody would know of a run whose refs are left.
  if (options.gitDir !== undefined && !(await removeRefs(root, old))) return []
  for (const name of old) await rm(join(stateDir, 'runs', name), { recursive: true, force: true })
  return old
}

async function isOver(stateDir: string, name: string, root: string): Promise<boolean> {
  const head = await readHead(editorFolder(stateDir, name))
  if (head === undefined) return Date.now() - (await stat(join(stateDir, 'runs', name))).mtimeMs > STARTING_MS
  if (isAlive(head) || (head.root !== root && (await stampOf(head.root)) !== undefined)) return false
  // A journal that can't be read is a run that may still have to be given back.
  return (await findRun(stateDir, name).catch(() => undefined))?.finished === true
}

async function removeRefs(root: string, runs: readonly string[]): Promise<boolean> {
  const listed = await git(['for-each-ref', '--format=%(refname)', 'refs/goatfied/'], { cwd: root })
  if (!listed.ok) return false
  const prefixes = runs.map((run) => `${refsOf(run)}/`)
  const refs = listed.stdout.toString('utf8').split('\n')
  const doomed = refs.filter((ref) => prefixes.some((prefix) => ref.startsWith(prefix)))
  const input = doomed.map((ref) => `delete ${ref}\n`).join('')
  return input === '' || (await git(['update-ref', '--stdin'], { cwd: root, input })).ok
}
