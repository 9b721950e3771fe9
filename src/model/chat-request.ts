import type { Json, JsonObject } from '../core/json.ts'
import type { AssistantBlock, Message, ModelRequest } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import type { ChatConcession } from './chat-concessions.ts'
import { lowerGeminiSchema } from './chat-schema.ts'
import type { ChatTraits } from './chat-traits.ts'
import { checkConversation } from './check-conversation.ts'
import { lowerSchema } from './lower-schema.ts'
import { replayedTool, wellFormedSchema } from './openai-request.ts'
import { lowerOpenAiSchema } from './openai-schema.ts'
import { wellFormed, wellFormedDeep } from './well-formed.ts'
import { stringAt } from './wire-json.ts'

/** How a request is put for one server. */
export interface ChatDialect {
  readonly model: string
  readonly traits: ChatTraits
  /** What the server turned out not to take. */
  readonly without: ReadonlySet<ChatConcession>
}

/**
 * The request as a server of Chat Completions takes it. `format` is a schema by which the answer is made instead of by
 * tools, which then are left out.
 * Throws a plain Error when the conversation is one that no provider takes: a defect of whoever built it.
 */
export function toChatRequest(
  request: ModelRequest,
  { model, traits, without }: ChatDialect,
  format?: { readonly name: string; readonly schema: JsonObject; readonly strict: boolean },
): JsonObject {
  checkConversation(request.messages)
  const { system, messages, maxOutputTokens } = request
  const replayed = replayedTool(request.tools)
  const limit = without.has('token-limit') ? otherLimit(traits.tokenLimit) : traits.tokenLimit
  return {
    model,
    messages: [
      ...withSystem(
        wellFormed(system),
        messages.flatMap((message) => toWireMessages(message, traits)),
        without,
      ),
    ],
    [limit]: maxOutputTokens,
    stream: true,
    ...(traits.asksUsage && !without.has('usage') && { stream_options: { include_usage: true } }),
    ...(format
      ? { response_format: { type: 'json_schema', json_schema: { ...format } } }
      : toWireTools(request.tools, traits, without)),
    ...(traits.requiresParameters &&
      replayed &&
      !without.has('all-parameters') && { provider: { require_parameters: true } }),
  }
}

/** A server whose model knows no such role has the system prompt before the first words of the user. */
function withSystem(
  system: string,
  messages: readonly JsonObject[],
  without: ReadonlySet<ChatConcession>,
): readonly JsonObject[] {
  if (system.trim() === '') return messages
  if (!without.has('system-message'))
    return [{ role: without.has('system-role') ? 'developer' : 'system', content: system }, ...messages]
  const [first, ...others] = messages
  const words = first?.role === 'user' ? stringAt(first, 'content') : undefined
  return [
    { role: 'user', content: joined([system, words ?? '']) ?? system },
    ...(words === undefined ? messages : others),
  ]
}

function otherLimit(limit: ChatTraits['tokenLimit']): ChatTraits['tokenLimit'] {
  return limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
}

/** The tools of a request that are sent as strict, with their schemas. */
export function strictChatTools(
  tools: readonly ToolDefinition[],
  traits: ChatTraits,
  without: ReadonlySet<ChatConcession>,
): ReadonlyMap<string, JsonObject> {
  const asked = tools.filter((tool) => tool.strict)
  const allowed = traits.strict === 'each' || (traits.strict === 'all' && asked.length === tools.length)
  if (!allowed || without.has('strict')) return new Map()
  const schemas = asked.flatMap((tool): [string, JsonObject][] => {
    const schema = lowerOpenAiSchema(tool.inputSchema)
    return schema ? [[tool.name, wellFormedSchema(schema)]] : []
  })
  return traits.strict === 'all' && schemas.length < tools.length ? new Map() : new Map(schemas)
}

function toWireTools(
  tools: readonly ToolDefinition[],
  traits: ChatTraits,
  without: ReadonlySet<ChatConcession>,
): JsonObject {
  if (tools.length === 0) return {}
  const strict = strictChatTools(tools, traits, without)
  const replayed = replayedTool(tools)
  const lower = traits.schemas === 'gemini' ? lowerGeminiSchema : lowerSchema
  return {
    tools: tools.map(({ name, description, inputSchema }) => {
      const schema = strict.get(name)
      const parameters = schema ?? wellFormedSchema(lower(inputSchema))
      const said = { name, description: wellFormed(description), parameters }
      return { type: 'function', function: schema ? { ...said, strict: true } : said }
    }),
    ...(traits.saysParallel && !without.has('parallel') && { parallel_tool_calls: replayed === undefined }),
    ...(replayed && toolChoice(replayed.name, traits, without)),
  }
}

function toolChoice(name: string, { toolChoice }: ChatTraits, without: ReadonlySet<ChatConcession>): JsonObject {
  if (toolChoice === 'auto' || without.has('tool-choice')) return {}
  if (toolChoice === 'required' || without.has('named-choice')) return { tool_choice: 'required' }
  return { tool_choice: { type: 'function', function: { name } } }
}

function toWireMessages(message: Message, traits: ChatTraits): JsonObject[] {
  if (message.role === 'tools') return []
  if (message.role === 'assistant') return [toAssistantMessage(message.content, traits)]
  const results = message.content.flatMap((block) =>
    block.type === 'result' ? [{ role: 'tool', tool_call_id: block.callId, content: wellFormed(block.text) }] : [],
  )
  const text = joined(message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
  return [...results, ...(text === undefined ? [] : [{ role: 'user', content: text }])]
}

/** Not every server takes a message in parts. */
function joined(texts: readonly string[]): string | undefined {
  const said = texts.filter((text) => text.trim() !== '').map(wellFormed)
  return said.length > 0 ? said.join('\n\n') : undefined
}

function toAssistantMessage(content: readonly AssistantBlock[], traits: ChatTraits): JsonObject {
  const text = joined(content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
  const calls = content.flatMap((block, at) => {
    if (block.type !== 'call') return []
    // Arguments that are not JSON can't be sent back: the provider would refuse every later request.
    const args = block.call.input.parsed ? wellFormedDeep(block.call.input.value) : {}
    const called = { name: block.call.name, arguments: JSON.stringify(args) }
    return [{ id: block.call.id, type: 'function', function: called, ...extraOf(content[at - 1]) }]
  })
  return {
    role: 'assistant',
    content: text ?? null,
    ...thinkingOf(content, traits),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** What a server put beside a call and has to have back with it, such as a signature of its thoughts. */
function extraOf(before: AssistantBlock | undefined): JsonObject {
  const payload = before?.type === 'thinking' && before.payload.type === 'chat_call_extra' ? before.payload : undefined
  return payload?.extra_content === undefined ? {} : { extra_content: payload.extra_content }
}

function thinkingOf(content: readonly AssistantBlock[], { thinking }: ChatTraits): JsonObject {
  const payloads = content.flatMap((block) => (block.type === 'thinking' ? [block.payload] : []))
  const own = payloads.filter(({ type }) => type === 'chat_reasoning')
  if (thinking === 'reasoning_content') {
    const text = own.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
    return text === '' ? {} : { reasoning_content: wellFormed(text) }
  }
  if (thinking === 'reasoning_details') {
    const details = own.flatMap(({ details }) => (Array.isArray(details) ? (details as readonly Json[]) : []))
    return details.length === 0 ? {} : { reasoning_details: details }
  }
  return {}
}
