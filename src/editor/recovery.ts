import { realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshots, WorkingTree } from '../core/ports.ts'
import type { RestoreReport } from '../core/snapshot.ts'
import { concludeInterrupted, Observer } from './observe.ts'
import { endOrphans } from './orphans.ts'
import { ownIdentity } from './process-identity.ts'
import { restoreSince } from './restore.ts'
import { editorFolder, type RecordedRun, type RunHead } from './run-folders.ts'
import { asFailure, RunStore } from './run-store.ts'
import { JournalledSnapshots } from './snapshot.ts'
import { JournalledTree } from './working-tree.ts'

export interface Editor {
  readonly tree: WorkingTree
  readonly snapshots: Snapshots
  /** Marks the run as finished: what it left in the tree is meant to stay. */
  close(): Promise<void>
}

/**
 * Opens the editor for a new run, with its journal in `<stateDir>/runs/<runId>/editor`. `gitDir` says that the tree is
 * under git's control. The caller holds the lock of the tree (`lockTree`) for as long as the editor is open.
 */
export async function openEditor(options: {
  readonly root: string
  readonly stateDir: string
  readonly runId: string
  readonly gitDir?: string
}): Promise<Editor> {
  const root = await realpath(options.root)
  const folder = editorFolder(options.stateDir, options.runId)
  const store = await RunStore.open(folder, root)
  const head: RunHead = { ...ownIdentity(), runId: options.runId, root, since: new Date().toISOString() }
  await writeFile(join(folder, 'run.tmp'), JSON.stringify(head), { mode: 0o600 })
  await rename(join(folder, 'run.tmp'), join(folder, 'run.json'))
  const underGit = options.gitDir !== undefined
  return {
    tree: new JournalledTree(store, new Observer(store, underGit)),
    snapshots: new JournalledSnapshots(store, options.runId, underGit),
    async close() {
      await store.exclusively(() => store.record({ type: 'finished' }))
      await store.close()
    },
  }
}

/**
 * Ends what is left of the commands of a run that was killed, then gives everything back to before its first change, and marks
 * it as finished. May be repeated, and killed at any point and repeated then. The caller holds the lock of the tree. Throws
 * `internal.restore` when something could not be given back; the run then still counts as interrupted.
 */
export async function restoreInterrupted(run: RecordedRun): Promise<RestoreReport> {
  const store = await RunStore.open(run.folder, run.root)
  try {
    const undo = store.history.finished
    if (!undo) await endOrphans(run.folder, run.root)
    for (const path of store.history.temporaries) await rm(store.absolute(path), { force: true })
    const late = await concludeInterrupted(store)
    const report = await restoreSince(store, 0)
    if (!store.history.finished) await store.record({ type: 'finished' })
    const all = store.history.displaced.map(({ path, file }) => ({ path, kept: store.displacedPath(file) }))
    // A restore that was cut short had no chance to report.
    const displaced = undo ? (report.displaced ?? []) : all
    return {
      restored: report.restored,
      conflicts: [...new Set([...report.conflicts, ...late])].sort(),
      ...(displaced.length > 0 && { displaced }),
    }
  } catch (error) {
    throw asFailure(error)
  } finally {
    await store.close()
  }
}
