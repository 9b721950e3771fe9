import type { RunEvent } from '../core/event.ts'
import type { Correctable, Failure } from '../core/failure.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { explain } from '../failure/explain.ts'
import { choiceFor, describeChoice, PICK } from './choice.ts'
import type { RunContext } from './context.ts'
import type { Conversation } from './conversation.ts'
import { remember } from './corrections.ts'
import { afterCall } from './decide.ts'
import { type Guarded, guard } from './guard.ts'
import { canReplay, replay } from './replay.ts'
import { costFromHere, takeRung } from './rung.ts'
import type { TurnEnd } from './turn.ts'

export interface FailedCall {
  readonly call: ToolCall
  readonly failure: Correctable
  /** False where the check refused it before it could do anything. */
  readonly executed: boolean
}

/** Where a call failed: its conversation, what may be called there now, and what the work is for. */
export interface Scene {
  readonly conversation: Conversation
  readonly tools: readonly ToolDefinition[]
  readonly goal: string
}

export type Recovery =
  | { readonly kind: 'recovered'; readonly result: ToolResult }
  /** The model reads `text` as the result of its call, and `definitions` hold for its answer; with `end` the turn is over. */
  | {
      readonly kind: 'told'
      readonly text: string
      readonly definitions: readonly ToolDefinition[]
      readonly end?: TurnEnd
    }

/** The third failure of a kind, of one tool and about one thing: whatever varied between them, it leads nowhere. */
const LOOP = 3

/**
 * One failing call, from the cheap rung to the dear one: the guards narrow the schemas, a scoped replay asks for that one
 * call again under its narrowed schema, failing that the model is told in the conversation, under the narrowed schema too,
 * and at last the attempt ends and the next one begins with the constraints built in.
 */
export async function* recover(ctx: RunContext, failed: FailedCall, scene: Scene): AsyncGenerator<RunEvent, Recovery> {
  const { call, failure, executed } = failed
  yield { type: 'call.failed', callId: call.id, tool: call.name, failure, executed }
  const guarded = yield* guard(ctx, call, failure, scene.tools)
  const count = ctx.history.count(failure)
  const next = afterCall(ctx, failure, count)
  if (next === 'retry' && ctx.settings.guards && canReplay(failure, guarded)) {
    const recovery = yield* askAgain(ctx, failed, scene, guarded)
    if (recovery !== undefined) return recovery
  }
  const loops = next === 'replan' && count >= LOOP && failure.kind !== 'call.unknown-tool'
  const cause = loops ? asLoop(ctx, call, failure, count) : failure
  const follows = loops ? 'end-of-attempt' : next
  yield {
    type: 'decision',
    level: 'call',
    failure: cause,
    decision: { kind: follows === 'end-of-attempt' ? 'retry' : follows },
    count,
    limit: ctx.policy[failure.kind].limit,
    reason: follows === 'retry' ? 'told to the model, the constraint in force' : follows,
  }
  return yield* tell(ctx, failed, scene, guarded, { cause, follows })
}

function asLoop(ctx: RunContext, call: ToolCall, failure: Failure, count: number): Failure {
  const what = prompt(ctx.prompts, 'same-failure', { tool: call.name, count, why: explain(ctx.prompts, failure) })
  return { kind: 'progress.repeated', what, callId: call.id, tool: call.name }
}

/** The scoped replay; undefined when it did not lead to the call that was meant. */
async function* askAgain(
  ctx: RunContext,
  { call, failure }: FailedCall,
  scene: Scene,
  guarded: Guarded,
): AsyncGenerator<RunEvent, Recovery | undefined> {
  const rung = 'scoped-replay'
  yield { type: 'recovery.started', callId: call.id, rung }
  const cost = costFromHere(ctx)
  const replayed = yield* replay(ctx, { call, failure }, scene, guarded)
  const recovered = replayed.kind === 'done'
  yield { type: 'recovery.ended', callId: call.id, rung, recovered, note: replayed.note, cost: cost() }
  if (!recovered) {
    const { stop } = replayed
    const goesOn = stop !== undefined && isOfTheBranch(ctx, stop, scene)
    return stop === undefined || goesOn ? undefined : ended(ctx, stop, 'stop')
  }
  ctx.history.overcome(failure)
  remember(ctx.history, failure, replayed.call, scene.tools)
  const { result, note: correction } = replayed
  const text = prompt(ctx.prompts, 'recovered', { correction, result: result.text })
  return { kind: 'recovered', result: { ...result, text } }
}

/** Whether a request failed for what it was, or for the model that it went to, and the conversation itself can go on. */
function isOfTheBranch({ ports }: RunContext, { kind }: Failure, { conversation }: Scene): boolean {
  if (kind === 'provider.rejected' || kind === 'provider.refused' || kind === 'provider.context-overflow') return true
  return kind.startsWith('provider.') && ports.models.repair.id !== ports.models[conversation.role].id
}

function ended(ctx: RunContext, failure: Failure, follows: 'end-of-attempt' | 'give-up' | 'stop'): Recovery {
  return {
    kind: 'told',
    text: explain(ctx.prompts, failure),
    definitions: [],
    end: { kind: 'failed', failure, follows },
  }
}

/** The failure as the result of the call, with what holds the answer to it to the tightened schema. */
async function* tell(
  ctx: RunContext,
  { call, failure }: FailedCall,
  { conversation }: Scene,
  { set, tightened }: Guarded,
  { cause, follows }: { readonly cause: Failure; readonly follows: ReturnType<typeof afterCall> },
): AsyncGenerator<RunEvent, Recovery> {
  if (follows === 'end-of-attempt') yield* takeRung(ctx, 'end-of-attempt', call, failure)
  if (follows !== 'retry' && follows !== 'replan') return ended(ctx, cause, follows)
  const { appends } = ctx.ports.models[conversation.role].schemas
  const picks = !appends && conversation.tools.some(({ name }) => name === PICK)
  const choice = picks ? choiceFor(call, failure, set) : undefined
  if (choice !== undefined) ctx.history.choice = { ...choice, request: ctx.tally.requests }
  const definitions = appends ? tightened : []
  const text = choice === undefined ? explain(ctx.prompts, failure) : describeChoice(ctx.prompts, choice)
  if (follows === 'retry') {
    yield* takeRung(ctx, 'overlay', call, failure)
    return { kind: 'told', text, definitions }
  }
  // What there is instead of an unknown tool says that by itself.
  const replan = failure.kind === 'call.unknown-tool' ? text : [text, prompt(ctx.prompts, 'revise-plan')].join('\n')
  return { kind: 'told', text: replan, definitions, end: { kind: 'failed', failure, follows } }
}
