import type { JsonObject } from '../core/json.ts'
import { allowedTools, calledName, withoutDeclarations } from './additional-tools.ts'
import { openAiCode, openAiErrorBody } from './openai-errors.ts'
import { refusedByResponses } from './responses-rules.ts'
import type { AnswerBlock, Turn } from './turn.ts'
import { asMessages, objects, text } from './wire.ts'
import {
  type AnswerContext,
  argumentPieces,
  callIdsOf,
  contentOf,
  type ServerEvent,
  textPieces,
  usageOf,
  type WireFormat,
} from './wire-format.ts'

/** OpenAI's Responses API. */
export const RESPONSES: WireFormat = {
  path: '/v1/responses',
  idPrefixes: { message: 'resp', call: 'call' },
  refused: refusedByResponses,
  seen,
  calledName,
  events,
  withUnknownEvents,
  errorBody: openAiErrorBody,
  errorEvent: (type, message) => frame('error', { code: openAiCode(type), message, param: null }),
  garbled: 'event: response.output_text.delta\ndata: {"type":"response.outp\n\n',
}

/** The reasons for which an answer ends early, as scenarios name them. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  max_output_tokens: 'max_output_tokens',
  content_filter: 'content_filter',
}

function frame(event: string, data: JsonObject, delta = false): ServerEvent {
  return { event, data: { type: event, ...data }, delta }
}

function seen(body: JsonObject): JsonObject {
  const pieces = withoutDeclarations(objects(body.input)).map((item) => {
    const isOutput = item.type === 'function_call_output'
    const role = isOutput || item.role === 'user' ? ('user' as const) : ('assistant' as const)
    const block: JsonObject = isOutput
      ? { type: 'tool_result', content: text(item.output) }
      : { type: item.role === undefined ? text(item.type) : 'text', text: text(item.content) }
    return { role, block }
  })
  return {
    system: text(body.instructions),
    tools: allowedTools(body).map(({ name, parameters }) => ({ name: text(name), input_schema: parameters ?? {} })),
    messages: asMessages(pieces),
  }
}

function events(turn: Turn, context: AnswerContext): ServerEvent[] {
  const callId = callIdsOf(turn, context)
  const { input, cacheRead, cacheWrite, output } = usageOf(turn, context)
  const incomplete = INCOMPLETE[turn.stopReason ?? '']
  const failed = turn.stopReason === 'model_context_window_exceeded'
  const status = failed ? 'failed' : incomplete === undefined ? 'completed' : 'incomplete'
  const response = { id: context.messageId, object: 'response', model: context.model, output: [] }
  const usage = {
    input_tokens: input + cacheRead + cacheWrite,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + cacheRead + cacheWrite + output,
  }
  const refusal = turn.stopReason === 'refusal' ? (turn.stopExplanation ?? 'I refuse.') : undefined
  const blocks = turn.answer ?? []
  const all = [
    frame('response.created', { response: { ...response, status: 'in_progress' } }),
    frame('response.in_progress', { response: { ...response, status: 'in_progress' } }),
    ...blocks.flatMap((block, index) => blockEvents(block, index, callId, context.body)),
    ...(refusal === undefined ? [] : refusalEvents(refusal, blocks.length)),
    {
      ...frame(`response.${status}`, {
        response: {
          ...response,
          status,
          error: failed ? { code: 'context_length_exceeded', message: 'the context window is full' } : null,
          incomplete_details: incomplete === undefined ? null : { reason: incomplete },
          usage,
        },
      }),
      closes: true,
    },
  ]
  return all.map((event, n) => ({ ...event, data: { ...(event.data as JsonObject), sequence_number: n } }))
}

/** The events of one item: `start` as it is announced, `deltas` as its pieces come, `end` as it is in the end. */
function itemEvents(index: number, start: JsonObject, deltas: readonly ServerEvent[], end: JsonObject): ServerEvent[] {
  return [
    frame('response.output_item.added', { output_index: index, item: { ...start, status: 'in_progress' } }),
    ...deltas.map((event) => ({ ...event, data: { ...(event.data as JsonObject), output_index: index } })),
    frame('response.output_item.done', { output_index: index, item: { ...start, ...end, status: 'completed' } }),
  ]
}

function blockEvents(block: AnswerBlock, index: number, callId: () => string, body: JsonObject): ServerEvent[] {
  const content = contentOf(block)
  if ('text' in block) {
    const start = { id: `msg_${index}`, type: 'message', role: 'assistant', content: [] }
    const deltas = textPieces(content).map((delta) =>
      frame('response.output_text.delta', { item_id: start.id, content_index: 0, delta }, true),
    )
    const done = frame('response.output_text.done', { item_id: start.id, content_index: 0, text: content })
    return itemEvents(index, start, [...deltas, done], {
      content: [{ type: 'output_text', text: content, annotations: [] }],
    })
  }
  if ('thinking' in block || 'redactedThinking' in block) {
    const open = 'thinking' in block
    const start = { id: `rs_${index}`, type: 'reasoning', summary: [] }
    const deltas = (open ? textPieces(content) : []).map((delta) =>
      frame('response.reasoning_summary_text.delta', { item_id: start.id, summary_index: 0, delta }, true),
    )
    return itemEvents(index, start, deltas, {
      summary: open ? [{ type: 'summary_text', text: content }] : [],
      encrypted_content: open ? Buffer.from(content).toString('base64') : content,
    })
  }
  const tool = 'call' in block ? block.call : block.rawCall
  const name = calledName(tool, body) ?? tool
  const start = { id: `fc_${index}`, type: 'function_call', call_id: callId(), name, arguments: '' }
  const deltas = argumentPieces(content).map((delta) =>
    frame('response.function_call_arguments.delta', { item_id: start.id, delta }, true),
  )
  const done = frame('response.function_call_arguments.done', { item_id: start.id, arguments: content })
  return itemEvents(index, start, [...deltas, done], { arguments: content })
}

function refusalEvents(refusal: string, index: number): ServerEvent[] {
  const start = { id: `msg_${index}`, type: 'message', role: 'assistant', content: [] }
  const deltas = textPieces(refusal).map((delta) =>
    frame('response.refusal.delta', { item_id: start.id, content_index: 0, delta }, true),
  )
  return itemEvents(index, start, deltas, { content: [{ type: 'refusal', refusal }] })
}

function withUnknownEvents(events: readonly ServerEvent[]): ServerEvent[] {
  const hologram = { id: 'h', type: 'hologram', beams: 3 }
  const unknown = [
    frame('weather_report', { forecast: 'fair' }),
    frame('response.output_item.added', { output_index: 900, item: hologram }),
    frame('response.hologram.delta', { output_index: 900, delta: 'x' }),
    frame('response.output_item.done', { output_index: 900, item: hologram }),
  ]
  const [start, ...rest] = events
  return start ? [start, ...unknown, ...rest] : []
}
