import type { JsonObject } from '../core/json.ts'
import type { AnswerBlock, Turn } from './turn.ts'

/** A server-sent event. `delta` tells the pieces of the answer from what is around them. */
export interface ServerEvent {
  readonly event: string
  readonly data: JsonObject
  readonly delta: boolean
}

/** Characters a piece: about what a token or two give. */
const TEXT_PIECE = 12
const ARGUMENTS_PIECE = 24
const BYTES_PER_TOKEN = 4

/** What the events of one answer need beside the turn. */
export interface AnswerContext {
  readonly model: string
  readonly messageId: string
  readonly requestBytes: number
  /** A call id not given out before. */
  readonly nextCallId: () => string
}

/** The whole stream of events for a turn's answer, in order. */
export function answerEvents(turn: Turn, context: AnswerContext): ServerEvent[] {
  const answer = turn.answer ?? []
  const sharedId = 'duplicateIds' in (turn.fault ?? {}) ? context.nextCallId() : undefined
  const calls = answer.some((block) => 'call' in block || 'rawCall' in block)
  const outputBytes = answer.reduce((sum, block) => sum + Buffer.byteLength(contentOf(block)), 0)
  const usage = {
    input_tokens: turn.usage?.input ?? tokens(context.requestBytes),
    cache_creation_input_tokens: turn.usage?.cacheWrite ?? 0,
    cache_read_input_tokens: turn.usage?.cacheRead ?? 0,
  }
  const stop = {
    stop_reason: turn.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
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
    ...answer.flatMap((block, index) => blockEvents(block, index, () => sharedId ?? context.nextCallId())),
    frame('message_delta', {
      delta: stop,
      usage: { ...usage, output_tokens: turn.usage?.output ?? tokens(outputBytes) },
    }),
    frame('message_stop', {}),
  ]
}

/** Events, blocks and deltas of kinds that no client knows yet, around those of `events`. */
export function withUnknownEvents(events: readonly ServerEvent[]): ServerEvent[] {
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
      pieces(block.text, TEXT_PIECE).map((text) => ({ type: 'text_delta', text })),
    )
  if ('thinking' in block)
    return of({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(block.thinking, TEXT_PIECE).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: Buffer.from(block.thinking).toString('base64') },
    ])
  if ('redactedThinking' in block) return of({ type: 'redacted_thinking', data: block.redactedThinking }, [])
  const name = 'call' in block ? block.call : block.rawCall
  return of(
    { type: 'tool_use', id: callId(), name, input: {} },
    ['', ...pieces(contentOf(block), ARGUMENTS_PIECE)].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  )
}

function contentOf(block: AnswerBlock): string {
  if ('text' in block) return block.text
  if ('thinking' in block) return block.thinking
  if ('redactedThinking' in block) return block.redactedThinking
  return 'call' in block ? JSON.stringify(block.input) : block.arguments
}

/** Cut between code points, as a provider does. */
function pieces(text: string, size: number): string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
