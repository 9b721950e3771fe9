import type { RunEvent } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import type { Plan } from '../core/plan.ts'
import { prompt } from '../core/prompts.ts'
import type { FileChange, Snapshot } from '../core/snapshot.ts'
import { describeFailure } from '../core/story/failure.ts'
import type { Baseline, Verdict } from '../core/verdict.ts'
import { failureOf } from '../failure/classify.ts'
import type { RunContext } from './context.ts'
import { afterAttempt } from './decide.ts'
import { attemptName, type Editing, edit } from './edit.ts'
import { skipRest } from './execute.ts'
import { openRetry, type Rejection } from './openings.ts'
import { rollBack } from './roll-back.ts'
import { isOverlay, settleRungs } from './rung.ts'
import type { PendingRung } from './step-history.ts'
import { replyTo } from './turn.ts'
import { validate } from './validate.ts'

/** How the work on a plan step ended. */
export type StepEnd =
  | {
      readonly kind: 'passed'
      readonly verdict: Verdict | undefined
      readonly summary: string
      readonly finished: Finished
    }
  /** The model revised the plan in the middle; its changes stay and are part of what the new plan's first step is judged by. */
  | {
      readonly kind: 'revised'
      readonly plan: Plan
      readonly editing: Editing
      readonly answer: string
      readonly open: OpenAttempt
    }
  | { readonly kind: 'replan'; readonly rejection: Rejection }
  /** Every attempt under every plan failed: a stronger model may still do it. */
  | { readonly kind: 'gave-up'; readonly failure: Failure; readonly rejection: Rejection }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The conversation of the attempt that passed, and its last turn with the call that is still to be answered. */
export interface Finished {
  readonly editing: Editing
  readonly call: string | undefined
}

export interface StepInput {
  readonly plan: Plan
  readonly index: number
  readonly baseline: Baseline
  readonly editing: Editing
  /** The state before the run. */
  readonly start: Snapshot
  /** What an attempt under the plan before this one has changed already. */
  readonly open: OpenAttempt | undefined
}

export interface OpenAttempt {
  readonly attempt: number
  readonly snapshot: Snapshot
}

/** Attempts at one plan step until its changes pass the checks, or the policy says what else follows. */
export async function* workStep(ctx: RunContext, input: StepInput): AsyncGenerator<RunEvent, StepEnd> {
  const { plan, index, baseline, start } = input
  const step = plan.steps[index]
  if (step === undefined) throw new Error(`the plan has no step ${index}`)
  const last = index === plan.steps.length - 1
  let editing = input.editing
  let parent = input.open?.attempt
  let carried = input.open?.snapshot
  for (let attempts = 1; ; attempts += 1) {
    const number = ctx.tally.attempts + 1
    const snapshot: Snapshot = carried ?? (await ctx.ports.snapshots.take(attemptName(number)))
    if (carried === undefined) ctx.history.startAttempt()
    carried = undefined
    const constraints = ctx.history.constraints(ctx.ports.tools.definitions)
    yield {
      type: 'attempt.started',
      attempt: number,
      parent,
      step: index,
      limit: ctx.settings.maxAttempts,
      snapshot,
      constraints,
    }
    const end = yield* edit(ctx, editing, step.goal)
    if (end.kind === 'replanned') {
      yield* ended(ctx, number, 'abandoned', await ctx.ports.snapshots.changes(snapshot))
      const going = { conversation: editing.conversation, turn: end.turn }
      return {
        kind: 'revised',
        plan: end.plan,
        editing: going,
        answer: end.submittedBy,
        open: { attempt: number, snapshot },
      }
    }
    const changes = await ctx.ports.snapshots.changes(snapshot)
    const judged =
      end.kind === 'failed' ? { failure: end.failure } : yield* judge(ctx, { number, changes, baseline, last, start })
    if (judged.failure === undefined && end.kind === 'finished') {
      yield* ended(ctx, number, 'passed', changes)
      yield { type: 'step.passed', index, attempt: number, summary: end.summary }
      ctx.history.clear()
      const finished = { editing: { conversation: editing.conversation, turn: end.turn }, call: end.finishedBy }
      return { kind: 'passed', verdict: judged.verdict, summary: end.summary, finished }
    }
    const failure = judged.failure ?? { kind: 'internal.defect', reason: 'an attempt ended without a verdict' }
    const { verdict } = judged
    const rejection: Rejection = { attempt: number, failure, changes, verdict, unseen: notRun(verdict, baseline) }
    yield* reject(ctx, number, snapshot, changes, failure)
    if (end.kind === 'failed' && end.stop) return { kind: 'failed', failure }
    const { decision, reason } = afterAttempt(ctx, failure, attempts)
    const replanning = decision.kind === 'replan'
    const count = replanning ? ctx.tally.replans + 1 : attempts
    const limit = replanning ? ctx.settings.maxReplans : ctx.settings.maxAttempts
    yield { type: 'decision', level: 'attempt', failure, decision, count, limit, reason }
    if (decision.kind === 'replan') return { kind: 'replan', rejection }
    if (decision.kind === 'give-up' || decision.kind === 'escalate') return { kind: 'gave-up', failure, rejection }
    if (decision.kind !== 'retry') return { kind: 'failed', failure }
    parent = number
    const conversation = await openRetry(ctx, number + 1, { plan, done: index, rejection })
    editing = { conversation, turn: undefined }
  }
}

