import type Anthropic from '@anthropic-ai/sdk'
import type { Json, JsonSchema } from '../core/json.ts'
import type { AssistantBlock, Message, ModelRequest, ToolsMessage, UserBlock } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { checkConversation } from './check-conversation.ts'
import { replacements } from './definitions-in-force.ts'
import { leanSchema } from './lean-schema.ts'
import { strictSchemas } from './strict-tools.ts'
import { wellFormed, wellFormedDeep } from './well-formed.ts'

/** The parts of a Messages API request that are used here. */
export type WireRequest = Anthropic.MessageCreateParamsStreaming

/** The header value that a request needs in which `appendsDefinitions` holds. */
export const INLINE_TOOLS_BETA = 'inline-tools-2026-09-15'

/** What a provider turned out not to take, and what is done without from then on. */
export interface Concessions {
  /** Tools sent without `strict`, whatever they ask for. */
  readonly neverStrict: ReadonlySet<string>
  /** Definitions within the conversation are left out. */
  readonly noDefinitions: boolean
}

export const NO_CONCESSIONS: Concessions = { neverStrict: new Set(), noDefinitions: false }

const CACHED = { cache_control: { type: 'ephemeral' } } as const

/**
 * The request as the Messages API takes it. All but the marks for the cache is the same, byte for byte, in the requests
 * that continue a conversation, concessions apart. Throws a plain Error when the conversation is one that the API refuses
 * for good: a defect of whoever built it.
 */
export function toWireRequest(
  request: ModelRequest,
  model: string,
  without: Concessions = NO_CONCESSIONS,
): WireRequest {
  checkConversation(request.messages)
  const { system, tools, maxOutputTokens } = request
  const turns = request.messages.map((message) =>
    message.role !== 'tools' ? message : without.noDefinitions ? [] : replacements(message, tools),
  )
  const appended = turns.flatMap((turn) => ('role' in turn ? [] : turn))
  // In this order, so that what is appended changes nothing of what was sent before it.
  const wireTools = toWireTools([...tools, ...appended], without.neverStrict)
  const listed = wireTools.splice(0, tools.length)
  const messages = turns.flatMap((turn) => {
    if ('role' in turn) return [toWireMessage(turn)]
    return turn.length > 0 ? [toSystemMessage(wireTools.splice(0, turn.length))] : []
  })
  markForCache(messages)
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    ...(system.trim() !== '' && { system: [{ type: 'text', text: wellFormed(system), ...CACHED }] }),
    ...(listed.length > 0 && {
      tools: listed.map((tool, at) => (at === listed.length - 1 ? { ...tool, ...CACHED } : tool)),
    }),
    messages,
  }
}

/** Whether a request defines tools within its conversation. */
export function appendsDefinitions({ messages }: WireRequest): boolean {
  return messages.some(({ role }) => role === 'system')
}

/** The tools that a request asks to be strict, in its list or its conversation. */
export function strictToolNames({ tools = [], messages }: WireRequest): string[] {
  const appended = messages.flatMap((message) => (message.role === 'system' ? definitionsIn(message) : []))
  return [...tools, ...appended].flatMap((tool) =>
    'strict' in tool && tool.strict && 'name' in tool ? [tool.name] : [],
  )
}

function definitionsIn(message: Anthropic.SystemMessageParam): Anthropic.Beta.BetaToolUnion[] {
  const { content } = message as Anthropic.Beta.BetaSystemMessageParam
  return (Array.isArray(content) ? content : []).flatMap((block) =>
    block.type === 'tool_addition' && block.tool.type === 'tool_definition' ? [block.tool.definition] : [],
  )
}

function toWireTools(tools: readonly ToolDefinition[], neverStrict: ReadonlySet<string>): Anthropic.Tool[] {
  const schemas = strictSchemas(tools.map((tool) => (neverStrict.has(tool.name) ? { ...tool, strict: false } : tool)))
  return tools.map((tool, at) => {
    const strict = schemas[at]
    return {
      name: tool.name,
      description: wellFormed(tool.description),
      input_schema: inputSchema(strict ?? leanSchema(tool.inputSchema)),
      ...(strict && { strict: true }),
    }
  })
}

/** A type that the SDK has for its beta API only. */
function toSystemMessage(definitions: readonly Anthropic.Tool[]): Anthropic.MessageParam {
  const message: Anthropic.Beta.BetaSystemMessageParam = {
    role: 'system',
    content: definitions.map((definition) => ({
      type: 'tool_addition',
      tool: { type: 'tool_definition', definition },
    })),
  }
  return message as unknown as Anthropic.MessageParam
}

/** The SDK's type of a schema is an open object with `type: 'object'`, which lowering sees to. */
function inputSchema(schema: JsonSchema): Anthropic.Tool.InputSchema {
  return wellFormedDeep(schema as Json) as unknown as Anthropic.Tool.InputSchema
}

function toWireMessage(message: Exclude<Message, ToolsMessage>): Anthropic.MessageParam {
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
