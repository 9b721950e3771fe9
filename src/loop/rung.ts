import type { RunEvent, RungCost } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import type { ToolCall } from '../core/tool.ts'
import type { RunContext } from './context.ts'
import type { PendingRung } from './step-history.ts'

/** Begins to count what a rung takes; the function it gives tells how much that is so far. */
export function costFromHere({ tally, ports }: RunContext): () => RungCost {
  const before = tally.spent()
  const startedAt = ports.clock.now()
  return () => ({ ...tally.spentSince(before), ms: ports.clock.now() - startedAt })
}

/** Takes a rung whose outcome shows later. */
export async function* takeRung(
  ctx: RunContext,
  rung: PendingRung['rung'],
  { id: callId, name: tool }: ToolCall,
  failure: Failure,
): AsyncGenerator<RunEvent> {
  yield { type: 'recovery.started', callId, rung }
  ctx.history.pending.push({ callId, tool, rung, failure, attempt: ctx.tally.attempts, cost: costFromHere(ctx) })
}

/** Tells how the rungs came out that are still open and that are meant. */
export async function* settleRungs(
  ctx: RunContext,
  meant: (pending: PendingRung) => boolean,
  recovered: boolean,
  note: string,
): AsyncGenerator<RunEvent> {
  for (const pending of ctx.history.pending.filter(meant)) {
    ctx.history.pending.splice(ctx.history.pending.indexOf(pending), 1)
    if (recovered) ctx.history.overcome(pending.failure)
    const { callId, rung, cost } = pending
    yield { type: 'recovery.ended', callId, rung, recovered, note, cost: cost() }
  }
}

export const isOverlay = ({ rung }: PendingRung): boolean => rung === 'overlay'

/** Whether a call is about what a failed one was about: the same tool, and of an edit the same file. */
export function isAbout({ tool, failure }: PendingRung, { name, input }: ToolCall): boolean {
  if (tool !== name) return false
  return !('path' in failure) || !input.parsed || input.value.path === failure.path
}
