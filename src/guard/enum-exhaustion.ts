import type { ArgumentScope, Constraint } from '../core/constraint.ts'
import type { Json } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { boundedValues } from './enum-values.ts'
import type { Guard, HistoryEntry } from './guard.ts'
import { generalise, valuesAt } from './pointer.ts'

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
    if (failure.kind !== 'target.not-found') return []
    const place = generalise(failure.pointer)
    const kind = kindAt(tools, failure.tool, place)
    const everywhere: ArgumentScope =
      kind === undefined ? { by: 'place', tool: failure.tool, pointer: place } : { by: 'kind', kind }
    const values = boundedValues([...failure.candidates, ...siblings(entry, place, failure.value)], [failure.value])
    const exclude: Constraint = { kind: 'exclude', scope: everywhere, values: [failure.value], lasts: 'step' }
    if (values.length === 0) return [exclude]
    return [
      exclude,
      { kind: 'enum', scope: { by: 'place', tool: failure.tool, pointer: place }, values, lasts: 'call' },
      { kind: 'strict', tool: failure.tool, lasts: 'call' },
    ]
  },
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
