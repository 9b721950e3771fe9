import type { RunEvent } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { withAttemptNumbers } from '../guard/attempt-numbers.ts'
import type { RunContext } from './context.ts'
import { check, execute, skip } from './execute.ts'
import { recover } from './recover.ts'
import type { Turn, TurnEnd } from './turn.ts'

export type Phase = 'plan' | 'edit'

/**
 * Carries out the calls of a turn in their order, each checked against the tools under the constraints in force. A
 * failing call is recovered or told; it ends the batch for later calls that change or run something.
 */
export async function* dispatch(
  ctx: RunContext,
  turn: Turn,
  phase: Phase,
  goal: string,
): AsyncGenerator<RunEvent, TurnEnd> {
  for (;;) {
    const call = turn.rest[0]
    if (call === undefined) return { kind: 'done' }
    const base = callable(ctx, phase)
    const effect = ctx.ports.tools.definitions.find((tool) => tool.name === call.name)?.effect
    if (turn.broken && effect !== 'read') {
      turn.rest.shift()
      yield* skip(ctx, turn, call, 'earlier-failure')
      continue
    }
    if (phase === 'plan' && (effect === 'write' || effect === 'run')) return { kind: 'implies-plan' }
    turn.rest.shift()
    yield { type: 'call.started', call }
    const checked = await check(ctx, call, base, applyConstraints(base, ctx.history.constraints(base)))
    const done = checked.ok ? yield* execute(ctx, checked.value) : checked
    if (done.ok) {
      const end = finish(turn, call, done.value)
      if (end !== undefined) return end
      continue
    }
    const recovered = yield* recover(ctx, { call, failure: done.failure, executed: checked.ok }, base, goal)
    if (recovered.kind === 'recovered') {
      const end = finish(turn, call, recovered.result)
      if (end !== undefined) return end
      continue
    }
    turn.results.push({ type: 'result', callId: call.id, text: recovered.text, failed: true })
    turn.broken = turn.broken || endsBatch(done.failure)
    if (recovered.end !== undefined) return recovered.end
  }
}

/** Later calls are not carried out on a half-applied change; a command that was not allowed leaves nothing half-applied. */
const endsBatch = (failure: Failure): boolean => failure.kind !== 'call.denied'

/** What may be called now; the list that was sent stays the same. */
function callable(ctx: RunContext, phase: Phase): readonly ToolDefinition[] {
  const numbers = ctx.history.rejected.map((attempt) => attempt.number)
  const possible = withAttemptNumbers(ctx.ports.tools.definitions, phase === 'edit' ? numbers : [])
  if (phase === 'edit') return possible
  return possible.filter((tool) => tool.effect === 'read' || tool.name === 'submitPlan' || tool.name === 'finishStep')
}

function finish(turn: Turn, call: ToolCall, result: ToolResult): TurnEnd | undefined {
  if (result.control !== undefined) return { kind: 'control', call, request: result.control, changed: result.changed }
  turn.results.push({ type: 'result', callId: call.id, text: result.text, failed: false })
  return undefined
}
