import { NONE_OF_THESE } from '../core/constraint.ts'
import type { RunEvent } from '../core/event.ts'
import type { Correctable, EditFailure, Failure } from '../core/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { replaceAt, tokensOf } from '../core/json-pointer.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { explain } from '../failure/explain.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { valuesAt } from '../guard/pointer.ts'
import type { RegionChoice } from '../guard/region.ts'
import { ask } from './ask.ts'
import type { RunContext } from './context.ts'
import { Conversation } from './conversation.ts'
import { check, execute } from './execute.ts'
import type { Guarded } from './guard.ts'

/** The small conversation in which one failed call is asked for again; it is thrown away afterwards. */
interface Branch {
  readonly opening: string
  readonly tool: ToolDefinition
  /** The call that the answer stands for, and what it corrects; undefined for none. */
  toCall(answer: ToolCall): { readonly call: ToolCall; readonly correction: string } | undefined
}

export type Replayed =
  | { readonly kind: 'done'; readonly call: ToolCall; readonly result: ToolResult; readonly note: string }
  | { readonly kind: 'failed'; readonly note: string; readonly stop?: Failure }

/** A scoped replay of a call is worth its request where the guards have something to choose from or to hold on to. */
export function canReplay(failure: Correctable, { set, region }: Guarded): boolean {
  if (failure.kind === 'call.invalid-arguments' || region !== undefined) return true
  return failure.kind === 'target.not-found' && offers(set)
}

/** Whether there are values to choose from. */
const offers = ({ constraints }: Guarded['set']): boolean =>
  constraints.some((constraint) => constraint.kind === 'enum' && constraint.lasts === 'call')

/** Asks for this one call again under its narrowed schema, then carries out what comes. */
export async function* replay(
  ctx: RunContext,
  { call, failure }: { readonly call: ToolCall; readonly failure: Correctable },
  { tools, goal }: { readonly tools: readonly ToolDefinition[]; readonly goal: string },
  { set, region }: Guarded,
): AsyncGenerator<RunEvent, Replayed> {
  const base = tools.filter((tool) => tool.name === call.name)
  const constrained = applyConstraints(base, set, { recovery: true })
  const [tool] = constrained
  const branch =
    region !== undefined && 'edit' in failure
      ? regionBranch(ctx, call, failure, region, goal)
      : tool && sameCall(ctx, call, failure, tool, { goal, offers: offers(set) })
  if (branch === undefined) return { kind: 'failed', note: 'there is no such tool' }
  const system = prompt(ctx.prompts, 'replay-system')
  const asked = yield* ask(ctx, new Conversation(`replay-${call.id}`, 'repair', system, [branch.tool], branch.opening))
  if (!asked.ok) return { kind: 'failed', note: 'the request failed', stop: asked.failure }
  const block = asked.value.content.find((one) => one.type === 'call' && one.call.name === branch.tool.name)
  if (block?.type !== 'call') return { kind: 'failed', note: 'the answer had no call' }
  const made = branch.toCall(block.call)
  if (made === undefined) return { kind: 'failed', note: 'none of the values offered was meant' }
  yield { type: 'call.started', call: made.call }
  const checked = await check(ctx, made.call, base, constrained)
  const done = checked.ok ? yield* execute(ctx, checked.value) : checked
  if (!done.ok) {
    const { failure } = done
    yield { type: 'call.failed', callId: made.call.id, tool: call.name, failure, executed: checked.ok }
    ctx.history.record(failure, [made.call])
    return { kind: 'failed', note: `the call failed again: ${failure.kind}` }
  }
  return { kind: 'done', call: made.call, result: done.value, note: made.correction }
}

function sameCall(
  ctx: RunContext,
  call: ToolCall,
  failure: Correctable,
  tool: ToolDefinition,
  { goal, offers }: { readonly goal: string; readonly offers: boolean },
): Branch {
  const opening = prompt(ctx.prompts, 'replay', {
    goal,
    tool: call.name,
    arguments: call.input.parsed ? JSON.stringify(call.input.value) : call.input.raw,
    failure: explain(ctx.prompts, failure),
    none: offers ? prompt(ctx.prompts, 'replay-none', { none: NONE_OF_THESE }) : '',
  })
  return {
    opening,
    tool,
    toCall(answer) {
      if (answer.input.parsed && mentions(answer.input.value, NONE_OF_THESE)) return undefined
      const made = failure.kind === 'target.not-found' ? onlyAt(failure.pointer, call, answer) : answer
      return { call: made, correction: corrected(call, made) }
    },
  }
}

/** The failed call with the one argument that was asked for: whatever else an answer changes was not. */
function onlyAt(pointer: string, call: ToolCall, answer: ToolCall): ToolCall {
  if (!call.input.parsed || !answer.input.parsed) return answer
  const [value] = valuesAt(answer.input.value, pointer)
  const made = value === undefined ? call.input.value : replaceAt(call.input.value, tokensOf(pointer), value)
  return isJsonObject(made) ? { ...answer, input: { parsed: true, value: made } } : answer
}

function regionBranch(
  ctx: RunContext,
  call: ToolCall,
  failure: EditFailure & { readonly edit: number },
  region: RegionChoice,
  goal: string,
): Branch {
  const edits = call.input.parsed && Array.isArray(call.input.value.edits) ? call.input.value.edits : []
  const edit = (edits as readonly Json[])[failure.edit]
  const { oldText = '', newText = '' } = isJsonObject(edit) ? edit : {}
  const opening = prompt(ctx.prompts, 'replay-region', {
    goal,
    path: failure.path,
    oldText: String(oldText),
    newText: String(newText),
    failure: explain(ctx.prompts, failure),
    none: NONE_OF_THESE,
    others: edits.length > 1 ? prompt(ctx.prompts, 'replay-others') : '',
  })
  return {
    opening,
    tool: region.tool,
    toCall(answer) {
      const made = region.toCall(answer)
      const chosen = answer.input.parsed ? String(answer.input.value.region) : ''
      return made && { call: { ...made, id: answer.id }, correction: `edit ${failure.edit + 1} replaces ${chosen}` }
    },
  }
}

function mentions(value: Json, wanted: string): boolean {
  if (typeof value === 'string') return value === wanted
  if (value === null || typeof value !== 'object') return false
  return Object.values(value as JsonObject).some((member) => mentions(member, wanted))
}

/** `path "src/price.ts" became "src/pricing/price.ts"`: the top-level arguments that differ, long values by their size. */
export function corrected(before: ToolCall, after: ToolCall): string {
  if (!before.input.parsed || !after.input.parsed) return 'the arguments were written anew'
  const [old, now] = [before.input.value, after.input.value]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  return changed.map((name) => changeOf(name, old[name], now[name])).join('; ') || 'nothing'
}

function changeOf(name: string, before: Json | undefined, after: Json | undefined): string {
  const [old, now] = [before, after].map((value) => (value === undefined ? 'absent' : JSON.stringify(value)))
  const short = [old, now].every((text) => (text?.length ?? 0) <= MOST_SHOWN)
  return short ? `${name} ${old} became ${now}` : `${name} written anew`
}

/** Characters of a value that are worth showing. */
const MOST_SHOWN = 120
