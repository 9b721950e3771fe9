import type { RunEvent } from '../core/event.ts'
import type { Correctable, Failure } from '../core/failure.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { withAttemptNumbers } from '../guard/attempt-numbers.ts'
import { PICK, pickedCall, withChoice } from './choice.ts'
import type { RunContext } from './context.ts'
import type { Conversation } from './conversation.ts'
import { remember, withCorrections } from './corrections.ts'
import { check, execute, skip } from './execute.ts'
import { recover } from './recover.ts'
import { corrected } from './replay.ts'
import { isAbout, isOverlay, settleRungs } from './rung.ts'
import type { Turn, TurnEnd } from './turn.ts'

export type Phase = 'plan' | 'edit'

/** Where calls are carried out, and what for. */
export interface Place {
  readonly conversation: Conversation
  readonly phase: Phase
  readonly goal: string
}

/** A call is made in vain when it was made so often before and nothing has changed since. */
const SAME_READ = 2

/**
 * Carries out the calls of a turn in their order, each checked against the tools under the constraints in force. A
 * failing call is recovered or told; it ends the batch for later calls that change or run something.
 */
export async function* dispatch(ctx: RunContext, turn: Turn, place: Place): AsyncGenerator<RunEvent, TurnEnd> {
  const { conversation, phase, goal } = place
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
    const done = yield* carryOut(ctx, call, base, conversation)
    yield* settleOverlays(ctx, done)
    if (done.ok) {
      if (done.value.control === undefined) ctx.tally.callReplans = 0
      const end = finish(turn, call, done.value)
      if (end !== undefined) return end
      continue
    }
    const { failure, executed } = done
    const recovered = yield* recover(
      ctx,
      { call: done.call, failure, executed },
      { conversation, tools: callable(ctx, phase), goal },
    )
    if (recovered.kind === 'recovered') {
      const end = finish(turn, call, recovered.result)
      if (end !== undefined) return end
      continue
    }
    turn.results.push({ type: 'result', callId: call.id, text: recovered.text, failed: true })
    for (const one of recovered.definitions) replaceBy(turn.definitions, one)
    turn.broken = turn.broken || endsBatch(failure)
    if (recovered.end !== undefined) return recovered.end
  }
}

/** The next call about the same thing shows how the model took what it was told. */
async function* settleOverlays(ctx: RunContext, done: Done): AsyncGenerator<RunEvent> {
  const { name } = done.call
  const note = done.ok ? `${name} was carried out` : `${name} failed: ${done.failure.kind}`
  yield* settleRungs(ctx, (pending) => isOverlay(pending) && isAbout(pending, done.call), done.ok, note)
}

type Done =
  | { readonly ok: true; readonly call: ToolCall; readonly value: ToolResult }
  | { readonly ok: false; readonly call: ToolCall; readonly failure: Correctable; readonly executed: boolean }

/** One call: mended where it is known how, checked, executed. A pick makes the call that it picks for. */
async function* carryOut(
  ctx: RunContext,
  call: ToolCall,
  base: readonly ToolDefinition[],
  conversation: Conversation,
): AsyncGenerator<RunEvent, Done> {
  yield { type: 'call.started', call }
  // Whoever goes on without picking has found another way: the call that failed is over.
  const isOver = call.name !== PICK && ctx.tally.requests > (ctx.history.choice?.request ?? 0)
  if (isOver) ctx.history.choice = undefined
  const tool = base.find(({ name }) => name === call.name)
  const corrections = withCorrections(ctx.history, call, tool)
  // A path that has come to be since means itself.
  const known =
    corrections.repairs.length > 0 && (await ctx.ports.tools.check(call, base)).ok ? { call, repairs: [] } : corrections
  if (known.repairs.length > 0)
    yield { type: 'call.repaired', callId: call.id, tool: call.name, repairs: known.repairs }
  if (tool?.effect === 'read' && conversation.madeBefore(call, ctx.history.changes) >= SAME_READ) {
    const what = prompt(ctx.prompts, 'same-read', { tool: call.name })
    const failure = { kind: 'progress.repeated', what, callId: call.id, tool: call.name } as const
    return { ok: false, call, failure, executed: false }
  }
  const checked = await check(ctx, known.call, base, applyConstraints(base, ctx.history.constraints(base)))
  const done = checked.ok ? yield* execute(ctx, checked.value) : checked
  if (!done.ok) return { ok: false, call: named(known.call, done.failure), failure: done.failure, executed: checked.ok }
  if (done.value.control?.kind === 'pick') return yield* pick(ctx, call, done.value.control.choice, base)
  return { ok: true, call, value: told(ctx, done.value, known.repairs.length > 0 ? corrected(call, known.call) : '') }
}

/** The call under the name of the tool that was meant, where it was written in another spelling. */
function named(call: ToolCall, failure: Correctable): ToolCall {
  return failure.tool === undefined || failure.kind === 'call.unknown-tool' ? call : { ...call, name: failure.tool }
}

/** Makes the call that failed with the value that was picked. None picked: it has failed once more. */
async function* pick(
  ctx: RunContext,
  { id }: ToolCall,
  picked: number | undefined,
  base: readonly ToolDefinition[],
): AsyncGenerator<RunEvent, Done> {
  const open = ctx.history.choice
  if (open === undefined) throw new Error('something was picked where nothing was offered')
  ctx.history.choice = undefined
  const call = pickedCall(open, `${id}-picked`, picked)
  if (call === undefined) return { ok: false, call: open.call, failure: open.failure, executed: false }
  yield { type: 'call.started', call }
  const checked = await check(ctx, call, base, applyConstraints(base, ctx.history.constraints(base)))
  const done = checked.ok ? yield* execute(ctx, checked.value) : checked
  if (!done.ok) return { ok: false, call, failure: done.failure, executed: checked.ok }
  remember(ctx.history, open.failure, call, base)
  return { ok: true, call, value: told(ctx, done.value, corrected(open.call, call)) }
}

function told(ctx: RunContext, result: ToolResult, correction: string): ToolResult {
  if (correction === '') return result
  return { ...result, text: prompt(ctx.prompts, 'recovered', { correction, result: result.text }) }
}

/** Later calls are not carried out on a half-applied change; a command that was not allowed leaves nothing half-applied. */
const endsBatch = (failure: Failure): boolean => failure.kind !== 'call.denied'

/** What may be called now; the list that was sent stays the same. */
function callable(ctx: RunContext, phase: Phase): readonly ToolDefinition[] {
  const numbers = ctx.history.rejected.map((attempt) => attempt.number)
  return withChoice(
    withAttemptNumbers(ctx.ports.tools.definitions, phase === 'edit' ? numbers : []),
    ctx.history.choice,
  )
}

function finish(turn: Turn, call: ToolCall, result: ToolResult): TurnEnd | undefined {
  const { control } = result
  if (control !== undefined && control.kind !== 'pick')
    return { kind: 'control', call, request: control, changed: result.changed }
  turn.results.push({ type: 'result', callId: call.id, text: result.text, failed: false })
  return undefined
}

/** Of two definitions for one name the later one holds. */
function replaceBy(definitions: ToolDefinition[], one: ToolDefinition): void {
  const before = definitions.findIndex(({ name }) => name === one.name)
  definitions.splice(before < 0 ? definitions.length : before, before < 0 ? 0 : 1, one)
}
