import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, sameState } from './file-state.ts'
import { History } from './history.ts'
import { readJournal } from './journal.ts'
import { isAlive, type ProcessIdentity } from './process-identity.ts'
import { isOwn, journalPath } from './run-store.ts'

/** A run as its folder tells. Paths in `changed` are relative to `root`; `since` is an ISO date. */
export interface RecordedRun {
  readonly runId: string
  readonly root: string
  readonly since: string
  readonly finished: boolean
  readonly changed: readonly string[]
  /**
   * By an edit or a command of its own it left a path otherwise than it found it, and that was not given back since; or it was
   * killed while a command ran, and nobody has looked yet.
   */
  readonly leftChanges: boolean
  /** The points to which it can be given back, by name. */
  readonly snapshots: readonly string[]
  /** The editor's part of the run's folder. */
  readonly folder: string
}

/** What a run writes of itself when it begins. */
export interface RunHead extends ProcessIdentity {
  readonly runId: string
  readonly root: string
  readonly since: string
}

/** The names in the folder of the runs, of whatever they are. */
export async function runNames(stateDir: string): Promise<string[]> {
  return readdir(join(stateDir, 'runs')).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
}

/** Runs whose process is gone and that were not finished, oldest first. Those of linked worktrees are among them: see `root`. */
export async function findInterrupted(stateDir: string): Promise<RecordedRun[]> {
  const found: RecordedRun[] = []
  for (const name of await runNames(stateDir)) {
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

/** Names and trees of the runs that could have changed anything in this tree, the latest first. Reads no journal. */
export async function runsIn(stateDir: string, root: string): Promise<readonly RunHead[]> {
  const heads: RunHead[] = []
  for (const name of await runNames(stateDir)) {
    const head = await readHead(editorFolder(stateDir, name))
    if (head?.root === root) heads.push(head)
  }
  return heads.sort((a, b) => (a.since < b.since ? 1 : -1))
}

export function editorFolder(stateDir: string, runId: string): string {
  return join(stateDir, 'runs', runId, 'editor')
}

export async function readHead(folder: string): Promise<RunHead | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as RunHead
  } catch (error) {
    const code = errnoOf(error)
    if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

async function recorded(folder: string, head: RunHead): Promise<RecordedRun> {
  const history = new History()
  for (const line of (await readJournal(journalPath(folder))).lines) history.add(line)
  const paths = [...history.since(0).values()].filter(({ path }) => !isOwn(head.root, folder, path))
  return {
    runId: head.runId,
    root: head.root,
    since: head.since,
    finished: history.finished,
    changed: paths.map(({ path }) => path).sort(),
    leftChanges:
      history.observations.size > 0 ||
      paths.some(({ byRun, left, target }) => byRun && left.some((state) => !sameState(state, target))),
    snapshots: [...history.snapshots.keys()],
    folder,
  }
}
