import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from './file-state.ts'
import { git, line } from './git.ts'
import { filtersOf } from './git-filters.ts'
import { type Entry, importStream } from './import-stream.ts'
import { parseStatus, type Standing } from './status-records.ts'

/** The outcome: the ref, or why there is none. A `limitation` beside a ref says what the commit does not hold. */
export interface StashCommit {
  readonly ref?: string
  readonly limitation?: string
}

/** Files above these are not copied into the object database: they may be anything. */
const MOST_BYTES_OF_FILE = 8 << 20
const MOST_BYTES = 64 << 20

class Refused extends Error {}

/**
 * Builds a commit as `git stash` would (parents: HEAD, the index, the untracked files) beside the tree and names it `ref`,
 * so that `git stash apply <ref>` gives the state back even without us. Blobs have the bytes of the tree: no filter runs.
 * Working tree, index, HEAD and stash list are not touched. Never throws; where a call of git's fails there is no ref at all.
 */
export async function buildStashCommit(root: string, ref: string, label: string): Promise<StashCommit> {
  try {
    return await build(root, ref, label)
  } catch (error) {
    return { limitation: error instanceof Error ? error.message : String(error) }
  }
}

async function build(root: string, ref: string, label: string): Promise<StashCommit> {
  const [{ top, gitDir }, standing] = await Promise.all([placesOf(root), standingOf(root)])
  const files = contentsOf(top, standing)
  const limits = limitationOf(files.leftOut)
  const state = stateKey(standing, files)
  const last = built.get(root)
  // Most attempts begin where the run did: one more name is enough then.
  if (last?.state === state && (await git(['update-ref', ref, last.commit], { cwd: root })).ok)
    return { ref, ...limits }
  const stream = importStream({ ref, label, head: standing.head, staged: standing.staged, ...files })
  const args = ['fast-import', '--quiet', '--done', '--force']
  const made = await git(args, { cwd: root, input: stream })
  if (!made.ok) {
    // What git writes of its own failure is of no use to anybody.
    if (made.pid !== undefined) await rm(join(gitDir, `fast_import_crash_${made.pid}`), { force: true })
    throw new Refused(`git could not write the snapshot: ${made.reason}`)
  }
  built.set(root, { state, commit: line(made.stdout) })
  return { ref, ...limits }
}

/** The last commit that was built for a tree in this process. */
const built = new Map<string, { readonly state: string; readonly commit: string }>()

/** Differs whenever the commit would hold something else. */
function stateKey({ head, staged }: Committed, { changed, untracked }: Contents): string {
  const hash = createHash('sha256').update(head)
  for (const list of [staged, changed, untracked]) {
    hash.update(`\0\0${list.length}`)
    for (const { path, object, blob } of list) {
      hash.update(path).update(`\0${object?.mode} ${object?.name} ${blob?.mode} ${blob?.content.length}\0`)
      if (blob !== undefined) hash.update(blob.content)
    }
  }
  return hash.digest('hex')
}

function limitationOf(leftOut: number): { readonly limitation?: string } {
  if (leftOut === 0) return {}
  return { limitation: `${leftOut} large ${leftOut === 1 ? 'file is' : 'files are'} not in the git snapshot` }
}

interface Places {
  readonly top: string
  readonly gitDir: string
}

const places = new Map<string, Promise<Places>>()

/** Looked up once in a process: neither moves while a run works there. */
function placesOf(root: string): Promise<Places> {
  const known = places.get(root) ?? findPlaces(root)
  places.set(root, known)
  return known
}

async function findPlaces(root: string): Promise<Places> {
  const found = await git(['rev-parse', '--show-toplevel', '--absolute-git-dir'], { cwd: root })
  const [top, gitDir] = line(found.stdout).split('\n')
  if (!found.ok || !top || !gitDir) throw new Refused(`git could not find the working tree: ${found.reason}`)
  return { top, gitDir }
}

interface Committed extends Standing {
  readonly head: string
}

async function standingOf(root: string): Promise<Committed> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames']
  const { off } = await filtersOf(root)
  const listed = await git([...args, '--no-ahead-behind', '--ignore-submodules=dirty'], { cwd: root, settings: off })
  if (!listed.ok) throw new Refused(`git could not say what is in the tree: ${listed.reason}`)
  const standing = parseStatus(listed.stdout)
  const { head } = standing
  if (head === undefined)
    throw new Refused('there is no commit yet, so git can hold no snapshot; copies of the files are kept instead')
  if (standing.unmerged)
    throw new Refused(
      'there are unresolved conflicts, so git can hold no snapshot; copies of the files are kept instead',
    )
  return { ...standing, head }
}

interface Contents {
  readonly changed: readonly Entry[]
  readonly untracked: readonly Entry[]
  readonly leftOut: number
}

/** What is at the paths that differ from the index, small enough; a path that is gone is so, too. */
function contentsOf(top: string, { changed, untracked }: Standing): Contents {
  let bytes = 0
  let leftOut = 0
  // Synchronous calls take a tenth of the time, and the bytes are bounded.
  const entryOf = ({ path, mode }: { readonly path: Buffer; readonly mode?: string }): Entry | undefined => {
    const absolute = Buffer.concat([Buffer.from(`${top}/`), path])
    const stats = statsOf(absolute)
    if (stats === undefined || (!stats.isFile() && !stats.isSymbolicLink())) return { path }
    if (stats.size > MOST_BYTES_OF_FILE || bytes + stats.size > MOST_BYTES) {
      leftOut++
      return undefined
    }
    bytes += stats.size
    if (!stats.isFile()) return { path, blob: { mode: '120000', content: readlinkSync(absolute, 'buffer') } }
    return { path, blob: { mode: regular(mode) ?? regularOf(stats), content: readFileSync(absolute) } }
  }
  const entries = (list: readonly { readonly path: Buffer; readonly mode?: string }[]) =>
    list.map(entryOf).filter((entry) => entry !== undefined)
  const tracked = entries(changed)
  return { changed: tracked, untracked: entries(untracked).filter(({ blob }) => blob !== undefined), leftOut }
}

function statsOf(absolute: Buffer): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })
  } catch (error) {
    // A file stands where a folder of the path was.
    if (errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** The mode that git sees, which is not that of the file where the repository says that modes don't count. */
function regular(mode: string | undefined): string | undefined {
  return mode === '100644' || mode === '100755' ? mode : undefined
}

function regularOf({ mode }: Stats): string {
  return mode & 0o100 ? '100755' : '100644'
}
