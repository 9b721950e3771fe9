import type { JsonObject } from './json.ts'
import type { ToolCall, ToolDefinition } from './tool.ts'

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** Passed back to the provider untouched; nothing but the provider's adapter reads `payload`. */
export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly text: string
  readonly payload: JsonObject
}

export interface CallBlock {
  readonly type: 'call'
  readonly call: ToolCall
}

export interface ResultBlock {
  readonly type: 'result'
  readonly callId: string
  readonly text: string
  readonly failed: boolean
}

export type AssistantBlock = TextBlock | ThinkingBlock | CallBlock
export type UserBlock = TextBlock | ResultBlock

/**
 * From here on each of the definitions holds in place of the one of its name, until a later one does. It stands after a
 * user's turn, last or before an assistant's. An adapter whose provider can't say it leaves it out; dispatch holds it.
 */
export interface ToolsMessage {
  readonly role: 'tools'
  readonly definitions: readonly ToolDefinition[]
}

/** One turn of a conversation. Histories are append-only: what was sent is never edited. */
export type Message =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] }
  | ToolsMessage

/** What the request is for; each role may have its own model. */
export type ModelRole = 'plan' | 'edit' | 'repair'

export interface ModelRequest {
  readonly role: ModelRole
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly messages: readonly Message[]
  readonly maxOutputTokens: number
}

/** Tokens as the provider reports them. `input` is what was neither read from nor written to the cache. */
export interface Usage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

export const NO_USAGE: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  }
}

export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input - b.input,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
    output: a.output - b.output,
  }
}

/** Why the model stopped. `length`: by the token limit; its last call may be cut. */
export type StopReason = 'end' | 'calls' | 'length' | 'refusal' | 'other'

export interface ModelAnswer {
  readonly content: readonly AssistantBlock[]
  readonly stopReason: StopReason
  readonly usage: Usage
  /** As the provider names it. */
  readonly model: string
}
