import type { Failure } from '../core/failure.ts'
import type { Plan } from '../core/plan.ts'
import { prompt } from '../core/prompts.ts'
import type { FileChange } from '../core/snapshot.ts'
import { visibleName } from '../core/story/text.ts'
import type { ToolDefinition } from '../core/tool.ts'
import type { Baseline, Verdict } from '../core/verdict.ts'
import type { RepositoryFacts } from '../core/workspace.ts'
import { describeDiagnostics, describeTests, explain } from '../failure/explain.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { withAttemptNumbers } from '../guard/attempt-numbers.ts'
import { withKnownPaths } from '../guard/known-paths.ts'
import { PICK } from './choice.ts'
import type { RunContext } from './context.ts'
import { Conversation } from './conversation.ts'
import { SHOWN_BYTES } from './edit.ts'
import { filesInScope } from './shown-files.ts'

/** What a fresh root is told of the attempt that was rejected. */
export interface Rejection {
  readonly attempt: number
  readonly failure: Failure
  readonly changes: readonly FileChange[]
  readonly verdict?: Verdict
  /** Checks that had not run when it was rejected. */
  readonly unseen: readonly string[]
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
    systemPrompt(ctx),
    toolsFor(ctx, 'plan', facts),
    prompt(ctx.prompts, 'plan', { facts: describeFacts(ctx, facts), task: ctx.task.text }),
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
    facts: describeFacts(ctx, facts),
    task: ctx.task.text,
    plan: describePlan(ctx, plan, done),
    rejected: describeRejection(ctx, rejection),
  })
  return new Conversation(`plan-${revision}`, 'plan', systemPrompt(ctx), toolsFor(ctx, 'plan', facts), opening)
}

/** A fresh root for a further attempt, so that a bad one does not colour it; its tools are the constrained ones. */
export async function openRetry(
  ctx: RunContext,
  attempt: number,
  { plan, done, rejection }: PlanFailure,
): Promise<Conversation> {
  const step = plan.steps[done]
  const definitions = toolsFor(ctx, 'edit')
  const opening = prompt(ctx.prompts, 'retry', {
    task: ctx.task.text,
    // The one step of a plan is the goal.
    plan:
      plan.steps.length > 1 ? `${prompt(ctx.prompts, 'plan-steps', { steps: describePlan(ctx, plan, done) })}\n` : '',
    goal: step?.goal ?? '',
    attempt: rejection.attempt,
    rejected: describeRejection(ctx, rejection),
    files: await ctx.ports.tools.show(
      filesInScope(rejection.changes, step?.files ?? [], rejection.verdict?.newlyFailing ?? []),
      SHOWN_BYTES,
    ),
  })
  const tools = applyConstraints(definitions, ctx.history.constraints(definitions))
  return new Conversation(`attempt-${attempt}`, 'edit', systemPrompt(ctx), tools, opening)
}

function systemPrompt({ prompts, instructions }: RunContext): string {
  const own = instructions === '' ? [] : [prompt(prompts, 'instructions', { instructions })]
  return [prompt(prompts, 'system'), ...own].join('\n\n')
}

/**
 * The list of a new conversation. What can't be used in it is left out: taking up an attempt where there is none, and
 * picking a candidate where a tightened definition can be appended instead.
 */
function toolsFor(ctx: RunContext, role: 'plan' | 'edit', facts?: RepositoryFacts): readonly ToolDefinition[] {
  const numbers = role === 'plan' ? [] : ctx.history.rejected.map((one) => one.number)
  const tools = withAttemptNumbers(ctx.ports.tools.definitions, numbers)
  const { appends, binds } = ctx.ports.models[role].schemas
  const possible = appends ? tools.filter(({ name }) => name !== PICK) : tools
  // Files may be made in the conversation, so what can't be called otherwise is not held to those that are there now.
  return binds || !ctx.settings.guards || facts === undefined ? possible : withKnownPaths(possible, facts.files)
}

