import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { AssistantBlock, ModelAnswer, Usage } from '../core/message.ts'
import { stopReasonOf, withoutIdleThinking } from './answer-content.ts'
import { complaintIn } from './body-complaint.ts'
import { parseCallInput } from './call-input.ts'
import { oneLine } from './one-line.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import type { Accumulator } from './streamed-exchange.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { numberAt, objectAt, parseJson, stringAt } from './wire-json.ts'

/** An output item as it grows: what the server says of it, and the text or arguments that came in pieces. */
interface GrowingItem {
  item: JsonObject
  raw: string
}

/**
 * Puts an answer together from the events of the Responses API. What is not known (events and items of new kinds) is passed
 * over; what is garbled, or says that the provider failed, becomes the failure of the whole.
 */
export class ResponseAccumulator implements Accumulator {
  readonly #endpoint: Endpoint
  readonly #takenIds: Set<string>
  readonly #items = new Map<number, GrowingItem>()
  #response: JsonObject | undefined
  #refusal = ''
  #failure: Failure | undefined

  /** `takenIds` are the call ids that the answer must not use again; those it uses are added. */
  constructor(endpoint: Endpoint, takenIds: Set<string>) {
    this.#endpoint = endpoint
    this.#takenIds = takenIds
  }

  get settled(): boolean {
    return this.#response !== undefined || this.#failure !== undefined
  }

  take(event: string | null, data: string): string | undefined {
    if (this.settled || data === '' || data === '[DONE]') return undefined
    const value = parseJson(data)
    if (isJsonObject(value)) return this.#takeEvent(stringAt(value, 'type') ?? event ?? '', value)
    // An event that is not needed may hold whatever it wants.
    if (event === null || /^(?:response\.|error$)/.test(event)) this.#garbled('data that is not JSON')
    return undefined
  }

  answer(): Outcome<ModelAnswer> {
    if (this.#failure) return failed(this.#failure)
    const { host, model, apiKey } = this.#endpoint
    if (!this.#response)
      return failed({ kind: 'provider.transient', reason: `${host} ended its answer before it was complete` })
    // Looked at before anything of the answer is used: each of these makes the content worthless or incomplete.
    const why = stringAt(objectAt(this.#response, 'incomplete_details'), 'reason')
    if (this.#refusal !== '') return failed({ kind: 'provider.refused', reason: oneLine(this.#refusal, apiKey) })
    if (why === 'content_filter')
      return failed({ kind: 'provider.refused', reason: "the provider's content filter ended the answer" })
    const cut = why === 'max_output_tokens'
    const content = this.#content(cut)
    return success({
      content,
      stopReason: stopReasonOf(content, cut, why === undefined),
      usage: usageOf(objectAt(this.#response, 'usage')),
      model: stringAt(this.#response, 'model') ?? model,
    })
  }

  #takeEvent(type: string, event: JsonObject): string | undefined {
    const index = numberAt(event, 'output_index') ?? this.#items.size - 1
    const delta = stringAt(event, 'delta') ?? ''
    switch (type) {
      case 'response.output_item.added':
        this.#items.set(numberAt(event, 'output_index') ?? this.#items.size, {
          item: objectAt(event, 'item') ?? {},
          raw: '',
        })
        return undefined
      case 'response.output_item.done':
        return this.#finish(index, objectAt(event, 'item') ?? {})
      case 'response.output_text.delta':
        this.#grow(index, delta)
        return delta
      case 'response.function_call_arguments.delta':
        this.#grow(index, delta)
        return undefined
      case 'response.refusal.delta':
        this.#refusal += delta
        return undefined
      case 'response.completed':
      case 'response.incomplete':
        this.#response = objectAt(event, 'response') ?? {}
        return undefined
      case 'response.failed':
        this.#failure = this.#failureIn(objectAt(event, 'response') ?? {})
        return undefined
      case 'error':
        this.#failure = this.#failureIn(event)
        return undefined
      default:
        return undefined
    }
  }

  #failureIn(value: JsonObject): Failure {
    const complaint = complaintIn(value)
    // The type of the event itself is no type of error.
    const { type, ...rest } = complaint
    const known = type === 'error' ? rest : complaint
    const words = complaint.words === 'error' ? (complaint.code ?? '') : complaint.words
    return failureOfComplaint({ ...known, words }, this.#endpoint, Date.now())
  }

  #grow(index: number, delta: string): void {
    const growing = this.#items.get(index)
    if (growing) growing.raw += delta
    else this.#garbled('a piece of an item that never started')
  }

  /** The item as the server has it in the end; what came in pieces stays as it came. Gives back text that came at once. */
  #finish(index: number, item: JsonObject): string | undefined {
    const growing = this.#items.get(index) ?? { item, raw: '' }
    this.#items.set(index, growing)
    growing.item = item
    this.#refusal ||= refusalOf(item)
    if (growing.raw !== '') return undefined
    growing.raw = item.type === 'message' ? textOf(item) : (stringAt(item, 'arguments') ?? '')
    return item.type === 'message' ? growing.raw : undefined
  }

  #garbled(what: string): void {
    this.#failure = { kind: 'provider.transient', reason: `the answer of ${this.#endpoint.host} is garbled: ${what}` }
  }

  #content(cut: boolean): readonly AssistantBlock[] {
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, growing]) => growing)
    return withoutIdleThinking(
      items.flatMap((growing) => blocksOf(growing, cut && growing === items.at(-1), this.#takenIds)),
    )
  }
}

function blocksOf({ item, raw }: GrowingItem, cut: boolean, takenIds: Set<string>): AssistantBlock[] {
  switch (item.type) {
    case 'message': {
      if (raw.trim() === '') return []
      const phase = stringAt(item, 'phase')
      const payload = phase === undefined ? undefined : { type: 'message_phase', phase }
      return [
        ...(payload ? [{ type: 'thinking' as const, text: '', payload }] : []),
        { type: 'text' as const, text: raw },
      ]
    }
    case 'reasoning':
      return [{ type: 'thinking', text: textOf(item, 'summary'), payload: item }]
    case 'function_call': {
      const id = uniqueCallId(stringAt(item, 'call_id') ?? '', takenIds)
      const call = { id, name: stringAt(item, 'name') ?? '', input: parseCallInput(raw), complete: !cut }
      return [{ type: 'call', call }]
    }
    default:
      return []
  }
}

function parts(item: JsonObject, key: string): readonly Json[] {
  const value = item[key]
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function textOf(item: JsonObject, key = 'content'): string {
  return parts(item, key)
    .map((part) => stringAt(part, 'text') ?? '')
    .join('')
}

function refusalOf(item: JsonObject): string {
  return parts(item, 'content')
    .map((part) => stringAt(part, 'refusal') ?? '')
    .join('')
}

function usageOf(usage: JsonObject | undefined): Usage {
  const details = objectAt(usage, 'input_tokens_details')
  const cacheRead = numberAt(details, 'cached_tokens') ?? 0
  const cacheWrite = numberAt(details, 'cache_write_tokens') ?? 0
  return {
    input: Math.max(0, (numberAt(usage, 'input_tokens') ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: numberAt(usage, 'output_tokens') ?? 0,
  }
}
