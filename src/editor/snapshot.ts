import type { Snapshots } from '../core/ports.ts'
import type { FileChange, RestoreReport, Snapshot } from '../core/snapshot.ts'
import { changesSince } from './changes.ts'
import { type FileState, sameContent, sameState } from './file-state.ts'
import { changesInPlace } from './hard-links.ts'
import { chooseWay, makeParents, missingParents, parentIsReal } from './place.ts'
import { restoreSince } from './restore.ts'
import { asFailure, type RunStore } from './run-store.ts'
import { buildStashCommit } from './stash-commit.ts'

interface Kept {
  readonly path: string
  /** What the attempt found there, and what it left. */
  readonly base: FileState
  readonly state: FileState
}

/**
 * Snapshots over the journal: a mark in the history of changes, and beside it, where git can, a stash-shaped commit as an
 * outer safety net. Restoring always uses the journal's raw bytes.
 */
export class JournalledSnapshots implements Snapshots {
  private readonly kept = new Map<string, readonly Kept[]>()

  constructor(
    private readonly store: RunStore,
    private readonly runId: string,
    private readonly underGit: boolean,
  ) {}

  take(label: string): Promise<Snapshot> {
    return this.exclusively(async () => {
      const id = freeName(this.store, refPart(label))
      await this.store.record({ type: 'snapshot', id }, false)
      if (!this.underGit)
        return { id, limitation: 'there is no git repository here; copies of the files are kept instead' }
      return { id, ...(await buildStashCommit(this.store.root, snapshotRef(this.runId, id), label)) }
    })
  }

  restore(snapshot: Snapshot): Promise<RestoreReport> {
    return this.exclusively(() => restoreSince(this.store, this.markOf(snapshot)))
  }

  changes(snapshot: Snapshot): Promise<readonly FileChange[]> {
    return this.exclusively(() => changesSince(this.store, this.markOf(snapshot)))
  }

  keep(name: string, since: Snapshot): Promise<void> {
    return this.exclusively(async () => {
      const kept: Kept[] = []
      for (const { path, target } of this.store.history.since(this.markOf(since)).values()) {
        const state = await this.store.blobs.capture(this.store.absolute(path), { durable: false })
        if (!this.store.isOwn(path) && !sameState(state, target) && state.kind !== 'other')
          kept.push({ path, base: target, state })
      }
      this.kept.set(name, kept)
    })
  }

  /** A path that is not as the kept attempt found it is left alone and not among those returned. */
  reapply(name: string): Promise<readonly string[] | undefined> {
    return this.exclusively(async () => {
      const kept = this.kept.get(name)
      if (kept === undefined) return undefined
      const done: string[] = []
      for (const item of kept) if (await this.reapplyPath(item)) done.push(item.path)
      return done.sort()
    })
  }

  private async reapplyPath({ path, base, state }: Kept): Promise<boolean> {
    const absolute = this.store.absolute(path)
    if (!(await parentIsReal(absolute))) return false
    const present = await this.store.blobs.capture(absolute, { durable: true })
    if (!sameContent(present, base) || sameState(present, state)) return false
    const missing = state.kind === 'absent' ? [] : await missingParents(this.store.root, absolute)
    const way = await chooseWay(absolute)
    const inPlace = way.inPlace && state.kind === 'file'
    await this.store.change(
      {
        origin: 'editor',
        ...(inPlace
          ? await changesInPlace(this.store, path, present, state)
          : { changes: [{ path, before: present, after: state }] }),
        directories: missing.map((folder) => this.store.relative(folder)),
        temporaries: [this.store.relative(way.temporary)],
      },
      async () => {
        if (state.kind !== 'absent') await makeParents(absolute)
        await this.store.put(path, state, way, false)
      },
    )
    return true
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.store.exclusively(async () => {
      try {
        return await work()
      } catch (error) {
        throw asFailure(error)
      }
    })
  }

  private markOf(snapshot: Snapshot): number {
    const mark = this.store.history.snapshots.get(snapshot.id)
    if (mark === undefined) throw new Error(`the snapshot ${snapshot.id} is not of this run`)
    return mark
  }
}

/** A text as one part of a ref's name. */
function refPart(text: string): string {
  const part = text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '')
  return part === '' ? 'snapshot' : part.slice(0, 80)
}

/** The wanted name for a snapshot of the run, or with a number where it is taken. */
export function freeName(store: RunStore, wanted: string): string {
  let id = wanted
  for (let count = 2; store.history.snapshots.has(id); count++) id = `${wanted}-${count}`
  return id
}

/** The ref that keeps a snapshot's commit from being collected. */
export function snapshotRef(runId: string, id: string): string {
  return `${refsOf(runId)}/${id}`
}

/** Where all refs of a run are. */
export function refsOf(runId: string): string {
  return `refs/goatfied/${refPart(runId)}`
}
