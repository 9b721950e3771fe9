import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import type { JsonObject } from '../core/json.ts'
import type { ModelAnswer, ModelRequest } from '../core/message.ts'
import type { Model, ModelEvent } from '../core/ports.ts'
import type { Prompts } from '../core/prompts.ts'
import { PROVIDERS, schemaSupport } from '../core/provider.ts'
import { withShortComplaint } from './answer-body.ts'
import { endpointUrl, parseBaseUrl } from './base-url.ts'
import { complaintOf } from './body-complaint.ts'
import { type ChatConcession, concessionFor } from './chat-concessions.ts'
import { type Enforcement, probeEnforcement } from './chat-probe.ts'
import { callFromText, type FormatReplay, formatReplay } from './chat-replay.ts'
import { strictChatTools, toChatRequest } from './chat-request.ts'
import { withGeminiValues } from './chat-schema.ts'
import { ChatAccumulator } from './chat-stream.ts'
import { chatTraits } from './chat-traits.ts'
import { checkBaseUrl, keyFailure } from './check-access.ts'
import { failedGenerationAnswer } from './failed-generation.ts'
import { connectionFailure } from './network-failure.ts'
import { nodeFetch } from './node-fetch.ts'
import { replayedTool } from './openai-request.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import { restoredCalls } from './restored-calls.ts'
import { streamedAnswer } from './streamed-exchange.ts'
import { callIds } from './unique-call-ids.ts'
import { withoutAbsent } from './without-absent.ts'

export interface ChatOptions {
  /** Its id in `PROVIDERS`; it decides what the server is known to take and to enforce. */
  readonly provider: string
  /** As the provider names it. */
  readonly model: string
  /** Empty for a server that takes none. */
  readonly apiKey: string
  /** With its version, `http://host:port/v1`. */
  readonly baseUrl: string
  /** How long the provider may send nothing at all, headers included, in milliseconds. */
  readonly idleMs: number
  /** Needs `model/*`. */
  readonly prompts: Prompts
}

/** Servers may send the usage a while after the end of the answer. */
const DRAIN_MS = 1000

/**
 * A model behind a server that speaks Chat Completions. Each `answer` is one request, or one more for each thing that the
 * server turns out not to take; the first scoped replay on a server of an unknown kind is preceded by the questions of
 * `probeEnforcement`. Throws a `UserError` for a base URL that is none, and, from `answer`, a plain Error for a conversation that no
 * provider takes (see `checkConversation`).
 */
export async function createChatModel(options: ChatOptions): Promise<Model> {
  const server = new ChatServer(options)
  const id = `${options.provider}/${options.model}`
  return {
    id,
    schemas: schemaSupport(id),
    answer: (request, signal) => server.answer(request, signal),
  }
}

/** What the server holds an answer to; asked for on the way where it is not known of its kind. */
export function chatEnforcement(options: ChatOptions, signal: AbortSignal): Promise<Outcome<Enforcement>> {
  return new ChatServer(options).enforcement(signal)
}

/** The status and body of a response that is no answer. */
class Unsuccessful extends Error {
  constructor(
    readonly response: Response,
    readonly body: string,
  ) {
    super(`status ${response.status}`)
  }
}

/** What came of a request, and all that the server said where it did not take it. */
interface Sent {
  readonly outcome: Outcome<ModelAnswer>
  readonly complaint?: string
}

class ChatServer {
  readonly #options: ChatOptions
  readonly #apiKey: string
  readonly #url: string
  readonly #endpoint: Endpoint
  readonly #traits
  /** Results refer to calls by id, over the whole run. */
  readonly #takenIds = new Set<string>()
  #without = new Set<ChatConcession>()

  constructor(options: ChatOptions) {
    checkBaseUrl(options.baseUrl)
    this.#options = options
    this.#apiKey = options.apiKey.trim()
    const base = parseBaseUrl(options.baseUrl)
    this.#url = endpointUrl(base, '/chat/completions')
    const { model } = options
    this.#endpoint = { api: 'an OpenAI-compatible endpoint', host: base.host, model, apiKey: this.#apiKey }
    this.#traits = chatTraits(options.provider, base.address)
  }

