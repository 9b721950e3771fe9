import path from 'node:path'
import { FailureError } from '../core/failure.ts'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { lockTree } from '../editor/lock.ts'
import { findInterrupted, findRun, restoreInterrupted } from '../editor/recovery.ts'
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
  if (run === undefined || run.finished) return []
  const { restored, conflicts, displaced = [] } = await restoreInterrupted(run)
  const paths = restored.join(', ') || 'nothing, it had changed nothing'
  const folder = path.dirname(displaced[0]?.kept ?? '')
  const kept =
    displaced.length > 0 ? `; what its commands, or somebody beside them, had written there is in ${folder}` : ''
  const notice = `Run ${runId} was killed; given back: ${paths}${kept}.`
  return conflicts.length === 0
    ? [notice]
    : [notice, `Left as they are, since somebody changed them after that run: ${conflicts.join(', ')}.`]
}

async function interruptedIn(stateDir: string, root: string) {
  return (await findInterrupted(stateDir)).filter((run) => run.root === root)
}

/** A tree that could not be given back, in words for a person. */
export function asUserError(thrown: unknown): never {
  if (thrown instanceof FailureError) throw new UserError(describe(thrown.failure), EXIT.gaveUp)
  throw thrown
}
