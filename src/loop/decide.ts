import type { Decision } from '../core/decision.ts'
import type { Failure } from '../core/failure.ts'
import { follows } from '../failure/policy.ts'
import type { RunContext } from './context.ts'

/** What follows a failing call, by the policy table and by how many replans in a row no call has succeeded after. */
export function afterCall(
  ctx: RunContext,
  failure: Failure,
  count: number,
): 'retry' | 'replan' | 'end-of-attempt' | 'give-up' | 'stop' {
  const next = follows(ctx.policy[failure.kind], count)
  if (next === 'replan') return ctx.tally.callReplans < ctx.settings.maxReplans ? 'replan' : 'give-up'
  return next === 'repeat' ? 'stop' : next
}

/** What follows an attempt that ended without passing. `attempts` counts those at this step under this plan. */
export function afterAttempt(
  ctx: RunContext,
  failure: Failure,
  attempts: number,
): { readonly decision: Decision; readonly reason: string } {
  const row = ctx.policy[failure.kind]
  if (row.first === 'stop') return { decision: { kind: 'stop' }, reason: 'nothing the model could mend' }
  const times = ctx.history.rejected.filter((rejected) => rejected.failure.kind === failure.kind).length
  if (row.then === 'give-up' && times > row.limit)
    return { decision: { kind: 'give-up' }, reason: 'the limit for this failure is reached' }
  // Every pass over a step counts, whatever ended it: a step that keeps failing in ever new ways must come to an end too.
  if (failure.kind !== 'progress.repeated' && attempts < ctx.settings.maxAttempts) {
    return { decision: { kind: 'retry' }, reason: `attempt ${attempts} of ${ctx.settings.maxAttempts} failed` }
  }
  if (ctx.tally.replans < ctx.settings.maxReplans)
    return { decision: { kind: 'replan' }, reason: 'the step can not be done as planned' }
  const reason = 'every attempt under every plan failed'
  return { decision: { kind: ctx.ports.models.escalate === undefined ? 'give-up' : 'escalate' }, reason }
}
