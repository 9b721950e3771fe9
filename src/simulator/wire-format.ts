import type { JsonObject } from '../core/json.ts'
import type { AnswerBlock, Turn } from './turn.ts'

/** A server-sent event. */
export interface ServerEvent {
  /** Absent in formats that give their events no names. */
  readonly event?: string
  readonly data: JsonObject | string
  /** Tells the pieces of the answer from what is around them. */
  readonly delta: boolean
  /** The first event after the last piece of the answer: a fault amid the answer acts before it. */
  readonly closes?: boolean
}

/** What the events of one answer need beside the turn. */
export interface AnswerContext {
  /** The request that is answered. */
  readonly body: JsonObject
  readonly model: string
  readonly messageId: string
  readonly requestBytes: number
  /** A call id not given out before. */
  readonly nextCallId: () => string
}

/** One API as the simulator plays it. */
export interface WireFormat {
  readonly path: string
  readonly idPrefixes: { readonly message: string; readonly call: string }
  /**
   * Why the API would reject the request with status 400, in words like its own; undefined when it would not. `betas` are
   * what the request asks for by name.
   */
  refused(body: JsonObject, betas: readonly string[]): string | undefined
  /**
   * The request in the shape of the Messages API, for what scenarios expect of it: each tool by its own name and as it is
   * defined at the end of the conversation, and messages without those definitions.
   */
  seen(body: JsonObject): JsonObject
  /** The name under which a model calls a tool, where that is not the tool's own; undefined for a tool that may not be called. */
  calledName?(tool: string, body: JsonObject): string | undefined
  /** The whole stream of events for a turn's answer, in order. */
  events(turn: Turn, context: AnswerContext): ServerEvent[]
  /** Events of kinds that no client knows yet, around those of `events`. */
  withUnknownEvents(events: readonly ServerEvent[]): ServerEvent[]
  /** The body of an error response; `type` as scenarios name it, where one is given. */
  errorBody(status: number, message: string, type: string | undefined): JsonObject
  /** An error inside of a stream. */
  errorEvent(type: string, message: string): ServerEvent
  /** A piece that is not JSON, as it goes over the wire. */
  readonly garbled: string
}

/** Characters a piece: about what a token or two give. */
const TEXT_PIECE = 12
const ARGUMENTS_PIECE = 24
const BYTES_PER_TOKEN = 4

/** Pieces of an answer's text, cut between code points as a provider does. */
export function textPieces(text: string): string[] {
  return pieces(text, TEXT_PIECE)
}

export function argumentPieces(text: string): string[] {
  return pieces(text, ARGUMENTS_PIECE)
}

function pieces(text: string, size: number): string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
}

/** The text of a block, or the argument text of a call. */
export function contentOf(block: AnswerBlock): string {
  if ('text' in block) return block.text
  if ('thinking' in block) return block.thinking
  if ('redactedThinking' in block) return block.redactedThinking
  return 'call' in block ? JSON.stringify(block.input) : block.arguments
}

export function hasCalls({ answer = [] }: Turn): boolean {
  return answer.some((block) => 'call' in block || 'rawCall' in block)
}

/** Tokens as the turn gives them, or else estimated from the sizes. */
export function usageOf(turn: Turn, { requestBytes }: AnswerContext) {
  const outputBytes = (turn.answer ?? []).reduce((sum, block) => sum + Buffer.byteLength(contentOf(block)), 0)
  return {
    input: turn.usage?.input ?? tokens(requestBytes),
    cacheRead: turn.usage?.cacheRead ?? 0,
    cacheWrite: turn.usage?.cacheWrite ?? 0,
    output: turn.usage?.output ?? tokens(outputBytes),
  }
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** Call ids for one answer: all the same where the turn's fault says so. */
export function callIdsOf({ fault }: Turn, { nextCallId }: AnswerContext): () => string {
  const shared = 'duplicateIds' in (fault ?? {}) ? nextCallId() : undefined
  return () => shared ?? nextCallId()
}
