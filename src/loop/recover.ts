import { type ConstraintSet, NONE_OF_THESE } from '../core/constraint.ts'
import type { RunEvent, SchemaChange } from '../core/event.ts'
import type { Correctable, Failure } from '../core/failure.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { explain } from '../failure/explain.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { schemaAt } from '../guard/pointer.ts'
import { ask } from './ask.ts'
import type { RunContext } from './context.ts'
import { Conversation } from './conversation.ts'
import { afterCall } from './decide.ts'
import { check, execute } from './execute.ts'
import type { TurnEnd } from './turn.ts'

export type Recovery =
  | { readonly kind: 'recovered'; readonly result: ToolResult }
  /** The model reads `text` as the result of its call; with `end` the turn is over. */
  | { readonly kind: 'told'; readonly text: string; readonly end?: TurnEnd }

/**
 * One failing call, from the cheap rung to the dear one: the guards narrow the schemas, a scoped replay asks for that one
 * call again under its narrowed schema, and failing that the model is told in the conversation, the constraint in force.
 */
export async function* recover(
  ctx: RunContext,
  { call, failure, executed }: { readonly call: ToolCall; readonly failure: Correctable; readonly executed: boolean },
  tools: readonly ToolDefinition[],
  goal: string,
): AsyncGenerator<RunEvent, Recovery> {
  yield { type: 'call.failed', callId: call.id, tool: call.name, failure, executed }
  const set = yield* guard(ctx, call, failure, tools)
  const count = ctx.history.count(failure)
  const next = afterCall(ctx, failure, count)
  if (next === 'retry' && canReplay(failure, set)) {
    yield { type: 'recovery.started', callId: call.id, rung: 'scoped-replay' }
    const replayed = yield* replay(ctx, call, failure, { tools, set }, goal)
    const recovered = 'result' in replayed
    yield { type: 'recovery.ended', callId: call.id, rung: 'scoped-replay', recovered, note: replayed.note }
    if (recovered) return { kind: 'recovered', result: replayed.result }
    if (replayed.stop !== undefined) return stop(ctx, replayed.stop)
  }
  const text = explain(ctx.prompts, failure)
  yield {
    type: 'decision',
    failure,
    decision: { kind: next === 'end-of-attempt' ? 'retry' : next },
    count,
    limit: ctx.policy[failure.kind].limit,
    reason: next === 'retry' ? 'told to the model, the constraint in force' : next,
  }
  if (next === 'retry') {
    yield { type: 'recovery.started', callId: call.id, rung: 'overlay' }
    return { kind: 'told', text }
  }
  if (next === 'replan')
    return {
      kind: 'told',
      text: [text, prompt(ctx.prompts, 'revise-plan')].join('\n'),
      end: { kind: 'failed', failure, follows: 'replan' },
    }
  return { kind: 'told', text, end: { kind: 'failed', failure, follows: next } }
}

function stop(ctx: RunContext, failure: Failure): Recovery {
  return { kind: 'told', text: explain(ctx.prompts, failure), end: { kind: 'failed', failure, follows: 'stop' } }
}

/** Records the failure and tells which guards it fires and what they change in the schemas. */
async function* guard(
  ctx: RunContext,
  call: ToolCall,
  failure: Failure,
  tools: readonly ToolDefinition[],
): AsyncGenerator<RunEvent, ConstraintSet> {
  ctx.history.record(failure, [call])
  const set = ctx.history.constraints(tools)
  const narrowed = applyConstraints(tools, set, { recovery: true })
  const latest = ctx.history.failures.length - 1
  for (const fired of set.trace.filter((trace) => trace.failure === latest)) {
    const places = new Set(
      fired.constraints.flatMap((constraint) =>
        constraint.kind === 'enum' && constraint.scope.by === 'place'
          ? [constraint.scope.pointer]
          : constraint.kind === 'narrow'
            ? [constraint.pointer]
            : [],
      ),
    )
    const changes = [...places].flatMap((pointer): SchemaChange[] => {
      const before = schemaOf(tools, call.name, pointer)
      const after = schemaOf(narrowed, call.name, pointer)
      return before === undefined || after === undefined || before === after
        ? []
        : [{ tool: call.name, pointer, before, after }]
    })
    yield {
      type: 'guard.fired',
      guard: fired.guard,
      reason: fired.reason,
      failure,
      constraints: fired.constraints,
      changes,
    }
  }
  return set
}

