import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { lockTree } from '../editor/lock.ts'
import { restoreInterrupted } from '../editor/recovery.ts'
import { findRun, type RecordedRun, runsIn } from '../editor/run-folders.ts'
import { locateState, type StateLocation } from '../editor/state-dir.ts'
import { previewUndo, type Undone, undoRun } from '../editor/undo.ts'
import { attemptName } from '../loop/edit.ts'
import { asUserError, heldBy, interruptedIn, noticesOf, UNDO } from './give-back.ts'
import { rootOf } from './settings.ts'

export interface UndoRequest {
  readonly cwd: string
  /** A run's id, the beginning of it, or `<run>/<snapshot>`; by default the last run that left changes. */
  readonly run: string | undefined
  readonly attempt: number | undefined
  readonly preview: boolean
}

export interface UndoReport extends Omit<Undone, 'snapshot'> {
  readonly preview: boolean
  /** The run that was given back, and since when if not as a whole: the name of its snapshot. Absent when there was none. */
  readonly run?: string
  readonly since?: string
  /** What to name to take this undo back. */
  readonly again?: string
  /** What was given back of runs that were killed, in words. */
  readonly notices: readonly string[]
}

const NOTHING = { changes: [], left: [], displaced: [] } as const

/**
 * Gives back what a run changed in the tree around `cwd`. Runs that were killed are given back first, as at every start; where
 * no run is named, that is the undo. Throws a `UserError` for a run or attempt that is not there, and while somebody else
 * works in the tree.
 */
export async function undo(request: UndoRequest): Promise<UndoReport> {
  const state = await locateState(rootOf(request.cwd))
  const lock = await lockTree(state.stateDir, state.root, UNDO)
  if (!lock.ok) throw heldBy(lock.holder)
  try {
    return await (request.preview ? preview(request, state) : perform(request, state))
  } catch (error) {
    return asUserError(error)
  } finally {
    await lock.release()
  }
}

async function preview(request: UndoRequest, state: StateLocation): Promise<UndoReport> {
  const [run, since] = await select(request, state)
  if (run === undefined) return { ...NOTHING, preview: true, notices: [] }
  const notices = run.finished ? [] : [`Run ${run.runId} was killed: it is given back as a whole at the next start.`]
  const point = run.finished ? since : undefined
  return { ...(await previewUndo(run, point)), preview: true, notices, ...named(run, point) }
}

async function perform(request: UndoRequest, state: StateLocation): Promise<UndoReport> {
  const killed = await interruptedIn(state.stateDir, state.root)
  const reports = []
  for (const run of killed) reports.push({ run, report: await restoreInterrupted(run) })
  const notices = reports.flatMap(({ run, report }) => noticesOf(run.runId, report))
  const [run, since] = await select(request, state, killed)
  const meant = reports.findLast(({ run: { runId } }) => runId === run?.runId)
  if (meant !== undefined) {
    const left = meant.report.conflicts.map((what) => ({ what }))
    return { ...NOTHING, preview: false, run: meant.run.runId, left, notices }
  }
  if (run === undefined) return { ...NOTHING, preview: false, notices }
  const { snapshot, ...done } = await undoRun(run, { since, underGit: state.gitDir !== undefined })
  const again = snapshot === undefined ? {} : { again: `${run.runId}/${snapshot.id}` }
  return { ...done, preview: false, notices, ...named(run, since), ...again }
}

const named = ({ runId }: RecordedRun, since: string | undefined) => ({
  run: runId,
  ...(since !== undefined && { since }),
})

/** The run that is meant and the snapshot in it; `killed` are runs that have just been given back. */
async function select(
  { run: wanted, attempt }: UndoRequest,
  state: StateLocation,
  killed: readonly RecordedRun[] = [],
): Promise<readonly [run: RecordedRun | undefined, since: string | undefined]> {
  const [id, snapshot] = splitName(wanted)
  const run =
    id === undefined || id === 'last'
      ? (killed.findLast(({ leftChanges }) => leftChanges) ?? (await lastThatLeftChanges(state)))
      : await runNamed(id, state)
  const since = snapshot ?? (attempt === undefined ? undefined : attemptName(attempt))
  if (run !== undefined && since !== undefined && !run.snapshots.includes(since)) throw unknownPoint(run, since)
  return [run, since]
}

function splitName(wanted: string | undefined): readonly [id: string | undefined, snapshot: string | undefined] {
  const [id, ...rest] = wanted?.split('/') ?? []
  return [id, rest.length === 0 ? undefined : rest.join('/')]
}

async function lastThatLeftChanges({ stateDir, root }: StateLocation): Promise<RecordedRun | undefined> {
  for (const { runId } of await runsIn(stateDir, root)) {
    const run = await findRun(stateDir, runId)
    if (run?.leftChanges) return run
  }
  return undefined
}

async function runNamed(id: string, { stateDir, root }: StateLocation): Promise<RecordedRun | undefined> {
  const ids = (await runsIn(stateDir, root)).map(({ runId }) => runId)
  const found = ids.includes(id) ? [id] : ids.filter((each) => each.startsWith(id))
  const [one, ...others] = found
  if (one === undefined)
    throw new UserError(`There is no run "${id}" that worked in ${root}. "goatfied runs" lists them.`, EXIT.usage)
  if (others.length > 0)
    throw new UserError(
      `"${id}" could be ${found.length} runs, of ${found.at(-1)} to ${one}: give more of it.`,
      EXIT.usage,
    )
  return findRun(stateDir, one)
}

function unknownPoint({ runId, snapshots }: RecordedRun, since: string): UserError {
  const known = snapshots.length === 0 ? 'there are none' : `there are: ${snapshots.join(', ')}`
  return new UserError(
    `Run ${runId} has no state "${since}" to go back to (${known}). An attempt that went on with the changes of the one before has none of its own.`,
    EXIT.usage,
  )
}
