import type { Snapshots } from '../core/ports.ts'
import type { FileChange, RestoreReport, Snapshot } from '../core/snapshot.ts'
import { diffText } from './diff.ts'
import { type FileState, inspect, sameContent, sameState } from './file-state.ts'
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
  private readonly marks = new Map<string, number>()
  private readonly kept = new Map<string, readonly Kept[]>()

  constructor(
    private readonly store: RunStore,
    private readonly runId: string,
    private readonly underGit: boolean,
  ) {}

  take(label: string): Promise<Snapshot> {
    return this.exclusively(async () => {
      const id = this.freeId(refPart(label))
      this.marks.set(id, this.store.history.mark())
      if (!this.underGit)
        return { id, limitation: 'there is no git repository here; copies of the files are kept instead' }
      const ref = `refs/goatfied/${refPart(this.runId)}/${id}`
      return { id, ...(await buildStashCommit(this.store.root, ref, label, this.store.folder)) }
    })
  }

  restore(snapshot: Snapshot): Promise<RestoreReport> {
    return this.exclusively(() => restoreSince(this.store, this.markOf(snapshot)))
  }

  changes(snapshot: Snapshot): Promise<readonly FileChange[]> {
    return this.exclusively(async () => {
      const changes: FileChange[] = []
      for (const { path, target } of this.store.history.since(this.markOf(snapshot)).values()) {
        if (this.store.isOwn(path)) continue
        const change = await this.changeOf(path, target)
        if (change !== undefined) changes.push(change)
      }
      return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
    })
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

  private async changeOf(path: string, before: FileState): Promise<FileChange | undefined> {
    const absolute = this.store.absolute(path)
    const after = await inspect(absolute)
    if (sameState(before, after) || after.kind === 'other') return undefined
    const action = before.kind === 'absent' ? 'created' : after.kind === 'absent' ? 'deleted' : 'edited'
    const present = await this.store.blobs.capture(absolute, { durable: false })
    const [old, fresh] = [await this.textOf(before), await this.textOf(present)]
    const from = before.kind === 'absent' ? '/dev/null' : `a/${path}`
    const to = after.kind === 'absent' ? '/dev/null' : `b/${path}`
    if (old === undefined || fresh === undefined)
      return { path, action, diff: `Binary files ${from} and ${to} differ\n`, added: 0, removed: 0 }
    const { diff, added, removed } = diffText(old, fresh)
    const mode = modeLines(before, after)
    return { path, action, diff: `${mode}${diff === '' ? '' : `--- ${from}\n+++ ${to}\n${diff}`}`, added, removed }
  }

  /** The content as text; undefined for what is not text, or not known. */
  private async textOf(state: FileState): Promise<string | undefined> {
    if (state.kind === 'absent') return ''
    if (state.kind === 'link') return state.target
    if (state.kind !== 'file' || !(await this.store.blobs.has(state.hash))) return undefined
    const bytes = await this.store.blobs.read(state.hash)
    if (bytes.includes(0)) return undefined
    const text = bytes.toString('utf8')
    return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
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
    const mark = this.marks.get(snapshot.id)
    if (mark === undefined) throw new Error(`the snapshot ${snapshot.id} is not of this run`)
    return mark
  }

  private freeId(wanted: string): string {
    let id = wanted
    for (let count = 2; this.marks.has(id); count++) id = `${wanted}-${count}`
    return id
  }
}

/** The executable bit as git writes it in a patch; other permission bits have no place there. */
function modeLines(before: FileState, after: FileState): string {
  if (before.kind !== 'file' || after.kind !== 'file') return ''
  const [old, fresh] = [before.mode, after.mode].map((mode) => (mode & 0o100 ? '100755' : '100644'))
  return old === fresh ? '' : `old mode ${old}\nnew mode ${fresh}\n`
}

/** A text as one part of a ref's name. */
function refPart(text: string): string {
  const part = text.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '')
  return part === '' ? 'snapshot' : part.slice(0, 80)
}