/** The checks that a verdict has nothing from, since one before them had found enough. */
function notRun(verdict: Verdict | undefined, baseline: Baseline): readonly string[] {
  const ran = new Set(verdict?.results.map(({ check }) => check.id))
  return verdict === undefined
    ? []
    : baseline.results.flatMap(({ check }) => (ran.has(check.id) ? [] : [check.command]))
}

interface Judged {
  readonly failure?: Failure
  readonly verdict?: Verdict
}

/** The same patch that was rejected before needs no checks to be rejected again. */
async function* judge(
  ctx: RunContext,
  {
    number,
    changes,
    baseline,
    last,
    start,
  }: {
    readonly number: number
    readonly changes: readonly FileChange[]
    readonly baseline: Baseline
    readonly last: boolean
    readonly start: Snapshot
  },
): AsyncGenerator<RunEvent, Judged> {
  const patch = patchOf(changes)
  const before = ctx.history.rejected.find((rejected) => rejected.patch === patch)
  if (before !== undefined && patch !== '') {
    return {
      failure: { kind: 'progress.repeated', what: prompt(ctx.prompts, 'same-patch', { attempt: before.number }) },
    }
  }
  if (changes.length === 0 && (!last || (await ctx.ports.snapshots.changes(start)).length === 0)) return {}
  const verdict = yield* validate(ctx, {
    attempt: number,
    baseline,
    changed: changes.map((change) => change.path),
    last,
  })
  const failure = failureOf(verdict)
  if (failure !== undefined) return { failure, verdict }
  if (last && ctx.settings.requireProof && verdict.newlyPassing.length === 0) {
    return { failure: { kind: 'check.tests', diagnostics: [], failing: [] }, verdict }
  }
  return { verdict }
}

/** Keeps the attempt's patch for `resumeAttempt`, then gives the tree back. */
async function* reject(
  ctx: RunContext,
  number: number,
  snapshot: Snapshot,
  changes: readonly FileChange[],
  failure: Failure,
): AsyncGenerator<RunEvent> {
  if (changes.length > 0) {
    await ctx.ports.snapshots.keep(attemptName(number), snapshot)
    ctx.history.reject({ number, patch: patchOf(changes), changes, failure })
  }
  if (failure.kind.startsWith('check.')) ctx.history.record(failure, ctx.history.changing)
  yield* rollBack(ctx, snapshot, describeFailure(failure))
  yield* ended(ctx, number, 'rejected', changes)
}

async function* ended(
  ctx: RunContext,
  attempt: number,
  outcome: 'passed' | 'rejected' | 'abandoned',
  changes: readonly FileChange[],
): AsyncGenerator<RunEvent> {
  const passed = outcome === 'passed'
  // The attempt that ended by a rung tells nothing yet: the one after it does.
  const isDue = (pending: PendingRung) => outcome !== 'abandoned' && (isOverlay(pending) || pending.attempt < attempt)
  yield* settleRungs(ctx, isDue, passed, `attempt ${attempt} ${passed ? 'passed' : 'did not pass'}`)
  yield {
    type: 'attempt.ended',
    attempt,
    outcome,
    patch: patchOf(changes),
    changed: changes.map((change) => change.path),
  }
}

const patchOf = (changes: readonly FileChange[]): string => changes.map((change) => change.diff).join('')

/** Answers the call that ended a step, skips what came behind it, and asks for the next one in the same conversation. */
export async function* nextStep(
  ctx: RunContext,
  { editing: { conversation, turn }, call }: Finished,
  plan: Plan,
  index: number,
): AsyncGenerator<RunEvent, Editing> {
  const text = prompt(ctx.prompts, 'next-step', {
    number: index + 1,
    count: plan.steps.length,
    goal: plan.steps[index]?.goal ?? '',
  })
  if (turn === undefined || call === undefined) {
    conversation.reply([], [text])
  } else {
    turn.results.push({ type: 'result', callId: call, text, failed: false })
    yield* skipRest(ctx, turn, 'step-finished')
    replyTo(conversation, turn)
  }
  return { conversation, turn: undefined }
}

/** Gives the call that submitted a plan its result; the turn goes on where it has calls left, else the conversation is replied to. */
export function answerCall({ conversation, turn }: Editing, call: string, text: string): Editing {
  if (turn === undefined) {
    conversation.reply([], [text])
    return { conversation, turn: undefined }
  }
  turn.results.push({ type: 'result', callId: call, text, failed: false })
  if (turn.rest.length > 0) return { conversation, turn }
  replyTo(conversation, turn)
  return { conversation, turn: undefined }
}