  async *answer(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>> {
    if (!replayedTool(request.tools)) return yield* this.#converse(request, 'tool', signal)
    const enforcement = await this.enforcement(signal)
    if (!enforcement.ok) return enforcement
    return yield* this.#converse(request, enforcement.value === 'response-format' ? 'response-format' : 'tool', signal)
  }

  async enforcement(signal: AbortSignal): Promise<Outcome<Enforcement>> {
    const { replayBy } = this.#traits
    if (replayBy !== 'unknown') return success(replayBy)
    const { model, prompts } = this.#options
    return probeEnforcement(`${model} at ${this.#url}`, prompts, async (request, by, words) => {
      const answering = this.#converse(request, by, signal, words)
      let next = await answering.next()
      while (!next.done) next = await answering.next()
      return next.value
    })
  }

  async *#converse(
    request: ModelRequest,
    by: 'tool' | 'response-format',
    signal: AbortSignal,
    words?: string,
  ): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>> {
    const noKey = this.#keyFailure()
    if (noKey) return failed(noKey)
    const before = new Set(this.#without)
    for (;;) {
      const tool = replayedTool(request.tools)
      const byFormat = by === 'response-format' && tool && !this.#without.has('response-format')
      const replay = byFormat ? formatReplay(request, tool, this.#options.prompts, words) : undefined
      const wire = this.#wireOf(replay?.request ?? request, replay)
      const { outcome, complaint } = yield* this.#send(request, wire, replay, signal)
      if (outcome.ok) return success(this.#restored(outcome.value, request, replay))
      const { failure } = outcome
      const reason = complaint ?? ('reason' in failure ? failure.reason : '')
      const concession = concessionFor(failure, reason, wire, this.#without)
      if (concession) this.#without.add(concession)
      else {
        // What did not help was not what the server meant.
        this.#without = before
        return outcome
      }
    }
  }

  #wireOf(request: ModelRequest, replay: FormatReplay | undefined): JsonObject {
    const dialect = { model: this.#options.model, traits: this.#traits, without: this.#without }
    return toChatRequest(request, dialect, replay?.format)
  }

  async *#send(
    request: ModelRequest,
    wire: JsonObject,
    replay: FormatReplay | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, Sent> {
    for (const id of callIds(request.messages)) this.#takenIds.add(id)
    const tools = request.tools.map(({ name }) => name)
    const asked = { maxOutputTokens: request.maxOutputTokens, tools }
    let unmade: Outcome<ModelAnswer> | undefined
    let said: string | undefined
    const answering = streamedAnswer(
      {
        endpoint: this.#endpoint,
        idleMs: this.#options.idleMs,
        drainMs: DRAIN_MS,
        accumulator: new ChatAccumulator(this.#endpoint, this.#takenIds, asked),
        post: (connection) => this.#post(wire, connection),
        failureOfError: (error) => {
          if (!(error instanceof Unsuccessful)) return connectionFailure(error, this.#endpoint, false)
          const complaint = complaintOf(error.body)
          said = complaint.words
          unmade = failedGenerationAnswer(complaint, tools, this.#options.model, this.#takenIds)
          const { status, headers } = error.response
          return failureOfComplaint({ ...complaint, status, headers }, this.#endpoint, Date.now())
        },
      },
      signal,
    )
    for (;;) {
      const next = await answering.next()
      if (next.done) return { outcome: unmade ?? next.value, ...(said !== undefined && { complaint: said }) }
      // The JSON of a call is no text of the model's for a person to read.
      if (!replay) yield next.value
    }
  }

  async #post(body: JsonObject, signal: AbortSignal): Promise<Response> {
    const response = await nodeFetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': 'goatfied',
        ...(this.#apiKey !== '' && { authorization: `Bearer ${this.#apiKey}` }),
      },
      body: JSON.stringify(body),
      signal,
    })
    if (!response.ok) throw new Unsuccessful(response, await (await withShortComplaint(response)).text())
    return response
  }

  #restored(answer: ModelAnswer, request: ModelRequest, replay: FormatReplay | undefined): ModelAnswer {
    const strict = strictChatTools(request.tools, this.#traits, this.#without)
    const called = replay ? callFromText(answer, replay.format.name, this.#takenIds) : answer
    return restoredCalls(called, (name, args) => {
      const tool = request.tools.find((one) => one.name === name)
      if (!tool) return args
      if (replay?.format.strict || (!replay && strict.has(name))) return withoutAbsent(args, tool.inputSchema)
      return this.#traits.schemas === 'gemini' ? withGeminiValues(args, tool.inputSchema) : args
    })
  }

  #keyFailure(): Failure | undefined {
    const provider = PROVIDERS.find(({ id }) => id === this.#options.provider)
    if (this.#apiKey === '' && !provider?.keyRequired) return undefined
    return keyFailure(this.#apiKey, provider?.keyVariable ?? 'the API key of the server')
  }
}
