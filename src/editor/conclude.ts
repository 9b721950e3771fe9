import { dirname } from 'node:path'
import { FailureError } from '../core/failure.ts'
import { ABSENT, inspect, sameContent, sameState, stampOf } from './file-state.ts'
import { changedPaths, cleanStates, GitUnusable } from './git-picture.ts'
import type { Change } from './journal.ts'
import { inodeIn, type Picture, stampText, surelySame } from './picture.ts'
import type { RunStore } from './run-store.ts'
import { walk } from './walk-picture.ts'

/** An observation: the picture before it, and where in the journal it began. */
export interface Observation {
  readonly number: number
  readonly mark: number
  readonly picture: Picture
  /** What a restore does with files that the command made. */
  readonly created: 'ours' | 'kept'
}

export interface Conclusion {
  /** Everything that differs from the picture. */
  readonly changed: readonly string[]
  /** Paths that changed after the run's last sign of life, so that somebody else may have done it. */
  readonly late: readonly string[]
}

/** A directory's time of birth comes from a coarser clock than ours. */
const GRAIN_MS = 10

/**
 * Compares the tree with the picture and records in the journal what the command changed. With `until` (milliseconds
 * since the epoch), what changed later is not recorded. Throws `internal.restore` when git no longer answers.
 */
export async function conclude(store: RunStore, observation: Observation, until = Infinity): Promise<Conclusion> {
  const { picture, number } = observation
  const candidates = await candidatePaths(store, picture)
  const former = await cleanStates(
    store.root,
    picture,
    candidates.filter((path) => !picture.files.has(path) && picture.clean.has(path)),
    store.blobs,
  )
  const ours = store.history.since(observation.mark)
  const all = store.history.since(0)
  const newRules = candidates.some((path) => /(?:^|\/)\.gitignore$/.test(path))
  const changes: Change[] = []
  const changed: string[] = []
  const late: string[] = []
  const directories = new Set<string>()
  for (const path of candidates) {
    const absolute = store.absolute(path)
    const stats = await stampOf(absolute)
    const seen = picture.files.get(path)
    if (seen !== undefined && stats !== undefined && surelySame(stats, seen, picture)) continue
    const left = (store.isOwn(path) ? all : ours).get(path)?.left[0]
    const before = left ?? seen?.state ?? former.get(path) ?? ABSENT
    if (before.kind === 'unknown' && seen !== undefined && stats !== undefined && seen.stamp === stampText(stats))
      continue
    const present = await inspect(absolute)
    // Where a folder has taken the place of a file, the file is gone; what is in the folder stands for itself.
    const after = present.kind === 'other' ? ABSENT : present
    if (sameState(before, after)) continue
    // A file that an ignore rule hid until the command changed the rule is not new.
    const existed = newRules && stats !== undefined && Number(stats.birthtimeMs) < picture.takenAt - GRAIN_MS
    if (before.kind === 'absent' && left === undefined && (existed || !picture.complete)) continue
    if (stats !== undefined && Number(stats.ctimeMs) > until) {
      if (!store.isOwn(path)) late.push(path)
      continue
    }
    if (!store.isOwn(path)) changed.push(path)
    const isNew = before.kind === 'absent' && !sameContent(after, ABSENT)
    if (isNew && observation.created === 'kept') continue
    const overwritten = stats !== undefined && stats.nlink > 1n && String(stats.ino) === inodeIn(picture, path)
    changes.push({ path, before, after, ...(overwritten || store.isOwn(path) ? { inPlace: true as const } : {}) })
    if (isNew) for (const folder of await newFolders(store, absolute, picture)) directories.add(folder)
  }
  await store.blobs.settle(changes.flatMap(({ before }) => (before.kind === 'file' ? [before.hash] : [])))
  await store.record({
    type: 'change',
    origin: 'command',
    changes,
    directories: [...directories],
    temporaries: [],
    observation: number,
  })
  return { changed: changed.sort(), late }
}

async function candidatePaths(store: RunStore, picture: Picture): Promise<string[]> {
  const known = [...picture.files.keys(), ...store.history.inodes]
  if (picture.index === undefined) return [...new Set([...(await walk(store.root)), ...known])]
  try {
    const { dirty, untracked } = await changedPaths(store.root, picture.index)
    return [...new Set([...dirty, ...untracked, ...known])]
  } catch (error) {
    if (!(error instanceof GitUnusable)) throw error
    const reason = `git can't say what the command changed: ${error.message}`
    throw new FailureError({ kind: 'internal.restore', reason, paths: [] }, reason)
  }
}

/** The folders above a new file that were born since the picture, so that they go with it when they are empty. */
async function newFolders(store: RunStore, absolute: string, picture: Picture): Promise<string[]> {
  const found: string[] = []
  for (let folder = dirname(absolute); folder !== store.root; folder = dirname(folder)) {
    const stats = await stampOf(folder)
    if (stats === undefined || Number(stats.birthtimeMs) < picture.takenAt - GRAIN_MS) break
    found.push(store.relative(folder))
  }
  return found
}
