import type { Failure } from '../core/failure.ts'
import type { ModelAnswer, ResultBlock } from '../core/message.ts'
import type { ControlRequest, ToolCall, ToolDefinition } from '../core/tool.ts'
import type { Conversation } from './conversation.ts'

/** The calls of one answer while they are being carried out: results so far, and the calls still to come. */
export interface Turn {
  readonly results: ResultBlock[]
  readonly rest: ToolCall[]
  /** What else the model is to read with the results. */
  readonly notes: string[]
  /** Tightened definitions that are to hold for the next answer. */
  readonly definitions: ToolDefinition[]
  /** A call has failed: later ones of this answer that change or run something are not carried out. */
  broken: boolean
}

/** Why the carrying out of a turn's calls stopped. */
export type TurnEnd =
  | { readonly kind: 'done' }
  /** The next call writes or runs something, and there is no plan yet. */
  | { readonly kind: 'implies-plan' }
  /** The loop writes the result of `call`. */
  | {
      readonly kind: 'control'
      readonly call: ToolCall
      readonly request: Exclude<ControlRequest, { kind: 'pick' }>
      readonly changed: readonly string[]
    }
  | {
      readonly kind: 'failed'
      readonly failure: Failure
      readonly follows: 'replan' | 'end-of-attempt' | 'give-up' | 'stop'
    }

export function openTurn(answer: ModelAnswer): Turn {
  return {
    results: [],
    notes: [],
    definitions: [],
    broken: false,
    rest: answer.content.flatMap((block) => (block.type === 'call' ? [block.call] : [])),
  }
}

/** Sends the results and what goes with them back to the model. */
export function replyTo(conversation: Conversation, { results, notes, definitions }: Turn): void {
  conversation.reply(results, notes, definitions)
}

export const textOf = (answer: ModelAnswer): string =>
  answer.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim()