const schemaOf = (tools: readonly ToolDefinition[], name: string, pointer: string) => {
  const tool = tools.find((one) => one.name === name)
  return tool && schemaAt(tool.inputSchema, pointer)
}

/** A replay is worth its request where the guards have something for the model to choose from or hold on to. */
function canReplay(failure: Correctable, set: ConstraintSet): boolean {
  if (failure.kind === 'call.invalid-arguments') return true
  return (
    failure.kind === 'target.not-found' &&
    set.constraints.some((constraint) => constraint.kind === 'enum' && constraint.lasts === 'call')
  )
}

type Replayed =
  | { readonly result: ToolResult; readonly note: string }
  | { readonly note: string; readonly stop?: Failure }

/** Asks for this one call again on a branch of its own that is thrown away, then carries out what comes. */
async function* replay(
  ctx: RunContext,
  call: ToolCall,
  failure: Correctable,
  { tools, set }: { readonly tools: readonly ToolDefinition[]; readonly set: ConstraintSet },
  goal: string,
): AsyncGenerator<RunEvent, Replayed> {
  const base = tools.filter((tool) => tool.name === call.name)
  const only = applyConstraints(base, set, { recovery: true })
  const opening = prompt(ctx.prompts, 'replay', {
    goal,
    tool: call.name,
    arguments: call.input.parsed ? JSON.stringify(call.input.value) : call.input.raw,
    failure: explain(ctx.prompts, failure),
    none: NONE_OF_THESE,
  })
  const branch = new Conversation(`replay-${call.id}`, 'repair', prompt(ctx.prompts, 'replay-system'), only, opening)
  const asked = yield* ask(ctx, branch)
  if (!asked.ok) return { note: 'the request failed', stop: asked.failure }
  const block = asked.value.content.find((one) => one.type === 'call' && one.call.name === call.name)
  if (block?.type !== 'call') return { note: 'the answer had no call' }
  if (block.call.input.parsed && mentions(block.call.input.value, NONE_OF_THESE))
    return { note: 'none of the values offered was meant' }
  yield { type: 'call.started', call: block.call }
  const checked = await check(ctx, block.call, base, only)
  const done = checked.ok ? yield* execute(ctx, checked.value) : checked
  if (!done.ok) {
    yield { type: 'call.failed', callId: block.call.id, tool: call.name, failure: done.failure, executed: checked.ok }
    ctx.history.record(done.failure, [block.call])
    return { note: `the call failed again: ${done.failure.kind}` }
  }
  const correction = corrected(call, block.call)
  const text = prompt(ctx.prompts, 'recovered', { tool: call.name, correction, result: done.value.text })
  return { result: { ...done.value, text }, note: correction }
}

function mentions(value: Json, wanted: string): boolean {
  if (typeof value === 'string') return value === wanted
  if (value === null || typeof value !== 'object') return false
  return Object.values(value as JsonObject).some((member) => mentions(member, wanted))
}

/** `path "src/price.ts" became "src/pricing/price.ts"`: the top-level arguments that differ, long values by their size. */
function corrected(before: ToolCall, after: ToolCall): string {
  if (!before.input.parsed || !after.input.parsed) return 'the arguments were written anew'
  const [old, now] = [before.input.value, after.input.value]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  return changed.map((name) => `${name} ${shown(old[name])} became ${shown(now[name])}`).join('; ') || 'nothing'
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 120 ? `(${text.length} characters)` : text
}
