import type { RunEvent, RungCost } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import type { ToolCall } from '../core/tool.ts'
import type { RunContext } from './context.ts'

/** Begins to count what a rung takes; the function it gives tells how much that is so far. */
export function costFromHere({ tally, ports }: RunContext): () => RungCost {
  const before = tally.spent()
  const startedAt = ports.clock.now()
  return () => ({ ...tally.spentSince(before), ms: ports.clock.now() - startedAt })
}

/** Takes a rung whose outcome shows later. */
export async function* takeRung(
  ctx: RunContext,
  rung: 'overlay' | 'end-of-attempt',
  { id: callId, name: tool }: ToolCall,
  failure: Failure,
): AsyncGenerator<RunEvent> {
  yield* settleRung(ctx, 'overlay', false, 'another call failed first')
  yield { type: 'recovery.started', callId, rung }
  ctx.history.pending = { callId, tool, rung, failure, attempt: ctx.tally.attempts, cost: costFromHere(ctx) }
}

/** Tells how the rung that is still open came out, if there is one of that kind. */
export async function* settleRung(
  ctx: RunContext,
  rung: 'overlay' | 'end-of-attempt',
  recovered: boolean,
  note: string,
): AsyncGenerator<RunEvent> {
  const { pending } = ctx.history
  if (pending?.rung !== rung) return
  ctx.history.pending = undefined
  yield { type: 'recovery.ended', callId: pending.callId, rung, recovered, note, cost: pending.cost() }
}
