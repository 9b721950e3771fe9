import type { JsonObject } from '../core/json.ts'
import type { ModelAnswer } from '../core/message.ts'

/** The answer with the arguments of its calls as `restore` has them; arguments that are not JSON stay as they came. */
export function restoredCalls(
  answer: ModelAnswer,
  restore: (tool: string, args: JsonObject) => JsonObject,
): ModelAnswer {
  const content = answer.content.map((block) => {
    if (block.type !== 'call' || !block.call.input.parsed) return block
    const value = restore(block.call.name, block.call.input.value)
    return { ...block, call: { ...block.call, input: { parsed: true as const, value } } }
  })
  return { ...answer, content }
}
