import { isJsonObject, type JsonObject } from '../core/json.ts'
import { refusedByChat } from './chat-rules.ts'
import { openAiCode, openAiErrorBody } from './openai-errors.ts'
import type { AnswerBlock, Turn } from './turn.ts'
import { asMessages, objects, text } from './wire.ts'
import {
  type AnswerContext,
  argumentPieces,
  callIdsOf,
  contentOf,
  hasCalls,
  type ServerEvent,
  textPieces,
  usageOf,
  type WireFormat,
} from './wire-format.ts'

/**
 * Chat Completions, as OpenAI has it and others after it. Where a request has a response format and no tools, the calls of
 * a scenario are answered as the JSON of their arguments.
 */
export const CHAT: WireFormat = {
  path: '/v1/chat/completions',
  idPrefixes: { message: 'chatcmpl', call: 'call' },
  refused: refusedByChat,
  seen,
  events,
  withUnknownEvents,
  errorBody: openAiErrorBody,
  errorEvent: (type, message) => ({
    data: { error: { message, type: openAiCode(type), param: null, code: openAiCode(type) } },
    delta: false,
  }),
  garbled: 'data: {"object":"chat.compl\n\n',
}

/** Why an answer ended, by the names that scenarios have for it; other names go through as they are. */
const REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  end_turn: 'stop',
  tool_use: 'tool_calls',
  refusal: 'stop',
}

function formatOf({ response_format: format, tools }: JsonObject): JsonObject | undefined {
  const inner = isJsonObject(format) && objects(tools).length === 0 ? format.json_schema : undefined
  return isJsonObject(inner) ? inner : undefined
}

function seen(body: JsonObject): JsonObject {
  const messages = objects(body.messages)
  const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer'
  const format = formatOf(body)
  const tools = objects(body.tools).flatMap((tool) => (isJsonObject(tool.function) ? [tool.function] : []))
  const pieces = messages
    .filter((message) => !isSystem(message))
    .map((message) => {
      const role = message.role === 'assistant' ? ('assistant' as const) : ('user' as const)
      const said = text(message.content)
      const block: JsonObject =
        message.role === 'tool' ? { type: 'tool_result', content: said } : { type: 'text', text: said }
      return { role, block }
    })
  return {
    system: messages
      .filter(isSystem)
      .map(({ content }) => text(content))
      .join('\n'),
    tools: format
      ? [{ name: text(format.name), input_schema: format.schema ?? {} }]
      : tools.map(({ name, parameters }) => ({ name: text(name), input_schema: parameters ?? {} })),
    messages: asMessages(pieces),
  }
}

function events(turn: Turn, context: AnswerContext): ServerEvent[] {
  const callId = callIdsOf(turn, context)
  const byFormat = formatOf(context.body) !== undefined
  const { input, cacheRead, cacheWrite, output } = usageOf(turn, context)
  const prompt = input + cacheRead + cacheWrite
  const base = { id: context.messageId, object: 'chat.completion.chunk', created: 0, model: context.model }
  const chunk = (delta: JsonObject, isPiece: boolean, finish_reason: string | null = null): ServerEvent => ({
    data: { ...base, choices: [{ index: 0, delta, finish_reason }] },
    delta: isPiece,
  })
  const asksUsage = isJsonObject(context.body.stream_options) && context.body.stream_options.include_usage === true
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
  }
  const reason = turn.stopReason ?? (hasCalls(turn) && !byFormat ? 'tool_use' : 'end_turn')
  const refusal = turn.stopReason === 'refusal' ? (turn.stopExplanation ?? 'I refuse.') : ''
  let calls = 0
  return [
    chunk({ role: 'assistant', content: '' }, false),
    ...(turn.answer ?? []).flatMap((block) =>
      deltasOf(block, byFormat, () => ({ index: calls++, id: callId() })).map((delta) => chunk(delta, true)),
    ),
    ...textPieces(refusal).map((piece) => chunk({ refusal: piece }, true)),
    { ...chunk({}, false, REASONS[reason] ?? reason), closes: true },
    ...(asksUsage ? [{ data: { ...base, choices: [], usage }, delta: false }] : []),
    { data: '[DONE]', delta: false },
  ]
}

function deltasOf(
  block: AnswerBlock,
  byFormat: boolean,
  nextCall: () => { readonly index: number; readonly id: string },
): JsonObject[] {
  const content = contentOf(block)
  if ('text' in block) return textPieces(content).map((piece) => ({ content: piece }))
  if ('thinking' in block) return textPieces(content).map((piece) => ({ reasoning_content: piece }))
  if ('redactedThinking' in block)
    return [{ reasoning_details: [{ type: 'reasoning.encrypted', data: content, index: 0 }] }]
  if (byFormat) return argumentPieces(content).map((piece) => ({ content: piece }))
  const { index, id } = nextCall()
  const name = 'call' in block ? block.call : block.rawCall
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...argumentPieces(content).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function withUnknownEvents(events: readonly ServerEvent[]): ServerEvent[] {
  const unknown: ServerEvent[] = [
    { data: { object: 'weather.report', forecast: 'fair' }, delta: false },
    { event: 'hologram', data: { choices: [{ index: 0, delta: { hologram: { beams: 3 } } }] }, delta: false },
    { data: { choices: [{ index: 1, delta: { content: 'of another choice' } }] }, delta: false },
  ]
  const [start, ...rest] = events
  return start ? [start, ...unknown, ...rest] : []
}
