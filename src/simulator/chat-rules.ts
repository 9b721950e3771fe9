import { isJsonObject, type JsonObject } from '../core/json.ts'
import { refusedSchema } from './openai-schema-rules.ts'
import { firstOf, isJsonObjectText, objects, text } from './wire.ts'

/** Why Chat Completions would reject the request with status 400, in words like its own; undefined when it would not. */
export function refusedByChat(body: JsonObject): string | undefined {
  if (text(body.model) === '') return "Missing required parameter: 'model'."
  const messages = objects(body.messages)
  const tools = objects(body.tools)
  if (messages.length === 0) return "Invalid 'messages': empty array."
  if (body.parallel_tool_calls !== undefined && tools.length === 0)
    return "'parallel_tool_calls' is only allowed when 'tools' are specified."
  if (body.tool_choice !== undefined && tools.length === 0)
    return "'tool_choice' is only allowed when 'tools' are specified."
  return (
    refusedPairing(messages) ??
    firstOf(messages, refusedMessage) ??
    firstOf(tools, (tool, index) => {
      const called = isJsonObject(tool.function) ? tool.function : {}
      return refusedSchema(called.parameters, called.strict === true, `tools[${index}].function.parameters`)
    }) ??
    refusedFormat(body.response_format)
  )
}

/** The results of a message's calls come right after it, one each. */
function refusedPairing(messages: readonly JsonObject[]): string | undefined {
  let open: string[] = []
  const unanswered = () =>
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${open.join(', ')}`
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const id = text(message.tool_call_id)
      if (!open.includes(id))
        return `messages[${index}]: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.`
      open = open.filter((one) => one !== id)
      continue
    }
    if (open.length > 0) return unanswered()
    open = objects(message.tool_calls).map(({ id }) => text(id))
    if (new Set(open).size < open.length) return `messages[${index}]: Duplicate value for 'tool_call_id'.`
  }
  return open.length > 0 ? unanswered() : undefined
}

function refusedMessage(message: JsonObject, index: number): string | undefined {
  const calls = objects(message.tool_calls)
  if (typeof message.content !== 'string' && calls.length === 0)
    return `Invalid value for 'messages.[${index}].content': expected a string, got null.`
  return calls.every((call) => isJsonObject(call.function) && isJsonObjectText(call.function.arguments))
    ? undefined
    : `Invalid 'messages[${index}].tool_calls': arguments have to be a JSON object.`
}

function refusedFormat(format: JsonObject[string] | undefined): string | undefined {
  if (!isJsonObject(format) || format.type !== 'json_schema') return undefined
  const { json_schema: inner } = format
  if (!isJsonObject(inner) || text(inner.name) === '')
    return "Missing required parameter: 'response_format.json_schema.name'."
  return refusedSchema(inner.schema, inner.strict === true, 'response_format.json_schema.schema')
}
