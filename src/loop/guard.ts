import type { ConstraintSet } from '../core/constraint.ts'
import type { RunEvent, SchemaChange } from '../core/event.ts'
import type { Correctable } from '../core/failure.ts'
import { prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { schemaAt } from '../guard/pointer.ts'
import { type RegionChoice, regionChoice } from '../guard/region.ts'
import type { RunContext } from './context.ts'

/** What the guards make of a failed call. */
export interface Guarded {
  readonly set: ConstraintSet
  /** Tools whose schemas the latest failure tightened for the recovery of the call, as they are then. */
  readonly tightened: readonly ToolDefinition[]
  /** For an edit that could not be placed. */
  readonly region?: RegionChoice
}

/** Records the failure and tells which guards it fires and what they change in the schemas. */
export async function* guard(
  ctx: RunContext,
  call: ToolCall,
  failure: Correctable,
  tools: readonly ToolDefinition[],
): AsyncGenerator<RunEvent, Guarded> {
  ctx.history.record(failure, [call])
  const set = ctx.history.constraints(tools)
  const narrowed = applyConstraints(tools, set, { recovery: true })
  const latest = ctx.history.failures.length - 1
  const fired = set.trace.filter((trace) => trace.failure === latest)
  for (const { guard, reason, constraints } of fired) {
    const changes = changesOf(call.name, pointersOf(constraints), tools, narrowed)
    yield { type: 'guard.fired', guard, reason, failure, constraints, changes }
  }
  const region = ctx.settings.guards ? regionFor(ctx, call, failure) : undefined
  if (region !== undefined) yield regionFired(call, failure, region, tools)
  const shapes = fired.some(({ constraints }) =>
    constraints.some(({ kind }) => kind !== 'refuse' && kind !== 'exclude'),
  )
  const tightened = shapes ? narrowed.filter((tool) => tool.name === call.name && !tools.includes(tool)) : []
  return { set, tightened, ...(region === undefined ? {} : { region }) }
}

function pointersOf(constraints: ConstraintSet['constraints']): ReadonlySet<string> {
  const pointers = constraints.flatMap((constraint) =>
    constraint.kind === 'enum' && constraint.scope.by === 'place'
      ? [constraint.scope.pointer]
      : constraint.kind === 'narrow'
        ? [constraint.pointer]
        : [],
  )
  return new Set(pointers)
}

function changesOf(
  name: string,
  pointers: ReadonlySet<string>,
  before: readonly ToolDefinition[],
  after: readonly ToolDefinition[],
): SchemaChange[] {
  return [...pointers].flatMap((pointer): SchemaChange[] => {
    const [old, now] = [schemaOf(before, name, pointer), schemaOf(after, name, pointer)]
    return old === undefined || now === undefined || old === now
      ? []
      : [{ tool: name, pointer, before: old, after: now }]
  })
}

const schemaOf = (tools: readonly ToolDefinition[], name: string, pointer: string) => {
  const tool = tools.find((one) => one.name === name)
  return tool && schemaAt(tool.inputSchema, pointer)
}

function regionFor(ctx: RunContext, call: ToolCall, failure: Correctable): RegionChoice | undefined {
  if (failure.kind !== 'edit.no-match' && failure.kind !== 'edit.ambiguous') return undefined
  return regionChoice(failure, call, prompt(ctx.prompts, 'tools/replaceRegion'))
}

function regionFired(
  call: ToolCall,
  failure: Correctable,
  { tool }: RegionChoice,
  tools: readonly ToolDefinition[],
): RunEvent {
  const index = 'edit' in failure ? failure.edit : 0
  const before = schemaOf(tools, call.name, '/edits/*/oldText') ?? {}
  const after = schemaAt(tool.inputSchema, '/region') ?? {}
  return {
    type: 'guard.fired',
    guard: 'region',
    reason: 'the old text does not stand for one place in the file',
    failure,
    constraints: [],
    changes: [{ tool: call.name, pointer: `/edits/${index}/oldText`, before, after }],
  }
}
