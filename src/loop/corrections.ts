import type { Repair } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import { isJsonObject, type Json } from '../core/json.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { generalise, valuesAt } from '../guard/pointer.ts'
import type { StepHistory } from './step-history.ts'

/** Keeps what the model said it meant by a path that is not there, by the call that it made in place of the failed one. */
export function remember(
  history: StepHistory,
  failure: Failure,
  made: ToolCall,
  tools: readonly ToolDefinition[],
): void {
  if (failure.kind !== 'target.not-found' || !made.input.parsed) return
  const kind = tools.find(({ name }) => name === failure.tool)?.argumentKinds[generalise(failure.pointer)]
  const [meant] = valuesAt(made.input.value, failure.pointer)
  if ((kind === 'existing-path' || kind === 'directory') && typeof meant === 'string')
    history.correct(kind, failure.value, meant)
}

/** A call of a tool that only reads, with paths that were corrected before corrected in the same way. */
export function withCorrections(
  history: StepHistory,
  call: ToolCall,
  tool: ToolDefinition | undefined,
): { readonly call: ToolCall; readonly repairs: readonly Repair[] } {
  if (tool?.effect !== 'read' || !call.input.parsed) return { call, repairs: [] }
  const repairs: Repair[] = []
  const entries = Object.entries(call.input.value).map(([name, value]): [string, Json] => {
    const kind = tool.argumentKinds[`/${name}`]
    const meant = kind && typeof value === 'string' ? history.meant(kind, value) : undefined
    if (meant === undefined) return [name, value]
    repairs.push({ pointer: `/${name}`, from: String(value), to: meant, reason: 'corrected so before' })
    return [name, meant]
  })
  const value = Object.fromEntries(entries)
  if (repairs.length === 0 || !isJsonObject(value)) return { call, repairs: [] }
  return { call: { ...call, input: { parsed: true, value } }, repairs }
}
