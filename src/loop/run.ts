import type { PolicyTable } from '../core/decision.ts'
import type { RunEvent } from '../core/event.ts'
import { type Failure, type Outcome, success } from '../core/failure.ts'
import type { RunResult } from '../core/outcome.ts'
import type { Plan, Task } from '../core/plan.ts'
import type { Ports } from '../core/ports.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Baseline } from '../core/verdict.ts'
import type { RepositoryFacts } from '../core/workspace.ts'
import { classify } from '../failure/classify.ts'
import { conclude, type Done } from './conclude.ts'
import type { LoopSettings, RunContext } from './context.ts'
import type { Editing } from './edit.ts'
import { headStart } from './head-start.ts'
import { both } from './merge.ts'
import { describeBaseline, openPlanning, openReplanning, type PlanFailure } from './openings.ts'
import { type NothingToDo, type Planned, plan } from './plan.ts'
import { answerCall, nextStep, type StepEnd, type StepInput, workStep } from './step.ts'
import { StepHistory } from './step-history.ts'
import { Tally } from './tally.ts'

export interface RunInput {
  readonly runId: string
  readonly runLog: string
  readonly version: string
  readonly root: string
  readonly task: Task
  readonly settings: LoopSettings
  /** As the run log is to show them: without secrets. */
  readonly shownSettings: Readonly<Record<string, unknown>>
  readonly policy: PolicyTable
  readonly prompts: Prompts
  /** What the repository says of how to work in it (AGENTS.md); may be empty. */
  readonly instructions: string
}

/**
 * A whole run: plan, constrain, edit, validate, decide, until the change is proven or the tree is as it was. Everything that
 * happens is yielded, what announces an act before the act. It always ends with `run.ended`; an abort of `signal` ends it too,
 * the tree restored.
 */
export async function* run(input: RunInput, ports: Ports, signal: AbortSignal): AsyncGenerator<RunEvent, RunResult> {
  const tally = new Tally(ports.clock.now())
  const { task, prompts, instructions, policy, settings } = input
  const ctx: RunContext = {
    task,
    ports,
    prompts,
    instructions,
    policy,
    settings,
    signal,
    tally,
    history: new StepHistory(settings.guards),
  }
  const driving = drive(ctx, input)
  for (;;) {
    const step = await driving.next()
    if (step.done) return step.value
    tally.see(step.value)
    yield step.value
  }
}

async function* drive(ctx: RunContext, input: RunInput): AsyncGenerator<RunEvent, RunResult> {
  const { runId, runLog, version, root, task, shownSettings } = input
  yield {
    type: 'run.started',
    runId,
    runLog,
    version,
    root,
    task,
    model: ctx.ports.models.edit.id,
    settings: shownSettings,
  }
  const begun: Begun = { start: undefined }
  let done: Done
  try {
    done = yield* work(ctx, begun)
  } catch (thrown) {
    done = { kind: 'failed', failure: ctx.signal.aborted ? classify(ctx.signal.reason) : classify(thrown) }
  }
  const result = yield* conclude(ctx, done, begun.start)
  yield { type: 'run.ended', result }
  return result
}

/** The state before the run, once there is one to go back to. */
interface Begun {
  start: Snapshot | undefined
}

async function* work(ctx: RunContext, begun: Begun): AsyncGenerator<RunEvent, Done> {
  const facts = await ctx.ports.workspace.facts(ctx.task.text)
  yield { type: 'facts.gathered', facts }
  if (facts.checks.length === 0) return unavailable(undefined)
  const [baseline, first] = yield* planBesideBaseline(ctx, facts, begun)
  if (baseline !== undefined && !canProve(baseline)) return unavailable(baseline)
  let planned = first
  let current = ctx
  for (let revision = 1; ; ) {
    if (!planned.ok) return { kind: 'failed', failure: planned.failure }
    if (planned.value.plan === undefined) return { kind: 'nothing', summary: planned.value.summary }
    if (baseline === undefined) return unavailable(undefined)
    const { start } = begun
    if (start === undefined) throw new Error('a plan came before the snapshot')
    const end = yield* followPlan(current, { planned: planned.value, baseline, revision, start })
    if (end.kind !== 'replan' && end.kind !== 'gave-up') return end
    if (end.kind === 'gave-up') {
      const stronger = escalated(current)
      if (stronger === undefined) return { kind: 'failed', failure: end.failure }
      current = stronger
    }
    revision = end.revision + 1
    planned = yield* plan(current, openReplanning(current, facts, revision, end))
  }
}

/** The run with the stronger model in the place of those that failed; undefined where there is none (any more). */
function escalated(ctx: RunContext): RunContext | undefined {
  const { escalate, ...models } = ctx.ports.models
  if (escalate === undefined) return undefined
  return { ...ctx, ports: { ...ctx.ports, models: { ...models, plan: escalate, edit: escalate } } }
}