function describeRejection(ctx: RunContext, { failure, changes, verdict, unseen }: Rejection): string {
  const { prompts } = ctx
  const why =
    verdict === undefined || failure.kind === 'check.tampered' ? explain(prompts, failure) : describeNew(verdict)
  const patch = changes.map((change) => change.diff).join('')
  return prompt(prompts, 'rejected', {
    why,
    unseen: unseen.length === 0 ? '' : prompt(prompts, 'unseen', { checks: unseen.join(', ') }),
    patch: patch.length > MOST_PATCH ? `${patch.slice(0, MOST_PATCH)}\n…` : patch,
  })
}

/** Characters of a rejected change that are shown. */
const MOST_PATCH = 12_000

function describeNew(verdict: Verdict): string {
  return [describeDiagnostics(verdict.newDiagnostics), describeTests(verdict.newlyFailing)]
    .filter((part) => part !== '')
    .join('\n')
}

function describePlan({ prompts }: RunContext, plan: Plan, done: number): string {
  return plan.steps
    .map(({ goal }, index) =>
      prompt(prompts, index < done ? 'plan-step-done' : 'plan-step', { number: index + 1, goal }),
    )
    .join('\n')
}

function describeFacts({ prompts }: RunContext, facts: RepositoryFacts): string {
  const { git, scripts, checks, files, topLevel, mentions } = facts
  const values: Readonly<Record<string, string | number>> =
    git.kind === 'commit' ? { head: git.branch ?? git.head.slice(0, 12), dirty: git.dirty.length } : {}
  const named = mentions.map(({ name, places }) => `${name}: ${places.map(visibleName).join(' ')}`).join('\n')
  return prompt(prompts, 'facts', {
    platform: facts.platform,
    node: facts.nodeVersion,
    packageManager: facts.packageManager,
    git: prompt(prompts, `facts/git-${git.kind}`, values),
    scripts: Object.keys(scripts).map(visibleName).join(', ') || '-',
    checks: checks.map(({ kind, command, cwd }) => `${kind}: ${command}${cwd === '.' ? '' : ` (${cwd})`}`).join('; '),
    files: files.length > 0 ? byFolder(files.map(visibleName)) : topLevel.map(visibleName).join(' '),
    mentions: named === '' ? '' : prompt(prompts, 'facts/mentions', { mentions: named }),
  })
}

/** A line a folder: `src/model/: a.ts b.ts`. */
function byFolder(files: readonly string[]): string {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const cut = file.lastIndexOf('/') + 1
    const folder = file.slice(0, cut) || './'
    folders.set(folder, [...(folders.get(folder) ?? []), file.slice(cut)])
  }
  return [...folders].map(([folder, names]) => `${folder}: ${names.join(' ')}`).join('\n')
}

/** What the checks said before the first edit, one line a check, and the failing tests. */
export function describeBaseline({ prompts }: RunContext, baseline: Baseline): string {
  return baseline.results
    .map((result) => {
      const { check, status, diagnostics, tests, reason = '', exitCode } = result
      const say = (name: string, values: Readonly<Record<string, string | number>> = {}) =>
        prompt(prompts, `baseline/${name}`, { check: check.kind, ...values })
      if (status === 'unavailable') return say('unavailable', { reason })
      const failing = tests.filter((test) => test.status === 'failed')
      if (failing.length > 0)
        return say('tests-fail', { failing: failing.length, count: tests.length, tests: describeTests(failing) })
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      if (errors.length > 0)
        return say('complaints', {
          count: errors.length,
          diagnostics: describeDiagnostics(errors.slice(0, SHOWN_COMPLAINTS)),
        })
      if (status === 'failed') return say('fails', { exitCode: exitCode ?? '?' })
      const passing = tests.filter((test) => test.status === 'passed').length
      return tests.length > 0 ? say('tests-pass', { count: passing }) : say('clean')
    })
    .join('\n')
}

/** Complaints that were there before are for orientation only. */
const SHOWN_COMPLAINTS = 5
