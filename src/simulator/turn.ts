import type { JsonObject } from '../core/json.ts'

/** One piece of an answer. `rawCall` is a call whose argument text is sent as it is. */
export type AnswerBlock =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly redactedThinking: string }
  | { readonly call: string; readonly input: JsonObject }
  | { readonly rawCall: string; readonly arguments: string }

/** How the provider fails. Those with `After` in their name, `duplicateIds` and `badEvents` act on the turn's answer. */
export type Fault =
  | {
      readonly status: number
      readonly errorType?: string
      readonly message?: string
      /** Seconds, or an HTTP date. */
      readonly retryAfter?: number | string
      readonly retryAfterMs?: number
    }
  /** An error inside of a stream with status 200, after the answer's pieces where there are some. */
  | { readonly errorEvent: string; readonly message?: string }
  /** The connection breaks. */
  | { readonly cutAfterDeltas: number }
  /** The stream ends early, but in good order. */
  | { readonly endAfterDeltas: number }
  | { readonly stallAfterDeltas: number }
  | { readonly garbledAfterDeltas: number }
  /** Headers and one comment, then nothing. */
  | { readonly stallAfterHeaders: true }
  | { readonly silence: true }
  /** A page with status 200. */
  | { readonly html: true }
  | { readonly reset: true }
  /** Unknown events, blocks and deltas between the known ones. */
  | { readonly badEvents: true }
  /** All calls of the answer have one id. */
  | { readonly duplicateIds: true }

/** What a request has to be like. */
export interface Expectation {
  /** All tools offered, in any order. */
  readonly tools?: readonly string[]
  readonly system?: string | readonly string[]
  /** Occurs in the text or in the tool results of the last message. */
  readonly lastUserText?: string | readonly string[]
  readonly messages?: number
  /** Of the schema in force, be it from the list of tools or from a definition within the conversation. */
  readonly enum?: {
    readonly tool: string
    /** JSON pointer into the arguments, `*` for any array index. */
    readonly pointer: string
    readonly contains: readonly string[]
    readonly last?: string
  }
  /** A parameter of the schema in force that is no enum. */
  readonly noEnum?: { readonly tool: string; readonly pointer: string }
}

/** One request and what follows it: an answer, a fault, or an answer on which a fault acts. */
export interface Turn {
  readonly note?: string
  readonly expect?: Expectation
  readonly answer?: readonly AnswerBlock[]
  readonly fault?: Fault
  /** As the provider names it; without it `tool_use` for an answer with calls, or else `end_turn`. */
  readonly stopReason?: string
  readonly stopExplanation?: string
  /** Tokens; estimated from the sizes where they are not given. */
  readonly usage?: {
    readonly input?: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
    readonly output?: number
  }
  /** Milliseconds before each piece of the answer. */
  readonly delayMs?: number
}

export interface Scenario {
  readonly name: string
  readonly task: string
  readonly description?: string
  readonly turns: readonly Turn[]
}
