import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Displaced, FileChange } from '../core/snapshot.ts'
import { byPath, changeBetween, changesSince } from './changes.ts'
import { ABSENT, inspect, sameState } from './file-state.ts'
import type { PathHistory } from './history.ts'
import { inWords, planStep, restoreSince } from './restore.ts'
import type { RecordedRun } from './run-folders.ts'
import { asFailure, RunStore } from './run-store.ts'
import { freeName, snapshotRef } from './snapshot.ts'
import { buildStashCommit } from './stash-commit.ts'

/** What an undo does, or did. Paths are relative to the root of the tree. */
export interface Undone {
  /** From the tree before the undo to the tree after it. */
  readonly changes: readonly FileChange[]
  readonly left: readonly Left[]
  /** Copies of what was taken away though a command of the run's, or somebody beside it, had written it. */
  readonly displaced: readonly Displaced[]
  /** The state before the undo, by which it can be undone; absent when nothing changed. */
  readonly snapshot?: { readonly id: string; readonly ref?: string }
}

/** What is not given back: a path, or something in words. */
export interface Left {
  readonly what: string
  /** What was there before the run, or where that is; absent where `what` says it. */
  readonly former?: string
}

/**
 * Gives back what a finished run changed since one of its snapshots, or all of it. A path that is not as the run left it
 * stays. The state before is kept under a name and, under git, a ref of its own. May be killed at any point and repeated.
 * The caller holds the lock of the tree. Throws `internal.restore` for what could not be given back, and an `Error` for an
 * unknown snapshot.
 */
export function undoRun(
  run: RecordedRun,
  options: { readonly since: string | undefined; readonly underGit: boolean },
): Promise<Undone> {
  return within(run, async (store) => {
    for (const path of store.history.temporaries) await rm(store.absolute(path), { force: true })
    const from = markOf(store, options.since)
    const planned = await plan(store, from)
    if (planned.changes.length === 0) return planned
    const id = freeName(store, 'undo')
    const before = await store.record({ type: 'snapshot', id })
    const ref = snapshotRef(run.runId, id)
    const commit = options.underGit ? await buildStashCommit(store.root, ref, id) : {}
    const report = await restoreSince(store, from)
    return {
      changes: await changesSince(store, before),
      left: await leftOf(store, from, report.conflicts),
      displaced: report.displaced ?? [],
      snapshot: { id, ...(commit.ref !== undefined && { ref: commit.ref }) },
    }
  })
}

/** The same as `undoRun` would give, without a change to the tree. */
export function previewUndo(run: RecordedRun, since: string | undefined): Promise<Undone> {
  return within(run, (store) => plan(store, markOf(store, since)))
}

async function within<T>(run: RecordedRun, work: (store: RunStore) => Promise<T>): Promise<T> {
  const store = await RunStore.open(run.folder, run.root)
  try {
    return await work(store)
  } catch (error) {
    throw asFailure(error)
  } finally {
    await store.close()
  }
}

function markOf(store: RunStore, since: string | undefined): number {
  const mark = since === undefined ? 0 : store.history.snapshots.get(since)
  if (mark === undefined) throw new Error(`the run has no snapshot ${since}`)
  return mark
}

async function plan(store: RunStore, mark: number): Promise<Undone> {
  const changes: FileChange[] = []
  const conflicts: string[] = []
  const histories = [...store.history.since(mark).values()].filter(({ path }) => !store.isOwn(path))
  const gone = histories.filter(({ target }) => target.kind === 'absent')
  const goes = new Set<string>()
  for (const history of [...gone, ...histories.filter(({ target }) => target.kind !== 'absent')]) {
    const step = await planStep(store, history)
    if (history.target.kind === 'absent' && step !== 'conflict') goes.add(history.path)
    const clear = step === 'conflict' && (await willBeClear(store, history.path, mark, goes))
    const [present, target] = typeof step === 'object' ? [step.present, step.target] : [ABSENT, history.target]
    const change =
      step === 'as-before' || (step === 'conflict' && !clear)
        ? undefined
        : await changeBetween(store, history.path, present, target)
    if (change !== undefined) changes.push(change)
    if ((step === 'conflict' && !clear) || history.interleaved) conflicts.push(history.path)
  }
  const words = await inWords(store, mark, conflicts)
  return { changes: byPath(changes), left: await leftOf(store, mark, words), displaced: [] }
}

/** What stands in the way of the path is what the run made and goes first: a file in place of its folder, or a folder in its own. */
async function willBeClear(store: RunStore, path: string, mark: number, goes: ReadonlySet<string>): Promise<boolean> {
  const parts = path.split('/')
  if (parts.some((_, depth) => goes.has(parts.slice(0, depth).join('/')))) return true
  if (!store.history.directoriesSince(mark).includes(path)) return false
  const inside = await readdir(store.absolute(path), { withFileTypes: true, recursive: true })
  return inside.every((entry) => entry.isDirectory() || goes.has(store.relative(join(entry.parentPath, entry.name))))
}

/** Says of each path that stays what was there before. */
async function leftOf(store: RunStore, mark: number, conflicts: readonly string[]): Promise<readonly Left[]> {
  const histories = store.history.since(mark)
  return Promise.all(
    conflicts.map(async (what) => {
      const history = histories.get(what)
      return history === undefined ? { what } : { what, former: await formerOf(store, history) }
    }),
  )
}

async function formerOf(store: RunStore, { path, target, interleaved }: PathHistory): Promise<string> {
  if (interleaved && sameState(await inspect(store.absolute(path)), target))
    return 'somebody changed it between two changes of the run; it is as they left it'
  if (target.kind === 'absent') return 'the run had made it'
  if (target.kind === 'link') return `it was a link to ${target.target}`
  if (target.kind === 'file' && (await store.blobs.has(target.hash)))
    return `its former content is in ${store.blobs.pathOf(target.hash)}`
  return 'its former content is not known'
}