/** Without a check that runs, nothing could ever be proven. */
function unavailable(baseline: Baseline | undefined): Done {
  const [first] = baseline?.results ?? []
  const reason =
    first?.reason ??
    'no type check, linter or tests were found, or the settings switch them off: nothing could prove a change'
  return { kind: 'failed', failure: { kind: 'check.unavailable', check: first?.check.id ?? 'checks', reason } }
}

/**
 * Snapshot and baseline cost no waiting, since planning changes nothing; they begin when the first request has left. The
 * baseline is given up when planning ends without a plan, and planning when no check can run, since nothing could be proven.
 */
async function* planBesideBaseline(
  ctx: RunContext,
  facts: RepositoryFacts,
  begun: Begun,
): AsyncGenerator<RunEvent, readonly [Baseline | undefined, Outcome<Planned | NothingToDo>]> {
  const noPlan = new AbortController()
  const noProof = new AbortController()
  async function* takeBaseline(): AsyncGenerator<RunEvent, Baseline | undefined> {
    const signal = AbortSignal.any([ctx.signal, noPlan.signal])
    try {
      await headStart(signal)
      signal.throwIfAborted()
      ctx.ports.tools.prepare()
      const startedAt = ctx.ports.clock.now()
      begun.start = await ctx.ports.snapshots.take('start')
      const baseline = yield* ctx.ports.validator.baseline(signal)
      ctx.ports.tools.learnTests(baseline.results.flatMap(({ tests }) => tests.map(({ id }) => id)))
      yield { type: 'baseline.taken', baseline, ms: ctx.ports.clock.now() - startedAt }
      if (!canProve(baseline)) noProof.abort()
      return baseline
    } catch (thrown) {
      if (noPlan.signal.aborted && !ctx.signal.aborted) return undefined
      throw thrown
    }
  }
  async function* planFirst(): AsyncGenerator<RunEvent, Outcome<Planned | NothingToDo>> {
    const signal = AbortSignal.any([ctx.signal, noProof.signal])
    let planned: Outcome<Planned | NothingToDo> | undefined
    try {
      planned = yield* plan({ ...ctx, signal }, openPlanning(ctx, facts))
      return planned
    } catch (thrown) {
      if (noProof.signal.aborted && !ctx.signal.aborted) return success({ plan: undefined, summary: '' })
      throw thrown
    } finally {
      if (!planned?.ok || planned.value.plan === undefined) noPlan.abort()
    }
  }
  return yield* both(takeBaseline(), planFirst())
}

const canProve = (baseline: Baseline): boolean => baseline.results.some((result) => result.status !== 'unavailable')

interface PlanInput {
  readonly planned: Planned
  readonly baseline: Baseline
  readonly revision: number
  readonly start: Snapshot
}

type PlanEnd =
  | Done
  | ({ readonly kind: 'replan'; readonly revision: number } & PlanFailure)
  | ({ readonly kind: 'gave-up'; readonly revision: number; readonly failure: Failure } & PlanFailure)

/** The steps of a plan, one after the other. */
async function* followPlan(ctx: RunContext, input: PlanInput): AsyncGenerator<RunEvent, PlanEnd> {
  const { baseline, start } = input
  let { revision } = input
  let { plan: current } = input.planned
  yield { type: 'plan.accepted', plan: current, revision }
  let editing = beginPlan(ctx, input.planned, baseline)
  let open: StepInput['open']
  for (let index = 0; index < current.steps.length; ) {
    const step = current.steps[index]
    if (step === undefined) break
    yield { type: 'step.started', index, step }
    const end: StepEnd = yield* workStep(ctx, { plan: current, index, baseline, editing, start, open })
    open = undefined
    switch (end.kind) {
      case 'passed':
        index += 1
        if (index === current.steps.length) return { kind: 'passed', verdict: end.verdict, summary: end.summary }
        editing = yield* nextStep(ctx, end.finished, current, index)
        break
      case 'revised':
        current = end.plan
        revision += 1
        index = 0
        open = end.open
        yield { type: 'plan.accepted', plan: current, revision }
        editing = answerCall(end.editing, end.answer, acceptance(ctx, current, baseline))
        break
      case 'replan':
        return { kind: 'replan', revision, plan: current, done: index, rejection: end.rejection }
      case 'gave-up':
        return { ...end, revision, plan: current, done: index }
      case 'failed':
        return end
    }
  }
  throw new Error('a plan has at least one step')
}

/** The first attempt continues the conversation in which the plan was made. */
function beginPlan(ctx: RunContext, planned: Planned, baseline: Baseline): Editing {
  const { conversation, turn, submittedBy, plan: made } = planned
  const text = acceptance(ctx, made, baseline)
  if (submittedBy !== undefined) return answerCall({ conversation, turn }, submittedBy, text)
  turn.notes.push(text)
  return { conversation, turn }
}

function acceptance(ctx: RunContext, made: Plan, baseline: Baseline): string {
  const [first, ...more] = made.steps
  const now =
    more.length === 0 ? '' : prompt(ctx.prompts, 'first-step', { count: made.steps.length, goal: first?.goal ?? '' })
  return prompt(ctx.prompts, 'plan-accepted', { baseline: describeBaseline(ctx, baseline), now })
}
