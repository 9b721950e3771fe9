import type { RunEvent } from '../core/event.ts'
import { FailureError, type Outcome } from '../core/failure.ts'
import type { RunContext } from './context.ts'

/** The first wait after a transient fault of the file system; each further one is twice as long. */
const FIRST_WAIT_MS = 50

/** Acts again after a fault of the file system or of git that may pass (`io.transient`), as often as the policy says. */
export async function* patiently<T>(
  ctx: RunContext,
  act: () => Promise<Outcome<T>>,
): AsyncGenerator<RunEvent, Outcome<T>> {
  const { limit } = ctx.policy['io.transient']
  for (let count = 1; ; count += 1) {
    const outcome = await act().catch((thrown: unknown) => {
      if (thrown instanceof FailureError && thrown.failure.kind === 'io.transient')
        return { ok: false as const, failure: thrown.failure }
      throw thrown
    })
    if (outcome.ok || outcome.failure.kind !== 'io.transient' || count > limit) return outcome
    const delayMs = FIRST_WAIT_MS * 2 ** (count - 1)
    const { failure } = outcome
    yield {
      type: 'decision',
      level: 'call',
      failure,
      decision: { kind: 'repeat', delayMs },
      count,
      limit,
      reason: 'it may pass',
    }
    // Giving the tree back is not to be cut short, so this waits whatever the signal says.
    await ctx.ports.clock.sleep(delayMs)
  }
}
