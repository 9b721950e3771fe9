import type { Failure } from '../core/failure.ts'
import type { Plan } from '../core/plan.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolDefinition } from '../core/tool.ts'
import type { Baseline, Verdict } from '../core/verdict.ts'
import type { RepositoryFacts } from '../core/workspace.ts'
import { describeDiagnostics, describeTests, explain } from '../failure/explain.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { withAttemptNumbers } from '../guard/attempt-numbers.ts'
import type { RunContext } from './context.ts'
import { Conversation } from './conversation.ts'
import { SHOWN_BYTES } from './edit.ts'

/** What a fresh root is told of the attempt that was rejected. */
export interface Rejection {
  readonly attempt: number
  readonly failure: Failure
  readonly patch: string
  readonly verdict?: Verdict
}

/** A plan that could not be carried out: its first `done` steps passed, the next one did not. */
export interface PlanFailure {
  readonly plan: Plan
  readonly done: number
  readonly rejection: Rejection
}

/** The first request: the facts that every run asks for, and the task. */
export function openPlanning(ctx: RunContext, facts: RepositoryFacts): Conversation {
  return new Conversation(
    'main',
    'plan',
    prompt(ctx.prompts, 'system'),
    firstTools(ctx),
    prompt(ctx.prompts, 'plan', { ...describeFacts(facts), task: ctx.task.text }),
  )
}

/** A fresh root for a plan after one that could not be carried out. */
export function openReplanning(
  ctx: RunContext,
  facts: RepositoryFacts,
  revision: number,
  { plan, done, rejection }: PlanFailure,
): Conversation {
  const opening = prompt(ctx.prompts, 'replan', {
    ...describeFacts(facts),
    task: ctx.task.text,
    plan: describePlan(plan, done),
    rejected: describeRejection(ctx, rejection),
  })
  return new Conversation(`plan-${revision}`, 'plan', prompt(ctx.prompts, 'system'), firstTools(ctx), opening)
}

/** A fresh root for a further attempt, so that a bad one does not colour it; its tools are the constrained ones. */
export async function openRetry(
  ctx: RunContext,
  attempt: number,
  { plan, done, rejection }: PlanFailure,
  changed: readonly string[],
): Promise<Conversation> {
  const step = plan.steps[done]
  const paths = [...new Set([...changed, ...(step?.files ?? [])])]
  const numbers = ctx.history.rejected.map((one) => one.number)
  const definitions = withAttemptNumbers(ctx.ports.tools.definitions, numbers)
  const opening = prompt(ctx.prompts, 'retry', {
    task: ctx.task.text,
    plan: describePlan(plan, done),
    goal: step?.goal ?? '',
    attempt: rejection.attempt,
    rejected: describeRejection(ctx, rejection),
    files: await ctx.ports.tools.show(paths, SHOWN_BYTES),
  })
  const tools = applyConstraints(definitions, ctx.history.constraints(definitions))
  return new Conversation(`attempt-${attempt}`, 'edit', prompt(ctx.prompts, 'system'), tools, opening)
}

/** There is nothing to take up again yet, so the first list leaves that tool out. */
function firstTools(ctx: RunContext): readonly ToolDefinition[] {
  return withAttemptNumbers(ctx.ports.tools.definitions, [])
}

function describeRejection(ctx: RunContext, { failure, patch, verdict }: Rejection): string {
  const why = verdict === undefined ? explain(ctx.prompts, failure) : describeNew(verdict)
  return prompt(ctx.prompts, 'rejected', { why, patch: patch.length > 12_000 ? `${patch.slice(0, 12_000)}\n…` : patch })
}

function describeNew(verdict: Verdict): string {
  return [describeDiagnostics(verdict.newDiagnostics), describeTests(verdict.newlyFailing)]
    .filter((part) => part !== '')
    .join('\n')
}

function describePlan(plan: Plan, done: number): string {
  return plan.steps
    .map((step, index) => `${index + 1}. ${step.goal}${index < done ? ' (done, its changes are in the tree)' : ''}`)
    .join('\n')
}

function describeFacts(facts: RepositoryFacts): Readonly<Record<string, string>> {
  const { git } = facts
  const state =
    git.kind === 'none'
      ? 'none'
      : git.kind === 'unborn'
        ? 'no commit yet'
        : `${git.branch ?? git.head.slice(0, 12)}, ${git.dirty.length} files with uncommitted changes`
  return {
    platform: `${facts.platform}, Node ${facts.nodeVersion}, ${facts.packageManager}`,
    scripts: Object.keys(facts.scripts).join(', ') || 'none',
    checks:
      facts.checks
        .map((check) => `${check.kind}: ${check.command}${check.cwd === '.' ? '' : ` (in ${check.cwd})`}`)
        .join('; ') || 'none',
    files: facts.topLevel.join(' '),
    git: state,
  }
}

/** What the checks said before the first edit, one line a check, and the failing tests. */
export function describeBaseline(baseline: Baseline): string {
  return baseline.results
    .map((result) => {
      const { check, status, diagnostics, tests } = result
      if (status === 'unavailable') return `${check.kind}: could not run (${result.reason ?? 'unknown reason'})`
      const failing = tests.filter((test) => test.status === 'failed')
      if (failing.length > 0)
        return `${check.kind}: ${failing.length} of ${tests.length} fail:\n${describeTests(failing)}`
      const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
      if (errors.length > 0)
        return `${check.kind}: ${errors.length} errors before your change:\n${describeDiagnostics(errors.slice(0, 5))}`
      if (status === 'failed') return `${check.kind}: fails before your change (exit code ${result.exitCode ?? '?'})`
      return `${check.kind}: clean${tests.length > 0 ? `, ${tests.length} tests pass` : ''}`
    })
    .join('\n')
}
