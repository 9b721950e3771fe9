import type { RunEvent } from '../core/event.ts'
import { FailureError, success } from '../core/failure.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { RunContext } from './context.ts'
import { patiently } from './patiently.ts'

/** Gives the tree back; not even an interruption keeps it from being done. Returns the paths that somebody else changed meanwhile. */
export async function* rollBack(
  ctx: RunContext,
  snapshot: Snapshot,
  reason: string,
): AsyncGenerator<RunEvent, readonly string[]> {
  yield { type: 'rollback.started', snapshot, reason }
  const outcome = yield* patiently(ctx, async () => success(await ctx.ports.snapshots.restore(snapshot)))
  if (!outcome.ok) throw new FailureError(outcome.failure, 'the tree could not be given back')
  const report = outcome.value
  yield { type: 'rollback.ended', snapshot, report }
  return report.conflicts
}
