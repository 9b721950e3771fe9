import type { ConstraintSet } from '../core/constraint.ts'
import type { Correctable, TargetFailure } from '../core/failure.ts'
import { isJsonObject } from '../core/json.ts'
import { replaceAt, tokensOf } from '../core/json-pointer.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { narrow } from '../guard/narrow.ts'
import { changeAt, generalise } from '../guard/pointer.ts'

/** The tool that stands in every list where no definition can be appended. */
export const PICK = 'pickCandidate'
const NONE = 'none'
/** As many as the tool knows; what is meant hardly ever stands further down. */
const MOST = 8

/** A failed call and the values among which the model can pick what it meant. */
export interface OpenChoice {
  readonly call: ToolCall
  readonly failure: TargetFailure
  readonly values: readonly string[]
}

/** A choice as it stands: for the answer to the request after `request` alone. */
export interface StandingChoice extends OpenChoice {
  readonly request: number
}

/** The choice that the guards leave for a call that failed; undefined where there is nothing to choose from. */
export function choiceFor(call: ToolCall, failure: Correctable, set: ConstraintSet): OpenChoice | undefined {
  if (failure.kind !== 'target.not-found') return undefined
  const place = generalise(failure.pointer)
  for (const constraint of set.constraints) {
    const offered = constraint.kind === 'enum' && constraint.lasts === 'call' && constraint.scope.by === 'place'
    if (offered && constraint.scope.tool === call.name && constraint.scope.pointer === place)
      return { call, failure, values: constraint.values.slice(0, MOST) }
  }
  return undefined
}

export function describeChoice(prompts: Prompts, { failure, values }: OpenChoice): string {
  const { target, value } = failure
  const candidates = values.map((one, index) => `p${index + 1} ${one}`).join('\n')
  return prompt(prompts, 'pick', { target, value, candidates, none: NONE })
}

/** The tools with `pickCandidate` held to what there is to pick; left out when there is nothing. */
export function withChoice(
  tools: readonly ToolDefinition[],
  choice: OpenChoice | undefined,
): readonly ToolDefinition[] {
  return tools.flatMap((tool) => {
    if (tool.name !== PICK) return [tool]
    if (choice === undefined) return []
    const possible = [...choice.values.map((_, index) => `p${index + 1}`), NONE]
    return [{ ...tool, inputSchema: changeAt(tool.inputSchema, '/choice', (part) => narrow(part, { enum: possible })) }]
  })
}

/** The call that failed, made with what was picked; undefined for none. */
export function pickedCall({ call, failure, values }: OpenChoice, id: string, picked: number | undefined) {
  const value = picked === undefined ? undefined : values[picked - 1]
  if (value === undefined || !call.input.parsed) return undefined
  const input = {
    parsed: true,
    value: replaceAt(call.input.value, tokensOf(failure.pointer), value),
  } as const
  return isJsonObject(input.value) ? { ...call, id, input: { parsed: true as const, value: input.value } } : undefined
}
