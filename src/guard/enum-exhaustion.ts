import type { ArgumentScope, Constraint } from '../core/constraint.ts'
import type { TargetFailure } from '../core/failure.ts'
import type { Json, JsonSchema } from '../core/json.ts'
import type { ArgumentKind, ToolDefinition } from '../core/tool.ts'
import { boundedValues } from './enum-values.ts'
import type { Guard, HistoryEntry } from './guard.ts'
import { generalise, schemaAt, valuesAt } from './pointer.ts'
import { refuseArguments } from './refused-call.ts'

/**
 * An invalid member of a known set: the parameter becomes an enum of valid members, best candidates first, for the
 * recovery of that call; the invalid value is refused for every argument of its kind until the step passes. Arguments
 * that name something new are of another kind, so creating what was missing stays possible.
 */
export const enumExhaustion: Guard = {
  id: 'enum-exhaustion',
  order: 10,
  reason: 'the value is not a member of a known set',
  when: (failure) => failure.kind === 'target.not-found',
  constrain: (entry, tools) => {
    const { failure } = entry
    if (failure.kind !== 'target.not-found' || isMemberNow(failure, tools)) return []
    const place = generalise(failure.pointer)
    const excluded = failure.target === 'symbol' ? withoutSymbol(entry, failure, tools) : [withoutValue(failure, tools)]
    const values = boundedValues([...failure.candidates, ...siblings(entry, place, failure.value)], [failure.value])
    if (values.length === 0) return excluded
    return [
      ...excluded,
      { kind: 'enum', scope: { by: 'place', tool: failure.tool, pointer: place }, values, lasts: 'call' },
      { kind: 'strict', tool: failure.tool, lasts: 'call' },
    ]
  },
}

function withoutValue({ tool, pointer, value }: TargetFailure, tools: readonly ToolDefinition[]): Constraint {
  const place = generalise(pointer)
  const kind = kindAt(tools, tool, place)
  const everywhere: ArgumentScope = kind === undefined ? { by: 'place', tool, pointer: place } : { by: 'kind', kind }
  return { kind: 'exclude', scope: everywhere, values: [value], lasts: 'step' }
}

/** Another file may well export that name: only the two together are refused, in every tool that takes both. */
function withoutSymbol(entry: HistoryEntry, failure: TargetFailure, tools: readonly ToolDefinition[]): Constraint[] {
  const paths = namedPaths(entry, failure.tool, tools)
  const refused = tools.flatMap((tool): Constraint[] => {
    const [symbol] = argumentsOf(tool, 'symbol')
    const [path] = argumentsOf(tool, 'existing-path')
    if (symbol === undefined || path === undefined || paths.length === 0) return []
    const properties = { [path]: { enum: paths }, [symbol]: { const: failure.value } }
    const schema: JsonSchema = { type: 'object', properties, required: [path, symbol] }
    return [{ kind: 'refuse', tool: tool.name, schema, lasts: 'step' }]
  })
  return refused.length > 0 ? refused : entry.calls.flatMap((call) => refuseArguments(call, failure.tool))
}

/** The names of the arguments of a kind that stand at the root. */
function argumentsOf(tool: ToolDefinition, kind: ArgumentKind): string[] {
  const places = Object.entries(tool.argumentKinds).filter(
    ([place, each]) => each === kind && /^\/[^/*~]+$/.test(place),
  )
  return places.map(([place]) => place.slice(1))
}

/** The path of the failing call, as it was written and in its plain form. */
export function namedPaths(entry: HistoryEntry, name: string, tools: readonly ToolDefinition[]): string[] {
  const tool = tools.find((each) => each.name === name)
  const [argument] = tool === undefined ? [] : argumentsOf(tool, 'existing-path')
  const [call] = entry.calls
  const path = argument !== undefined && call?.input.parsed === true ? call.input.value[argument] : undefined
  return typeof path === 'string' ? [...new Set([path, plain(path)])] : []
}

const plain = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment, index) => segment !== '.' && (segment !== '' || index === 0))
    .join('/')

/** Numbers of attempts are told in the schema itself: one that is among them now was not when the call failed. */
function isMemberNow({ target, tool, pointer, value }: TargetFailure, tools: readonly ToolDefinition[]): boolean {
  if (target !== 'attempt') return false
  const schema = tools.find((each) => each.name === tool)?.inputSchema
  return schema !== undefined && schemaAt(schema, generalise(pointer))?.enum?.includes(Number(value)) === true
}

function kindAt(tools: readonly ToolDefinition[], name: string, place: string) {
  const kinds = tools.find((tool) => tool.name === name)?.argumentKinds
  return kinds !== undefined && Object.hasOwn(kinds, place) ? kinds[place] : undefined
}

/** The other values of the same list in the failing call: an enum for all items must not take them away. */
function siblings(entry: HistoryEntry, place: string, value: string): string[] {
  if (!place.includes('*')) return []
  const call = entry.calls[0]
  if (call === undefined || !call.input.parsed) return []
  return valuesAt(call.input.value as Json, place).filter(
    (item): item is string => typeof item === 'string' && item !== value,
  )
}
