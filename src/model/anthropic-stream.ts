import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { AssistantBlock, ModelAnswer, Usage } from '../core/message.ts'
import { stopReasonOf, withoutIdleThinking } from './answer-content.ts'
import { finishBlock, type GrowingBlock, startBlock } from './growing-block.ts'
import { oneLine } from './one-line.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import type { Accumulator } from './streamed-exchange.ts'
import { numberAt, objectAt, parseJson, stringAt } from './wire-json.ts'

const GOOD_ENDS: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use'])

/**
 * Puts an answer together from the events of the Messages API. What is not known (events, blocks and deltas of new kinds,
 * comments) is passed over; what is garbled, or says that the provider failed, becomes the failure of the whole.
 */
export class AnswerAccumulator implements Accumulator {
  readonly #endpoint: Endpoint
  readonly #takenIds: Set<string>
  readonly #blocks: GrowingBlock[] = []
  readonly #byIndex = new Map<number, GrowingBlock>()
  #stopReason: string | undefined
  #explanation: string | undefined
  #model: string
  #usage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  #failure: Failure | undefined
  #finished = false

  /** `takenIds` are the call ids that the answer must not use again; those it uses are added. */
  constructor(endpoint: Endpoint, takenIds: Set<string>) {
    this.#endpoint = endpoint
    this.#takenIds = takenIds
    this.#model = endpoint.model
  }

  /** Nothing that comes from here on matters. */
  get settled(): boolean {
    return this.#finished || this.#failure !== undefined
  }

  /** Takes one server-sent event; gives back the piece of answer text in it. */
  take(event: string | null, data: string): string | undefined {
    if (this.settled || data === '' || data === '[DONE]') return undefined
    const value = parseJson(data)
    if (!isJsonObject(value)) {
      // An event that is not needed may hold whatever it wants.
      if (event === null || /^(?:message_|content_block_|error$)/.test(event)) this.#garbled(`data that is not JSON`)
      return undefined
    }
    return this.#takeEvent(stringAt(value, 'type') ?? event ?? '', value)
  }

  /** The whole answer, once `settled`; before that, the failure of a stream that broke off. */
  answer(): Outcome<ModelAnswer> {
    if (this.#failure) return failed(this.#failure)
    const { host } = this.#endpoint
    if (!this.#finished)
      return failed({ kind: 'provider.transient', reason: `${host} ended its answer before it was complete` })
    // Looked at before anything of the answer is used: each of these makes the content worthless or incomplete.
    if (this.#stopReason === 'refusal')
      return failed({
        kind: 'provider.refused',
        reason: oneLine(this.#explanation ?? 'the model declined to go on', this.#endpoint.apiKey),
      })
    if (this.#stopReason === 'model_context_window_exceeded')
      return failed({ kind: 'provider.context-overflow', reason: 'the answer ran into the end of the context window' })
    const cut = this.#stopReason === 'max_tokens'
    const content = this.#content(cut)
    return success({
      content,
      stopReason: stopReasonOf(content, cut, GOOD_ENDS.has(this.#stopReason ?? '')),
      usage: this.#usage,
      model: this.#model,
    })
  }

  #takeEvent(type: string, event: JsonObject): string | undefined {
    switch (type) {
      case 'message_start': {
        const message = objectAt(event, 'message')
        this.#model = stringAt(message, 'model') ?? this.#model
        this.#count(objectAt(message, 'usage'))
        return undefined
      }
      case 'content_block_start':
        return this.#start(numberAt(event, 'index') ?? this.#blocks.length, objectAt(event, 'content_block') ?? {})
      case 'content_block_delta':
        return this.#grow(numberAt(event, 'index') ?? this.#blocks.length - 1, objectAt(event, 'delta') ?? {})
      case 'message_delta': {
        const delta = objectAt(event, 'delta')
        this.#stopReason = stringAt(delta, 'stop_reason') ?? this.#stopReason
        this.#explanation = stringAt(objectAt(delta, 'stop_details'), 'explanation') ?? this.#explanation
        this.#count(objectAt(event, 'usage'))
        return undefined
      }
      case 'message_stop':
        this.#finished = true
        return undefined
      case 'error': {
        const error = objectAt(event, 'error')
        const type = stringAt(error, 'type')
        const complaint = { words: stringAt(error, 'message') ?? type ?? '', ...(type !== undefined && { type }) }
        this.#failure = failureOfComplaint(complaint, this.#endpoint, Date.now())
        return undefined
      }
      default:
        return undefined
    }
  }

  #start(index: number, block: JsonObject): string | undefined {
    const growing = startBlock(block)
    this.#byIndex.set(index, growing)
    this.#blocks.push(growing)
    return growing.type === 'text' && growing.text !== '' ? growing.text : undefined
  }

  #grow(index: number, delta: JsonObject): string | undefined {
    const block = this.#byIndex.get(index)
    if (!block) {
      this.#garbled('a piece of a block that never started')
      return undefined
    }
    const type = stringAt(delta, 'type')
    if (block.type === 'text' && type === 'text_delta') {
      const text = stringAt(delta, 'text') ?? ''
      block.text += text
      return text
    }
    if (block.type === 'call' && type === 'input_json_delta') block.raw += stringAt(delta, 'partial_json') ?? ''
    if (block.type === 'thinking' && type === 'thinking_delta') block.text += stringAt(delta, 'thinking') ?? ''
    if (block.type === 'thinking' && type === 'signature_delta') block.signature += stringAt(delta, 'signature') ?? ''
    return undefined
  }

  #garbled(what: string): void {
    this.#failure = { kind: 'provider.transient', reason: `the answer of ${this.#endpoint.host} is garbled: ${what}` }
  }

  /** Later counts stand for the whole message, so they replace earlier ones. */
  #count(usage: JsonObject | undefined): void {
    this.#usage = {
      input: numberAt(usage, 'input_tokens') ?? this.#usage.input,
      cacheRead: numberAt(usage, 'cache_read_input_tokens') ?? this.#usage.cacheRead,
      cacheWrite: numberAt(usage, 'cache_creation_input_tokens') ?? this.#usage.cacheWrite,
      output: numberAt(usage, 'output_tokens') ?? this.#usage.output,
    }
  }

  #content(cut: boolean): readonly AssistantBlock[] {
    const last = this.#blocks.at(-1)
    return withoutIdleThinking(
      this.#blocks.flatMap((block) => finishBlock(block, cut && block === last, this.#takenIds)),
    )
  }
}
