import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { type AssistantBlock, type ModelAnswer, NO_USAGE, type Usage } from '../core/message.ts'
import { MOST_CALLS, stopReasonOf, withoutIdleThinking } from './answer-content.ts'
import { complaintIn, isComplaint } from './body-complaint.ts'
import { callsInText } from './calls-in-text.ts'
import { GrowingCalls } from './chat-calls.ts'
import { chatEnd } from './chat-ends.ts'
import { mergeReasoningDetail } from './chat-reasoning.ts'
import { failedGenerationAnswer } from './failed-generation.ts'
import { oneLine } from './one-line.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import type { Accumulator } from './streamed-exchange.ts'
import { numberAt, objectAt, parseJson, stringAt, tokensAt } from './wire-json.ts'

/** What the accumulator has to know of the request. */
export interface Asked {
  readonly maxOutputTokens: number
  readonly tools: readonly string[]
}

/**
 * Puts an answer together from the chunks of Chat Completions. An answer is whole once a chunk says why it ended, or `[DONE]`
 * comes; its usage may come after that. What is garbled, or says that the provider failed, becomes the failure of the whole.
 */
export class ChatAccumulator implements Accumulator {
  readonly #endpoint: Endpoint
  readonly #takenIds: Set<string>
  readonly #asked: Asked
  readonly #calls: GrowingCalls
  #text = ''
  #thinking = ''
  readonly #details: JsonObject[] = []
  #refusal = ''
  #reason: string | undefined
  #done = false
  #usage: Usage = NO_USAGE
  #model: string
  #outcome: Outcome<ModelAnswer> | undefined

  /** `takenIds` are the call ids that the answer must not use again; those it uses are added. */
  constructor(endpoint: Endpoint, takenIds: Set<string>, asked: Asked) {
    this.#endpoint = endpoint
    this.#takenIds = takenIds
    this.#asked = asked
    this.#calls = new GrowingCalls(asked.tools)
    this.#model = endpoint.model
  }

  get settled(): boolean {
    return this.#done || this.#reason !== undefined || this.#outcome !== undefined
  }

  take(event: string | null, data: string): string | undefined {
    if (this.#done || this.#outcome || data.trim() === '') return undefined
    if (data.trim() === '[DONE]') {
      this.#done = true
      return undefined
    }
    const chunk = parseJson(data)
    if (event === 'error') this.#complain(isJsonObject(chunk) ? chunk : { error: data })
    else if (isJsonObject(chunk)) return this.#takeChunk(chunk)
    // A stream that is cut within its last event has said all that counts.
    else if (!this.settled)
      this.#fail({
        kind: 'provider.transient',
        reason: `the answer of ${this.#endpoint.host} is garbled: data that is not JSON`,
      })
    return undefined
  }

  answer(): Outcome<ModelAnswer> {
    if (this.#outcome) return this.#outcome
    const { host, apiKey } = this.#endpoint
    const unended = this.#reason === undefined && this.#calls.lastIsTorn
    if (!this.settled || (unended && !this.#isCutAllTheSame()))
      return failed({ kind: 'provider.transient', reason: `${host} ended its answer before it was complete` })
    const end = chatEnd(this.#reason)
    // Looked at before anything of the answer is used: each of these makes the content worthless or incomplete.
    if (this.#refusal !== '') return failed({ kind: 'provider.refused', reason: oneLine(this.#refusal, apiKey) })
    if (end === 'refused')
      return failed({ kind: 'provider.refused', reason: "the provider's content filter ended the answer" })
    if (end === 'broken')
      return failed({
        kind: 'provider.transient',
        reason: `${host} broke off its answer (${oneLine(this.#reason ?? '', apiKey)})`,
      })
    const cut = end === 'cut' || this.#isCutAllTheSame()
    const content = this.#content(cut)
    return success({
      content,
      stopReason: stopReasonOf(content, cut, end === 'good'),
      usage: this.#usage,
      model: this.#model,
    })
  }

  /** Some servers call an answer complete whose last call the token limit cut. */
  #isCutAllTheSame(): boolean {
    return this.#calls.lastIsTorn && this.#usage.output >= this.#asked.maxOutputTokens
  }

  #fail(failure: Failure): void {
    this.#outcome = failed(failure)
  }

  #takeChunk(chunk: JsonObject): string | undefined {
    if (isComplaint(chunk)) {
      this.#complain(chunk)
      return undefined
    }
    this.#model = stringAt(chunk, 'model') || this.#model
    this.#count(objectAt(chunk, 'usage') ?? objectAt(objectAt(chunk, 'x_groq'), 'usage'))
    const choice = objectsIn(chunk.choices).find((one) => (numberAt(one, 'index') ?? 0) === 0)
    if (!choice) return undefined
    this.#reason = stringAt(choice, 'finish_reason') ?? this.#reason
    if (isComplaint(choice)) this.#complain(choice)
    // Where a server does not stream, the message comes at once.
    return this.#takeDelta(objectAt(choice, 'delta') ?? objectAt(choice, 'message') ?? {})
  }

  #complain(value: JsonObject): void {
    const complaint = complaintIn(value)
    const { maxOutputTokens: _, tools } = this.#asked
    this.#outcome =
      failedGenerationAnswer(complaint, tools, this.#endpoint.model, this.#takenIds) ??
      failed(failureOfComplaint(complaint, this.#endpoint, Date.now()))
  }

  #takeDelta(delta: JsonObject): string | undefined {
    this.#refusal += stringAt(delta, 'refusal') ?? ''
    this.#thinking += stringAt(delta, 'reasoning_content') ?? stringAt(delta, 'reasoning') ?? ''
    for (const detail of objectsIn(delta.reasoning_details)) mergeReasoningDetail(this.#details, detail)
    for (const piece of objectsIn(delta.tool_calls)) this.#calls.take(piece)
    if (this.#calls.count > MOST_CALLS)
      this.#fail({ kind: 'provider.rejected', reason: `${this.#endpoint.host} sends calls without an end` })
    const called = objectAt(delta, 'function_call')
    if (called) this.#calls.take({ index: 0, function: called })
    const text =
      stringAt(delta, 'content') ??
      objectsIn(delta.content)
        .map((part) => stringAt(part, 'text') ?? '')
        .join('')
    this.#text += text
    return text === '' ? undefined : text
  }

  #count(usage: JsonObject | undefined): void {
    if (!usage) return
    const details = objectAt(usage, 'prompt_tokens_details')
    const cacheRead = tokensAt(details, 'cached_tokens') ?? tokensAt(usage, 'prompt_cache_hit_tokens') ?? 0
    const cacheWrite = tokensAt(details, 'cache_write_tokens') ?? 0
    this.#usage = {
      input: Math.max(0, (tokensAt(usage, 'prompt_tokens') ?? 0) - cacheRead - cacheWrite),
      cacheRead,
      cacheWrite,
      output: tokensAt(usage, 'completion_tokens') ?? 0,
    }
  }

  #content(cut: boolean): readonly AssistantBlock[] {
    const thinks = this.#thinking !== '' || this.#details.length > 0
    const payload = { type: 'chat_reasoning', text: this.#thinking, details: this.#details }
    return withoutIdleThinking([
      ...(thinks ? [{ type: 'thinking' as const, text: this.#thinking, payload }] : []),
      ...((this.#calls.count === 0 && !cut && callsInText(this.#text, this.#asked.tools, this.#takenIds)) || [
        ...(this.#text.trim() === '' ? [] : [{ type: 'text' as const, text: this.#text }]),
        ...this.#calls.blocks(cut, this.#takenIds),
      ]),
    ])
  }
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : []
}
