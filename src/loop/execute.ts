import type { RunEvent } from '../core/event.ts'
import type { Correctable, Failure } from '../core/failure.ts'
import type { CheckedCall, ToolRunner } from '../core/ports.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { explain } from '../failure/explain.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import type { RunContext } from './context.ts'
import { patiently } from './patiently.ts'
import type { Turn } from './turn.ts'

/** A call that only the constraints refuse has been made before: said so, rather than that its arguments were wrong. */
export async function check(
  ctx: RunContext,
  call: ToolCall,
  base: readonly ToolDefinition[],
  constrained: readonly ToolDefinition[],
): ReturnType<ToolRunner['check']> {
  const result = await ctx.ports.tools.check(call, constrained)
  if (result.ok || result.failure.kind !== 'call.invalid-arguments') return result
  const unconstrained = await ctx.ports.tools.check(call, base)
  if (!unconstrained.ok && unconstrained.failure.kind === 'call.invalid-arguments') return unconstrained
  const earlier = await refusedFor(ctx, call, base)
  // What was not there then has come to be since, by a command or a person: looked up just now.
  if (earlier?.kind === 'target.not-found' && unconstrained.ok) return unconstrained
  const what = earlier === undefined ? prompt(ctx.prompts, 'refused-before') : explain(ctx.prompts, earlier)
  return { ok: false, failure: { kind: 'progress.repeated', what, callId: call.id, tool: call.name } }
}

/** The latest failure whose constraints alone refuse the call. */
async function refusedFor(
  ctx: RunContext,
  call: ToolCall,
  base: readonly ToolDefinition[],
): Promise<Failure | undefined> {
  for (let index = ctx.history.failures.length - 1; index >= 0; index -= 1) {
    const alone = applyConstraints(base, ctx.history.constraintsOf(index, base))
    const result = await ctx.ports.tools.check(call, alone)
    if (!result.ok && result.failure.kind === 'call.invalid-arguments') return ctx.history.failures[index]
  }
  return undefined
}

/** Executes a checked call; asks first where a person's consent is needed. */
export async function* execute(
  ctx: RunContext,
  checked: CheckedCall,
): AsyncGenerator<RunEvent, { ok: true; value: ToolResult } | { ok: false; failure: Correctable }> {
  const { call, repairs, needsApproval } = checked
  if (repairs.length > 0) yield { type: 'call.repaired', callId: call.id, tool: call.name, repairs }
  if (needsApproval !== undefined) {
    yield { type: 'approval.asked', callId: call.id, action: needsApproval }
    const answer = await ctx.ports.person.approve(needsApproval, ctx.signal)
    ctx.signal.throwIfAborted()
    yield { type: 'approval.answered', callId: call.id, ...answer }
    if (!answer.allowed) {
      return { ok: false, failure: { kind: 'call.denied', callId: call.id, tool: call.name, by: answer.by } }
    }
  }
  const startedAt = ctx.ports.clock.now()
  const outcome = yield* patiently(ctx, () => ctx.ports.tools.execute(checked, ctx.signal))
  ctx.signal.throwIfAborted()
  if (!outcome.ok) return { ok: false, failure: outcome.failure as Correctable }
  const { text, edits, changed, exitCode } = outcome.value
  ctx.history.changed(call, changed)
  yield {
    type: 'call.ended',
    callId: call.id,
    tool: call.name,
    text,
    edits,
    changed,
    exitCode,
    ms: ctx.ports.clock.now() - startedAt,
  }
  return { ok: true, value: outcome.value }
}

type SkipReason = Extract<Failure, { kind: 'call.skipped' }>['because']

/** Gives the calls that are left a result that says why they were not carried out. */
export async function* skipRest(ctx: RunContext, turn: Turn, because: SkipReason): AsyncGenerator<RunEvent> {
  for (const call of turn.rest.splice(0)) yield* skip(ctx, turn, call, because)
}

export async function* skip(
  ctx: RunContext,
  turn: Turn,
  call: ToolCall,
  because: SkipReason,
): AsyncGenerator<RunEvent> {
  const failure = { kind: 'call.skipped', callId: call.id, tool: call.name, because } as const
  yield { type: 'call.failed', callId: call.id, tool: call.name, failure, executed: false }
  turn.results.push({ type: 'result', callId: call.id, text: explain(ctx.prompts, failure), failed: true })
}
