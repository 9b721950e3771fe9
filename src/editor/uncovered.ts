import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { git, records } from './git.ts'
import { filtersOf } from './git-filters.ts'

/** What git shows and the run can't keep copies of: a name that is no UTF-8, a repository in the repository. */
export interface Uncovered {
  /** Names as git gives them, relative to the root. */
  readonly odd: readonly { readonly name: Buffer; readonly tracked: boolean }[]
  /** Repositories and submodules in the tree. */
  readonly nested: readonly string[]
}

/** For each such thing, in words for a person, a text that changes when it does. */
export type Fingerprints = Readonly<Record<string, string>>

/** Looking into a repository costs a process. */
const MOST_NESTED = 20
const MOST_STAMPS = 1000
const UNTRACKED = 'untracked '

export async function fingerprints(root: string, { odd, nested }: Uncovered): Promise<Fingerprints> {
  const found: Record<string, string> = {}
  for (const { name, tracked } of odd.slice(0, MOST_STAMPS)) {
    const path = Buffer.concat([Buffer.from(`${root}/`), name])
    found[`${name.toString('utf8')} (its name is no UTF-8)`] = (tracked ? '' : UNTRACKED) + (await stampAt(path))
  }
  for (const path of nested.slice(0, MOST_NESTED)) {
    const print = await repositoryPrint(join(root, path))
    if (print !== undefined) found[`${path.replace(/\/$/, '')} (a git repository of its own)`] = UNTRACKED + print
  }
  return found
}

/** What is not as it was. With `made` false, what is untracked and was not there before is left out. */
export function differing(before: Fingerprints, after: Fingerprints, made: boolean): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((what) => {
    if (before[what] === after[what]) return false
    return made || before[what] !== undefined || after[what]?.startsWith(UNTRACKED) === false
  })
}

/** Undefined for a submodule that is not checked out: git would speak of the repository around it. */
async function repositoryPrint(folder: string): Promise<string | undefined> {
  if ((await stampAt(join(folder, '.git'))) === '') return undefined
  const { off } = await filtersOf(folder)
  const status = await git(['status', '--porcelain=v2', '--branch', '-z', '--no-renames'], {
    cwd: folder,
    settings: off,
  })
  const hash = createHash('sha256').update(status.stdout)
  for (const record of records(status.stdout).slice(0, MOST_STAMPS)) {
    const path = /^(?:[?] |1 (?:\S+ ){7}|u (?:\S+ ){9})(.*)$/s.exec(record)?.[1]
    if (path !== undefined) hash.update(await stampAt(join(folder, path)))
  }
  return hash.digest('hex')
}

/** Empty where nothing is. */
async function stampAt(path: string | Buffer): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined)
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.mode}`
}
