import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, type FileState, stampOf } from './file-state.ts'
import type { Change } from './journal.ts'
import type { RunStore } from './run-store.ts'

/**
 * Files with several hard links are overwritten in place, so a change through one name is one of all. The journal has it
 * under every name that the run knows of, and under one of its own: a link in the run folder, by which the others are
 * given back even when the name that was edited is moved or removed later.
 */

const FOLDER = 'shared'

/** The journal's own name for an inode, relative to the root like every path. */
function nameOf(store: RunStore, stats: { readonly dev: bigint; readonly ino: bigint }): string {
  return store.relative(join(store.folder, FOLDER, `${stats.dev}-${stats.ino}`))
}

/**
 * Notes that a path which the run has not touched yet is one more name of a file which it has changed through another:
 * what was done to the file was done to the path. Does nothing for any other path.
 */
export async function noteAlias(store: RunStore, path: string): Promise<void> {
  const stats = await stampOf(store.absolute(path))
  if (!stats?.isFile() || stats.nlink < 2n) return
  const inode = nameOf(store, stats)
  if (store.history.inodes.has(inode) && !store.history.paths().has(path))
    await store.record({ type: 'alias', path, inode })
}

/** The changes that overwriting the file at `path` in place makes: one for each name of it that is known. */
export async function changesInPlace(
  store: RunStore,
  path: string,
  before: FileState,
  after: FileState,
): Promise<{ readonly changes: readonly Change[]; readonly inode?: string }> {
  const absolute = store.absolute(path)
  const stats = await stampOf(absolute)
  if (stats === undefined || stats.nlink < 2n) return { changes: [{ path, before, after, inPlace: true }] }
  await noteAlias(store, path)
  const inode = nameOf(store, stats)
  await linkTo(store, inode, absolute)
  const changes: Change[] = []
  for (const name of new Set([path, inode, ...store.history.paths()])) {
    const other = await stampOf(store.absolute(name))
    if (other?.ino === stats.ino && other.dev === stats.dev) changes.push({ path: name, before, after, inPlace: true })
  }
  return { changes, inode }
}

/** A state folder on another file system can't hold such a link; the names in the tree are all there is then. */
async function linkTo(store: RunStore, inode: string, absolute: string): Promise<void> {
  await mkdir(join(store.folder, FOLDER), { recursive: true, mode: 0o700 })
  await link(absolute, store.absolute(inode)).catch((error: unknown) => {
    if (!['EEXIST', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error
  })
}
