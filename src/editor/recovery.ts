import { readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshots, WorkingTree } from '../core/ports.ts'
import type { RestoreReport } from '../core/snapshot.ts'
import { errnoOf } from './file-state.ts'
import { History } from './history.ts'
import { readJournal } from './journal.ts'
import { concludeInterrupted, Observer } from './observe.ts'
import { endOrphans } from './orphans.ts'
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts'
import { restoreSince } from './restore.ts'
import { asFailure, isOwn, journalPath, RunStore } from './run-store.ts'
import { JournalledSnapshots } from './snapshot.ts'
import { JournalledTree } from './working-tree.ts'

export interface Editor {
  readonly tree: WorkingTree
  readonly snapshots: Snapshots
  /** Marks the run as finished: what it left in the tree is meant to stay. */
  close(): Promise<void>
}

/** A run as its folder tells. Paths in `changed` are relative to `root`; `since` is an ISO date. */
export interface RecordedRun {
  readonly runId: string
  readonly root: string
  readonly since: string
  readonly finished: boolean
  readonly changed: readonly string[]
  /** The editor's part of the run's folder. */
  readonly folder: string
}

interface Head extends ProcessIdentity {
  readonly runId: string
  readonly root: string
  readonly since: string
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
  const head: Head = { ...ownIdentity(), runId: options.runId, root, since: new Date().toISOString() }
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

/** Runs whose process is gone and that were not finished, oldest first. Those of linked worktrees are among them: see `root`. */
export async function findInterrupted(stateDir: string): Promise<RecordedRun[]> {
  const names = await readdir(join(stateDir, 'runs')).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
  const found: RecordedRun[] = []
  for (const name of names) {
    const head = await readHead(editorFolder(stateDir, name))
    if (head === undefined || isAlive(head)) continue
    const run = await recorded(editorFolder(stateDir, name), head)
    if (!run.finished) found.push(run)
  }
  return found.sort((a, b) => (a.since < b.since ? -1 : 1))
}

/** The run of that id, finished or not; undefined when there is none that could have changed anything. */
export async function findRun(stateDir: string, runId: string): Promise<RecordedRun | undefined> {
  const folder = editorFolder(stateDir, runId)
  const head = await readHead(folder)
  return head === undefined ? undefined : recorded(folder, head)
}

/**
 * Ends what is left of the run's commands, then gives everything back to before the run's first change, and marks the run as finished. May be repeated, and killed at any
 * point and repeated then. Works for a finished run as well: that is an undo. The caller holds the lock of the tree. Throws
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

function editorFolder(stateDir: string, runId: string): string {
  return join(stateDir, 'runs', runId, 'editor')
}

async function readHead(folder: string): Promise<Head | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as Head
  } catch (error) {
    const code = errnoOf(error)
    if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

async function recorded(folder: string, head: Head): Promise<RecordedRun> {
  const history = new History()
  for (const line of (await readJournal(journalPath(folder))).lines) history.add(line)
  return {
    runId: head.runId,
    root: head.root,
    since: head.since,
    finished: history.finished,
    changed: [...history.since(0).keys()].filter((path) => !isOwn(head.root, folder, path)).sort(),
    folder,
  }
}
