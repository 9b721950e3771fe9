import type { RunEvent } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import { EXIT, exitCodeOf, type RunResult } from '../core/outcome.ts'
import type { Snapshot } from '../core/snapshot.ts'
import { describeFailure } from '../core/story/failure.ts'
import type { Verdict } from '../core/verdict.ts'
import { classify } from '../failure/classify.ts'
import { describe } from '../failure/describe.ts'
import type { RunContext } from './context.ts'
import { rollBack } from './roll-back.ts'

/** How the work ended, before the tree is settled. */
export type Done =
  | { readonly kind: 'passed'; readonly verdict: Verdict | undefined; readonly summary: string }
  | { readonly kind: 'nothing'; readonly summary: string }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The result of a run. Whatever was not validated is given back first. */
export async function* conclude(
  ctx: RunContext,
  done: Done,
  start: Snapshot | undefined,
): AsyncGenerator<RunEvent, RunResult> {
  const settled = yield* settle(ctx, done, start)
  return { ...settled, totals: ctx.tally.totals(ctx.ports.clock.now()) }
}

type Settled = Omit<RunResult, 'totals'>

async function* settle(ctx: RunContext, done: Done, start: Snapshot | undefined): AsyncGenerator<RunEvent, Settled> {
  // Before the first snapshot nothing can have been changed.
  if (start === undefined) return done.kind === 'failed' ? failure(done.failure, []) : unchanged(done.summary, [])
  try {
    if (done.kind === 'passed') {
      const changes = await ctx.ports.snapshots.changes(start)
      const conflicts = [...ctx.tally.conflicts]
      if (changes.length === 0) return unchanged(done.summary, conflicts)
      const { summary, verdict: proof } = done
      return { status: 'validated', exitCode: EXIT.validated, summary, changes, proof, conflicts }
    }
    yield* rollBack(ctx, start, done.kind === 'failed' ? describeFailure(done.failure) : 'nothing to do')
    const conflicts = [...ctx.tally.conflicts]
    return done.kind === 'failed' ? failure(done.failure, conflicts) : unchanged(done.summary, conflicts)
  } catch (thrown) {
    return failure(classify(thrown), [...ctx.tally.conflicts])
  }
}

/** What somebody else changed on top of an edit keeps the tree from being what it was: that is not "nothing changed". */
function unchanged(summary: string, conflicts: readonly string[]): Settled {
  const untouched = conflicts.length === 0
  const status = untouched ? 'unchanged' : 'gave-up'
  return { status, exitCode: untouched ? EXIT.unchanged : EXIT.gaveUp, summary, changes: [], conflicts }
}

function failure(failure: Failure, conflicts: readonly string[]): Settled {
  const exitCode = conflicts.length > 0 && exitCodeOf(failure) === EXIT.unchanged ? EXIT.gaveUp : exitCodeOf(failure)
  const status = exitCode === EXIT.gaveUp ? 'gave-up' : exitCode === EXIT.unchanged ? 'unchanged' : 'stopped'
  return { status, exitCode, summary: describe(failure), failure, changes: [], conflicts }
}
