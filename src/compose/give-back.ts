import path from 'node:path'
import { FailureError } from '../core/failure.ts'
import { EXIT } from '../core/outcome.ts'
import type { RestoreReport } from '../core/snapshot.ts'
import { UserError } from '../core/user-error.ts'
import { type LockHolder, lockTree } from '../editor/lock.ts'
import { restoreInterrupted } from '../editor/recovery.ts'
import { findInterrupted, findRun } from '../editor/run-folders.ts'
import { describe } from '../failure/describe.ts'

/** Runs in this tree that were killed: what they had changed is given back. The caller holds the tree's lock. Tells what was done. */
export async function giveBackInterrupted(stateDir: string, root: string): Promise<readonly string[]> {
  const notices: string[] = []
  for (const { runId } of await interruptedIn(stateDir, root)) notices.push(...(await giveBack(stateDir, runId)))
  return notices
}

/** The same for whoever does not hold the lock; nothing is done while a run is working in the tree. */
export async function giveBackUnlessBusy(stateDir: string, root: string): Promise<readonly string[]> {
  const [first] = await interruptedIn(stateDir, root)
  if (first === undefined) return []
  const lock = await lockTree(stateDir, root, first.runId)
  if (!lock.ok) return []
  try {
    return await giveBackInterrupted(stateDir, root)
  } finally {
    await lock.release()
  }
}

/** Gives back what one run changed, unless it has finished. */
export async function giveBack(stateDir: string, runId: string): Promise<readonly string[]> {
  const run = await findRun(stateDir, runId)
  return run === undefined || run.finished ? [] : noticesOf(runId, await restoreInterrupted(run))
}

/** What was done about a run that was killed. */
export function noticesOf(runId: string, { restored, conflicts, displaced = [] }: RestoreReport): readonly string[] {
  const paths = restored.join(', ') || 'nothing, it had changed nothing'
  const folder = path.dirname(displaced[0]?.kept ?? '')
  const kept =
    displaced.length > 0 ? `; what its commands, or somebody beside them, had written there is in ${folder}` : ''
  const notice = `Run ${runId} was killed; given back: ${paths}${kept}.`
  return conflicts.length === 0
    ? [notice]
    : [notice, `Left as they are, since somebody changed them after that run: ${conflicts.join(', ')}.`]
}

/** Runs in this tree that were killed and not given back, oldest first. */
export async function interruptedIn(stateDir: string, root: string) {
  return (await findInterrupted(stateDir)).filter((run) => run.root === root)
}

/** A tree that could not be given back, in words for a person. */
export function asUserError(thrown: unknown): never {
  if (thrown instanceof FailureError) throw new UserError(describe(thrown.failure), EXIT.gaveUp)
  throw thrown
}

/** The tree is somebody else's now. */
export function heldBy({ pid, runId, since }: LockHolder): UserError {
  const who = runId === UNDO ? 'An undo' : `Run ${runId}`
  return new UserError(
    `${who} (process ${pid}, since ${since}) is working in this tree: wait until it has ended, or end it.`,
    EXIT.usage,
  )
}

/** Stands for the run where the lock is held by what is none. */
export const UNDO = 'undo'
