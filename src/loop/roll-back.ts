import type { RunEvent } from '../core/event.ts'
import { FailureError, success } from '../core/failure.ts'
import type { RestoreReport, Snapshot } from '../core/snapshot.ts'
import { classify } from '../failure/classify.ts'
import type { RunContext } from './context.ts'
import { patiently } from './patiently.ts'

/** Gives the tree back; not even an interruption keeps it from being done. Returns the paths that somebody else changed meanwhile. */
export async function* rollBack(
  ctx: RunContext,
  snapshot: Snapshot,
  reason: string,
): AsyncGenerator<RunEvent, readonly string[]> {
  yield { type: 'rollback.started', snapshot, reason }
  let report: RestoreReport
  try {
    const outcome = yield* patiently(ctx, async () => success(await ctx.ports.snapshots.restore(snapshot)))
    if (!outcome.ok) throw new FailureError(outcome.failure, 'the tree could not be given back')
    report = outcome.value
  } catch (thrown) {
    throw inDoubt(thrown)
  }
  yield { type: 'rollback.ended', snapshot, report }
  return report.conflicts
}

/** Whatever keeps the tree from being given back leaves it in doubt. */
function inDoubt(thrown: unknown): FailureError {
  const failure = classify(thrown)
  if (failure.kind === 'internal.restore') return new FailureError(failure, failure.reason)
  const reason = 'reason' in failure ? failure.reason : failure.kind
  return new FailureError({ kind: 'internal.restore', reason, paths: [] }, reason)
}
