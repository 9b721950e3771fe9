import type { RunEvent } from '../core/event.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { RunContext } from './context.ts'

/** Gives the tree back; not even an interruption keeps it from being done. Returns the paths that somebody else changed meanwhile. */
export async function* rollBack(
  ctx: RunContext,
  snapshot: Snapshot,
  reason: string,
): AsyncGenerator<RunEvent, readonly string[]> {
  yield { type: 'rollback.started', snapshot, reason }
  const report = await ctx.ports.snapshots.restore(snapshot)
  yield { type: 'rollback.ended', snapshot, report }
  return report.conflicts
}
