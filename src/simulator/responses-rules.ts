import type { JsonObject } from '../core/json.ts'
import { refusedChoice, refusedTools } from './additional-tools.ts'
import { firstOf, isJsonObjectText, objects, text } from './wire.ts'

/** Why the Responses API would reject the request with status 400, in words like its own; undefined when it would not. */
export function refusedByResponses(body: JsonObject): string | undefined {
  if (text(body.model) === '') return "Missing required parameter: 'model'."
  if (typeof body.max_output_tokens === 'number' && body.max_output_tokens < 16)
    return "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16."
  const input = objects(body.input)
  if (input.length === 0) return "Missing required parameter: 'input'."
  return (
    refusedPairing(input) ??
    firstOf(input, (item, index) => refusedItem(item, index, input, body.store !== false)) ??
    refusedTools(body) ??
    refusedChoice(body)
  )
}

/** Each call has exactly one output, after it. */
function refusedPairing(input: readonly JsonObject[]): string | undefined {
  const calls = new Set<string>()
  const answered = new Set<string>()
  for (const item of input) {
    const id = text(item.call_id)
    if (item.type === 'function_call') {
      if (calls.has(id)) return `Duplicate item found with call_id ${id}.`
      calls.add(id)
    }
    if (item.type === 'function_call_output') {
      if (!calls.has(id)) return `No tool call found for function call output with call_id ${id}.`
      if (answered.has(id)) return `Duplicate output found for function call ${id}.`
      answered.add(id)
    }
  }
  const open = [...calls].find((id) => !answered.has(id))
  return open === undefined ? undefined : `No tool output found for function call ${open}.`
}

function refusedItem(
  item: JsonObject,
  index: number,
  input: readonly JsonObject[],
  stored: boolean,
): string | undefined {
  if (item.type === 'function_call' && !isJsonObjectText(item.arguments))
    return `Invalid 'input[${index}].arguments': expected a JSON object.`
  if (item.type !== 'reasoning') return undefined
  if (!stored && typeof item.encrypted_content !== 'string')
    return `Item with id '${text(item.id)}' not found. Items are not persisted when \`store\` is set to false.`
  const next = input.slice(index + 1).find(({ type }) => type !== 'reasoning')
  const follows = next && (next.type === 'function_call' || next.role === 'assistant')
  return follows
    ? undefined
    : `Item '${text(item.id)}' of type 'reasoning' was provided without its required following item.`
}
