import type Anthropic from '@anthropic-ai/sdk'
import type { Json, JsonSchema } from '../core/json.ts'
import type { AssistantBlock, Message, ModelRequest, UserBlock } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { checkConversation } from './check-conversation.ts'
import { lowerSchema } from './lower-schema.ts'
import { strictSchemas } from './strict-tools.ts'
import { wellFormed, wellFormedDeep } from './well-formed.ts'

/** The parts of a Messages API request that are used here. */
export type WireRequest = Anthropic.MessageCreateParamsStreaming

const CACHED = { cache_control: { type: 'ephemeral' } } as const

/**
 * The request as the Messages API takes it. Tools named in `neverStrict` are sent without `strict` whatever they ask for.
 * Throws a plain Error when the conversation is one that the API refuses for good: a defect of whoever built it.
 */
export function toWireRequest(
  request: ModelRequest,
  model: string,
  neverStrict: ReadonlySet<string> = new Set(),
): WireRequest {
  checkConversation(request.messages)
  const messages = request.messages.map(toWireMessage)
  markForCache(messages)
  return {
    model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(request.system.trim() !== '' && { system: [{ type: 'text', text: wellFormed(request.system), ...CACHED }] }),
    ...(request.tools.length > 0 && { tools: toWireTools(request.tools, neverStrict) }),
    messages,
  }
}

/** The tools that a request asks to be strict. */
export function strictToolNames(request: WireRequest): string[] {
  return (request.tools ?? []).flatMap((tool) => ('strict' in tool && tool.strict && 'name' in tool ? [tool.name] : []))
}

function toWireTools(tools: readonly ToolDefinition[], neverStrict: ReadonlySet<string>): Anthropic.Tool[] {
  const strict = strictSchemas(tools.filter((tool) => !neverStrict.has(tool.name)))
  return tools.map((tool, index) => {
    const schema = strict.get(tool.name)
    return {
      name: tool.name,
      description: wellFormed(tool.description),
      input_schema: inputSchema(schema ?? lowerSchema(tool.inputSchema)),
      ...(schema && { strict: true }),
      ...(index === tools.length - 1 && CACHED),
    }
  })
}

/** The SDK's type of a schema is an open object with `type: 'object'`, which lowering sees to. */
function inputSchema(schema: JsonSchema): Anthropic.Tool.InputSchema {
  return wellFormedDeep(schema as Json) as unknown as Anthropic.Tool.InputSchema
}

function toWireMessage(message: Message): Anthropic.MessageParam {
  return message.role === 'user'
    ? { role: 'user', content: message.content.filter(says).map(toUserBlock) }
    : { role: 'assistant', content: message.content.filter(says).flatMap(toAssistantBlock) }
}

/** The API refuses text blocks without any. */
function says(block: AssistantBlock | UserBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== ''
}

function toUserBlock(block: UserBlock): Anthropic.TextBlockParam | Anthropic.ToolResultBlockParam {
  const text = wellFormed(block.text)
  if (block.type === 'text') return { type: 'text', text }
  return {
    type: 'tool_result',
    tool_use_id: block.callId,
    ...(text !== '' && { content: text }),
    ...(block.failed && { is_error: true }),
  }
}

function toAssistantBlock(block: AssistantBlock): Anthropic.ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: wellFormed(block.text) }]
    case 'call':
      return [
        {
          type: 'tool_use',
          id: block.call.id,
          name: block.call.name,
          // Arguments that are not JSON can't be sent back: the provider would refuse every later request.
          input: block.call.input.parsed ? wellFormedDeep(block.call.input.value) : {},
        },
      ]
    case 'thinking': {
      // Another provider's thinking means nothing to this one.
      const own = block.payload.type === 'thinking' || block.payload.type === 'redacted_thinking'
      return own ? [block.payload as unknown as Anthropic.ContentBlockParam] : []
    }
  }
}

/**
 * Marks the end of the conversation, and the end of what the previous request had: the provider looks back a limited
 * number of blocks from a mark, and one batch of results can be longer than that.
 */
function markForCache(messages: Anthropic.MessageParam[]): void {
  for (const message of messages.filter(({ role }) => role === 'user').slice(-2)) {
    const last = message.content.at(-1)
    if (typeof last === 'object' && (last.type === 'text' || last.type === 'tool_result')) Object.assign(last, CACHED)
  }
}
