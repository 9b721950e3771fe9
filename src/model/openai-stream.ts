import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { ModelAnswer, Usage } from '../core/message.ts'
import { MOST_CALLS, stopReasonOf, withoutIdleThinking } from './answer-content.ts'
import { complaintIn, isComplaint } from './body-complaint.ts'
import { oneLine } from './one-line.ts'
import { GrowingItems } from './openai-items.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import type { Accumulator } from './streamed-exchange.ts'
import { objectAt, parseJson, stringAt, tokensAt } from './wire-json.ts'

/**
 * Puts an answer together from the events of the Responses API. What is not known (events and items of new kinds) is passed
 * over; what is garbled, or says that the provider failed, becomes the failure of the whole.
 */
export class ResponseAccumulator implements Accumulator {
  readonly #endpoint: Endpoint
  readonly #takenIds: Set<string>
  readonly #maxOutputTokens: number
  readonly #items = new GrowingItems()
  #response: JsonObject | undefined
  #refusal = ''
  #failure: Failure | undefined

  /** `takenIds` are the call ids that the answer must not use again; those it uses are added. */
  constructor(endpoint: Endpoint, takenIds: Set<string>, maxOutputTokens: number) {
    this.#endpoint = endpoint
    this.#takenIds = takenIds
    this.#maxOutputTokens = maxOutputTokens
  }

  get settled(): boolean {
    return this.#response !== undefined || this.#failure !== undefined
  }

  take(event: string | null, data: string): string | undefined {
    if (this.settled || data === '' || data === '[DONE]') return undefined
    const value = parseJson(data)
    if (isJsonObject(value)) return this.#takeEvent(typeOf(event, value), value)
    // An event that is not needed may hold whatever it wants.
    if (event === 'error') this.#failure = failureOfComplaint({ words: data }, this.#endpoint, Date.now())
    else if (event === null || event.startsWith('response.')) this.#broken('is garbled: data that is not JSON')
    return undefined
  }

  answer(): Outcome<ModelAnswer> {
    if (this.#failure) return failed(this.#failure)
    const { host, model, apiKey } = this.#endpoint
    if (!this.#response)
      return failed({ kind: 'provider.transient', reason: `${host} ended its answer before it was complete` })
    // Looked at before anything of the answer is used: each of these makes the content worthless or incomplete.
    const why = stringAt(objectAt(this.#response, 'incomplete_details'), 'reason')
    const refusal = this.#refusal || this.#items.refusal
    if (refusal !== '') return failed({ kind: 'provider.refused', reason: oneLine(refusal, apiKey) })
    if (why === 'content_filter')
      return failed({ kind: 'provider.refused', reason: "the provider's content filter ended the answer" })
    const usage = usageOf(objectAt(this.#response, 'usage'))
    // Some servers call an answer complete whose last call the token limit cut.
    const cut = why === 'max_output_tokens' || (this.#items.lastIsTorn && usage.output >= this.#maxOutputTokens)
    const incomplete = why !== undefined || this.#response.status === 'incomplete'
    const content = withoutIdleThinking(this.#items.blocks(cut || incomplete, this.#takenIds))
    return success({
      content,
      stopReason: stopReasonOf(content, cut, !incomplete),
      usage,
      model: stringAt(this.#response, 'model') ?? model,
    })
  }

  #takeEvent(type: string, event: JsonObject): string | undefined {
    const delta = stringAt(event, 'delta') ?? ''
    if (this.#items.count > MOST_CALLS)
      this.#failure = { kind: 'provider.rejected', reason: `${this.#endpoint.host} sends items without an end` }
    switch (type) {
      case 'response.output_item.added':
        this.#items.start(event)
        return undefined
      case 'response.output_item.done':
        return this.#items.finish(event)
      case 'response.output_text.delta':
        this.#grow(event, delta)
        return delta
      case 'response.function_call_arguments.delta':
        this.#grow(event, delta)
        return undefined
      case 'response.refusal.delta':
        this.#refusal += delta
        return undefined
      case 'response.completed':
        return this.#end(objectAt(event, 'response') ?? {})
      case 'response.incomplete':
        return this.#end({ ...objectAt(event, 'response'), status: 'incomplete' })
      case 'response.failed':
        return this.#end({ ...objectAt(event, 'response'), status: 'failed' })
      case WHOLE:
        return this.#end(event)
      case 'error':
        this.#failure = this.#failureIn(event)
        return undefined
      default:
        return undefined
    }
  }

  /** Gives back text that comes only now. */
  #end(response: JsonObject): string | undefined {
    if (response.status === 'failed' || isComplaint(response)) this.#failure = this.#failureIn(response)
    else if (response.status === 'cancelled') this.#broken('was cancelled there')
    else this.#response = response
    return this.#items.takeWhole(response.output)
  }

  #failureIn(value: JsonObject): Failure {
    const complaint = complaintIn(value)
    // The type of the event itself is no type of error.
    const { type, ...rest } = complaint
    const known = type === 'error' ? rest : complaint
    const words = complaint.words === 'error' ? (complaint.code ?? '') : complaint.words
    return failureOfComplaint({ ...known, words }, this.#endpoint, Date.now())
  }

  #grow(event: JsonObject, delta: string): void {
    if (!this.#items.grow(event, delta)) this.#broken('is garbled: a piece of an item that never started')
  }

  #broken(how: string): void {
    this.#failure = { kind: 'provider.transient', reason: `the answer of ${this.#endpoint.host} ${how}` }
  }
}

/** What comes where a server does not stream. */
const WHOLE = 'response'

function typeOf(event: string | null, value: JsonObject): string {
  const type = stringAt(value, 'type')
  if (type !== undefined) return type
  if (value.object === WHOLE) return WHOLE
  return event ?? (isComplaint(value) ? 'error' : '')
}

function usageOf(usage: JsonObject | undefined): Usage {
  const details = objectAt(usage, 'input_tokens_details')
  const cacheRead = tokensAt(details, 'cached_tokens') ?? 0
  const cacheWrite = tokensAt(details, 'cache_write_tokens') ?? 0
  return {
    input: Math.max(0, (tokensAt(usage, 'input_tokens') ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: tokensAt(usage, 'output_tokens') ?? 0,
  }
}
