import type { OpenAI } from 'openai'
import type { JsonObject, JsonSchema } from '../core/json.ts'
import type { AssistantBlock, Message, ModelRequest, ToolsMessage } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { checkConversation } from './check-conversation.ts'
import { leanSchema } from './lean-schema.ts'
import { type Alias, type Aliases, aliasesOf, NO_ALIASES } from './openai-aliases.ts'
import { lowerOpenAiSchema } from './openai-schema.ts'
import { wellFormed, wellFormedDeep } from './well-formed.ts'

/** The parts of a Responses API request that are used here. */
export type WireRequest = OpenAI.Responses.ResponseCreateParamsStreaming
type InputItem = OpenAI.Responses.ResponseInputItem

/** What a provider turned out not to take, and what is done without from then on. */
export interface Concessions {
  /** Tools sent without `strict`, whatever they ask for. */
  readonly neverStrict: ReadonlySet<string>
  /** Models that don't reason refuse to be asked for their reasoning. */
  readonly noReasoning: boolean
  /** Definitions within the conversation are left out. */
  readonly noAliases: boolean
}

export const NO_CONCESSIONS: Concessions = { neverStrict: new Set(), noReasoning: false, noAliases: false }

/** The least that the API takes as a limit. */
const LEAST_OUTPUT_TOKENS = 16

/** The aliases in a request under these concessions. */
export function aliasesIn(request: ModelRequest, { noAliases }: Concessions): Aliases {
  return noAliases ? NO_ALIASES : aliasesOf(request)
}

/**
 * The request as the Responses API takes it; nothing is stored there, so reasoning goes to and fro encrypted. `madeAs` has
 * the aliases under which calls were made, by their ids. Tools and the input so far are the same, byte for byte, in the
 * requests that continue a conversation, concessions apart.
 * Throws a plain Error when the conversation is one that no provider takes: a defect of whoever built it.
 */
export function toWireRequest(
  request: ModelRequest,
  model: string,
  without: Concessions,
  madeAs: ReadonlyMap<string, string> = new Map(),
): WireRequest {
  checkConversation(request.messages)
  const { system, tools, messages, maxOutputTokens } = request
  const aliases = aliasesIn(request, without)
  const choice = toolChoice(tools, aliases)
  return {
    model,
    max_output_tokens: Math.max(maxOutputTokens, LEAST_OUTPUT_TOKENS),
    stream: true,
    store: false,
    ...(!without.noReasoning && { include: ['reasoning.encrypted_content'] }),
    ...(system.trim() !== '' && { instructions: wellFormed(system) }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toWireTool(tool, without)),
      parallel_tool_calls: replayedTool(tools) === undefined,
    }),
    ...(choice && { tool_choice: choice }),
    input: messages.flatMap((message, index) =>
      message.role === 'tools'
        ? additionalTools(aliases.declared.get(index) ?? [], without)
        : toInputItems(message, without.noAliases ? new Map() : madeAs),
    ),
  }
}

/** The one tool of a replay, or what may be called once there are aliases; undefined where all may be. */
function toolChoice(tools: readonly ToolDefinition[], { declared, inForce }: Aliases): WireRequest['tool_choice'] {
  const replayed = replayedTool(tools)
  if (replayed) return { type: 'function', name: replayed.name }
  // An alias can't be taken out of the conversation again: once there is one, what may be called is said.
  if (declared.size === 0) return undefined
  const allowed = tools.map(({ name }) => ({ type: 'function', name: inForce.get(name)?.name ?? name }))
  return { type: 'allowed_tools', mode: 'auto', tools: allowed }
}

function additionalTools(aliases: readonly Alias[], without: Concessions): InputItem[] {
  const tools = aliases.map(({ name, definition }) => ({ ...toWireTool(definition, without), name }))
  return tools.length === 0 ? [] : [{ type: 'additional_tools', role: 'developer', tools }]
}

/** The tool of a scoped replay: a request for one call of one tool, under a schema that is to be kept. */
export function replayedTool(tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  const [tool, ...others] = tools
  return tool?.strict && others.length === 0 ? tool : undefined
}

/** The names, aliases among them, under which a request asks tools to be strict. */
export function strictToolNames({ tools = [], input = [] }: WireRequest): string[] {
  const items = typeof input === 'string' ? [] : input
  const additional = items.flatMap((item) => (item.type === 'additional_tools' ? item.tools : []))
  return [...tools, ...additional].flatMap((tool) => (tool.type === 'function' && tool.strict ? [tool.name] : []))
}

function toWireTool(tool: ToolDefinition, { neverStrict }: Concessions): OpenAI.Responses.FunctionTool {
  const strict = tool.strict && !neverStrict.has(tool.name) ? lowerOpenAiSchema(tool.inputSchema) : undefined
  return {
    type: 'function',
    name: tool.name,
    description: wellFormed(tool.description),
    parameters: wellFormedSchema(strict ?? leanSchema(tool.inputSchema)),
    // Left unsaid, the API makes a schema strict by itself.
    strict: strict !== undefined,
  }
}

export function wellFormedSchema(schema: JsonSchema): JsonObject {
  return wellFormedDeep(schema as JsonObject) as JsonObject
}

function toInputItems(message: Exclude<Message, ToolsMessage>, madeAs: ReadonlyMap<string, string>): InputItem[] {
  if (message.role === 'assistant')
    return message.content.flatMap((block, at) => toOutputItem(block, message.content[at - 1], madeAs))
  return message.content.flatMap((block): InputItem[] => {
    const text = wellFormed(block.text)
    if (block.type === 'result') return [{ type: 'function_call_output', call_id: block.callId, output: text }]
    return text.trim() === '' ? [] : [{ role: 'user', content: text }]
  })
}

function toOutputItem(
  block: AssistantBlock,
  before: AssistantBlock | undefined,
  madeAs: ReadonlyMap<string, string>,
): InputItem[] {
  switch (block.type) {
    case 'text': {
      const phase = phaseIn(before)
      return block.text.trim() === ''
        ? []
        : [{ role: 'assistant', content: wellFormed(block.text), ...(phase && { phase }) }]
    }
    case 'call': {
      // Arguments that are not JSON can't be sent back: the provider would refuse every later request.
      const args = block.call.input.parsed ? wellFormedDeep(block.call.input.value) : {}
      const { id } = block.call
      const name = madeAs.get(id) ?? block.call.name
      return [{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }]
    }
    case 'thinking': {
      const { payload } = block
      // Another provider's thinking means nothing here; and what is not encrypted was not stored there either.
      const own = payload.type === 'reasoning' && typeof payload.encrypted_content === 'string'
      return own ? [payload as unknown as OpenAI.Responses.ResponseReasoningItem] : []
    }
  }
}

/** What the API calls the text that follows; it wants to have it back with the text. */
function phaseIn(block: AssistantBlock | undefined): OpenAI.Responses.EasyInputMessage['phase'] {
  const payload = block?.type === 'thinking' && block.payload.type === 'message_phase' ? block.payload : undefined
  return payload?.phase === 'commentary' || payload?.phase === 'final_answer' ? payload.phase : undefined
}
