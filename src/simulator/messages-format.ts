import type { JsonObject } from '../core/json.ts'
import { refusedByMessages } from './messages-rules.ts'
import { toolsInForce, withoutChanges } from './tool-changes.ts'
import type { AnswerBlock, Turn } from './turn.ts'
import { objects } from './wire.ts'
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

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** The Anthropic Messages API. */
export const MESSAGES: WireFormat = {
  path: '/v1/messages',
  idPrefixes: { message: 'msg', call: 'toolu' },
  refused: refusedByMessages,
  seen: (body) => ({ ...body, tools: toolsInForce(body), messages: withoutChanges(objects(body.messages)) }),
  events: answerEvents,
  withUnknownEvents,
  errorBody: (status, message, type = ERROR_TYPES[status] ?? 'api_error') => ({
    type: 'error',
    error: { type, message },
  }),
  errorEvent: (type, message) => frame('error', { error: { type, message } }),
  garbled: 'event: content_block_delta\ndata: {"type":"content_bl\n\n',
}

/** The whole stream of events for a turn's answer, in order. */
function answerEvents(turn: Turn, context: AnswerContext): ServerEvent[] {
  const answer = turn.answer ?? []
  const callId = callIdsOf(turn, context)
  const { input, cacheRead, cacheWrite, output } = usageOf(turn, context)
  const usage = {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  }
  const stop = {
    stop_reason: turn.stopReason ?? (hasCalls(turn) ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    ...(turn.stopExplanation !== undefined && {
      stop_details: { type: 'refusal', category: null, explanation: turn.stopExplanation },
    }),
  }
  const message = {
    id: context.messageId,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  return [
    frame('message_start', { message }),
    frame('ping', {}),
    ...answer.flatMap((block, index) => blockEvents(block, index, callId)),
    { ...frame('message_delta', { delta: stop, usage: { ...usage, output_tokens: output } }), closes: true },
    frame('message_stop', {}),
  ]
}

/** Events, blocks and deltas of kinds that no client knows yet, around those of `events`. */
function withUnknownEvents(events: readonly ServerEvent[]): ServerEvent[] {
  const index = 900
  const unknown = [
    frame('weather_report', { forecast: 'fair' }),
    frame('content_block_start', { index, content_block: { type: 'hologram', beams: 3 } }),
    frame('content_block_delta', { index, delta: { type: 'hologram_delta', beam: 'x' } }),
    frame('content_block_stop', { index }),
  ]
  const [start, ...rest] = events
  return start ? [start, ...unknown, ...rest] : []
}

function frame(event: string, data: JsonObject, delta = false): ServerEvent {
  return { event, data: { type: event, ...data }, delta }
}

function blockEvents(block: AnswerBlock, index: number, callId: () => string): ServerEvent[] {
  const of = (start: JsonObject, deltas: readonly JsonObject[]) => [
    frame('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => frame('content_block_delta', { index, delta }, true)),
    frame('content_block_stop', { index }),
  ]
  if ('text' in block)
    return of(
      { type: 'text', text: '' },
      textPieces(block.text).map((text) => ({ type: 'text_delta', text })),
    )
  if ('thinking' in block)
    return of({ type: 'thinking', thinking: '', signature: '' }, [
      ...textPieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: Buffer.from(block.thinking).toString('base64') },
    ])
  if ('redactedThinking' in block) return of({ type: 'redacted_thinking', data: block.redactedThinking }, [])
  const name = 'call' in block ? block.call : block.rawCall
  return of(
    { type: 'tool_use', id: callId(), name, input: {} },
    ['', ...argumentPieces(contentOf(block))].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  )
}
