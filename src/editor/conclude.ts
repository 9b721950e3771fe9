import { type BigIntStats, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { FailureError } from '../core/failure.ts'
import { type Blame, blame } from './blame.ts'
import { ABSENT, type FileState, inspect, sameState, stampOf } from './file-state.ts'
import { changedPaths, cleanStates, GitUnusable, otherModes } from './git-picture.ts'
import type { Change } from './journal.ts'
import { inodeIn, type Picture, stampText, surelySame } from './picture.ts'
import type { RunStore } from './run-store.ts'
import { differing, fingerprints, type Uncovered } from './uncovered.ts'
import { walk } from './walk-picture.ts'

/** An observation: the picture before it, and where in the journal it began. */
export interface Observation {
  readonly number: number
  readonly mark: number
  readonly picture: Picture
  /** A command of the model's (`ours`), of which everything is given back; or a check (`kept`), see `blame`. */
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
  const { candidates, uncovered } = await lookAround(store, picture)
  const former = await cleanStates(
    store.root,
    picture,
    candidates.filter((path) => !picture.files.has(path) && picture.clean.has(path)),
    store.blobs,
  )
  const ours = store.history.since(observation.mark)
  const all = store.history.since(0)
  const hiddenBefore = await hiding(store, picture, candidates)
  const changes: Change[] = []
  const changed: string[] = []
  const late: string[] = []
  for (const path of candidates) {
    const absolute = store.absolute(path)
    const stats = await stampOf(absolute)
    const seen = picture.files.get(path)
    if (seen !== undefined && stats !== undefined && surelySame(stats, seen, picture)) continue
    const left = (store.isOwn(path) ? all : ours).get(path)?.left[0]
    const before = fileOrNone(left ?? seen?.state ?? former.get(path) ?? ABSENT)
    if (before.kind === 'unknown' && seen !== undefined && stats !== undefined && seen.stamp === stampText(stats))
      continue
    const after = fileOrNone(await inspect(absolute))
    if (sameState(before, after)) continue
    const existed = stats !== undefined && hiddenBefore(stats)
    if (before.kind === 'absent' && left === undefined && (existed || !picture.complete)) continue
    if (stats !== undefined && Number(stats.ctimeMs) > until) {
      if (!store.isOwn(path)) late.push(path)
      continue
    }
    if (!store.isOwn(path)) changed.push(path)
    const overwritten = stats !== undefined && stats.nlink > 1n && String(stats.ino) === inodeIn(picture, path)
    changes.push({ path, before, after, ...(overwritten || store.isOwn(path) ? { inPlace: true as const } : {}) })
  }
  const whose: Blame =
    observation.created === 'kept' ? await blame(store, picture, changes) : { ours: changes, doubted: [], claimed: [] }
  await store.blobs.settle(changes.flatMap(({ before }) => (before.kind === 'file' ? [before.hash] : [])))
  const what = differing(picture.uncovered, uncovered, observation.created === 'ours')
  if (!picture.complete) what.push('new files, since there are more than 20,000 and no git to tell')
  if (what.length > 0) await store.record({ type: 'uncovered', what })
  if (whose.claimed.length > 0) await store.record({ type: 'claim', paths: whose.claimed })
  if (whose.doubted.length > 0) await store.record({ type: 'doubt', changes: whose.doubted })
  await store.record({
    type: 'change',
    origin: observation.created === 'kept' ? 'check' : 'command',
    changes: whose.ours,
    directories: await newFolders(store, whose.ours, picture),
    temporaries: [],
    observation: number,
  })
  return { changed: changed.sort(), late }
}

/** Tells of a file whether an ignore rule hid it until the command changed the rule: then it is not new. */
async function hiding(
  store: RunStore,
  picture: Picture,
  candidates: readonly string[],
): Promise<(stats: BigIntStats) => boolean> {
  const rules = candidates.filter((path) => /(?:^|\/)\.gitignore$/.test(path))
  const stamps = await Promise.all(rules.map((path) => stampOf(store.absolute(path))))
  const changed = rules.some((path, index) => {
    const stats = stamps[index]
    return stats === undefined || stampText(stats) !== picture.files.get(path)?.stamp
  })
  if (!changed) return () => false
  // What was moved is older than the picture as well, but was in it.
  const known = new Set([...picture.files.keys(), ...picture.clean.keys()].map((path) => inodeIn(picture, path)))
  return ({ birthtimeMs, ino }) => Number(birthtimeMs) < picture.takenAt - GRAIN_MS && !known.has(String(ino))
}

/** Where a folder has taken the place of a file, the file is gone; what is in the folder stands for itself. */
function fileOrNone(state: FileState): FileState {
  return state.kind === 'other' ? ABSENT : state
}

interface Surroundings {
  /** Paths that may have changed. */
  readonly candidates: readonly string[]
  /** Of what the run can't keep copies of. */
  readonly uncovered: Picture['uncovered']
}

async function lookAround(store: RunStore, picture: Picture): Promise<Surroundings> {
  const shown = picture.hidden.filter((path) => existsSync(store.absolute(path)))
  const silent = [...shown, ...(await otherModes(store.root, picture))]
  const known = [...picture.files.keys(), ...silent, ...store.history.inodes]
  if (picture.index === undefined)
    return { candidates: [...new Set([...(await walk(store.root)), ...known])], uncovered: picture.uncovered }
  try {
    const { dirty, untracked, odd, nested } = await changedPaths(store.root, picture.index)
    const there: Uncovered = { odd, nested: [...picture.submodules, ...nested] }
    return {
      candidates: [...new Set([...dirty, ...untracked, ...known])],
      uncovered: await fingerprints(store.root, there),
    }
  } catch (error) {
    if (!(error instanceof GitUnusable)) throw error
    const reason = `git can't say what the command changed: ${error.message}`
    throw new FailureError({ kind: 'internal.restore', reason, paths: [] }, reason)
  }
}

/** The folders above new files that were born since the picture, so that they go with these when they are empty. */
async function newFolders(store: RunStore, changes: readonly Change[], picture: Picture): Promise<string[]> {
  const found = new Set<string>()
  for (const { path, before } of changes) {
    if (before.kind !== 'absent') continue
    for (let folder = dirname(store.absolute(path)); folder !== store.root; folder = dirname(folder)) {
      const stats = await stampOf(folder)
      if (stats === undefined || Number(stats.birthtimeMs) < picture.takenAt - GRAIN_MS) break
      found.add(store.relative(folder))
    }
  }
  return [...found]
}
