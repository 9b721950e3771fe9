import type { OpenAI } from 'openai'
import type { JsonObject, JsonSchema } from '../core/json.ts'
import type { AssistantBlock, Message, ModelRequest } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { checkConversation } from './check-conversation.ts'
import { lowerSchema } from './lower-schema.ts'
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
}

export const NO_CONCESSIONS: Concessions = { neverStrict: new Set(), noReasoning: false }

/** The least that the API takes as a limit. */
const LEAST_OUTPUT_TOKENS = 16

/**
 * The request as the Responses API takes it; nothing is stored there, so reasoning goes to and fro encrypted.
 * Throws a plain Error when the conversation is one that no provider takes: a defect of whoever built it.
 */
export function toWireRequest(request: ModelRequest, model: string, without: Concessions): WireRequest {
  checkConversation(request.messages)
  const { system, tools, messages, maxOutputTokens } = request
  const replayed = replayedTool(tools)
  return {
    model,
    max_output_tokens: Math.max(maxOutputTokens, LEAST_OUTPUT_TOKENS),
    stream: true,
    store: false,
    ...(!without.noReasoning && { include: ['reasoning.encrypted_content'] }),
    ...(system.trim() !== '' && { instructions: wellFormed(system) }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toWireTool(tool, without.neverStrict)),
      parallel_tool_calls: replayed === undefined,
    }),
    ...(replayed && { tool_choice: { type: 'function', name: replayed.name } }),
    input: messages.flatMap(toInputItems),
  }
}

/** The tool of a scoped replay: a request for one call of one tool, under a schema that is to be kept. */
export function replayedTool(tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  const [tool, ...others] = tools
  return tool?.strict && others.length === 0 ? tool : undefined
}

/** The tools that a request asks to be strict. */
export function strictToolNames(request: WireRequest): string[] {
  return (request.tools ?? []).flatMap((tool) => (tool.type === 'function' && tool.strict ? [tool.name] : []))
}

function toWireTool(tool: ToolDefinition, neverStrict: ReadonlySet<string>): OpenAI.Responses.FunctionTool {
  const strict = tool.strict && !neverStrict.has(tool.name) ? lowerOpenAiSchema(tool.inputSchema) : undefined
  return {
    type: 'function',
    name: tool.name,
    description: wellFormed(tool.description),
    parameters: wellFormedSchema(strict ?? lowerSchema(tool.inputSchema)),
    // Left unsaid, the API makes a schema strict by itself.
    strict: strict !== undefined,
  }
}

export function wellFormedSchema(schema: JsonSchema): JsonObject {
  return wellFormedDeep(schema as JsonObject) as JsonObject
}

function toInputItems(message: Message): InputItem[] {
  if (message.role === 'assistant')
    return message.content.flatMap((block, at) => toOutputItem(block, message.content[at - 1]))
  return message.content.flatMap((block): InputItem[] => {
    const text = wellFormed(block.text)
    if (block.type === 'result') return [{ type: 'function_call_output', call_id: block.callId, output: text }]
    return text.trim() === '' ? [] : [{ role: 'user', content: text }]
  })
}

function toOutputItem(block: AssistantBlock, before: AssistantBlock | undefined): InputItem[] {
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
      const { id, name } = block.call
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
