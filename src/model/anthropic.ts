import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { AnthropicError, APIError } from '@anthropic-ai/sdk/core/error'
import { Stream } from '@anthropic-ai/sdk/core/streaming'
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages'
import { type Failure, failed, type Outcome } from '../core/failure.ts'
import type { ModelAnswer, ModelRequest } from '../core/message.ts'
import type { Model, ModelEvent } from '../core/ports.ts'
import { abortFailure } from './aborted.ts'
import { type Endpoint, failureOfComplaint } from './anthropic-failure.ts'
import { strictToolNames, toWireRequest, type WireRequest } from './anthropic-request.ts'
import { AnswerAccumulator } from './anthropic-stream.ts'
import { networkFailure } from './network-failure.ts'
import { oneLine } from './one-line.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { callIds } from './unique-call-ids.ts'
import { unstreamedFailure } from './unstreamed-failure.ts'

export interface AnthropicOptions {
  /** As the provider names it, without `anthropic/`. */
  readonly model: string
  readonly apiKey: string
  /** Without it the SDK decides: `ANTHROPIC_BASE_URL`, or else Anthropic's own. */
  readonly baseUrl?: string
  /** How long the provider may send nothing at all, headers included, in milliseconds. */
  readonly idleMs: number
}

/** After its last event a stream gets this long to end by itself, so that its connection can be used again. */
const DRAIN_MS = 250

/**
 * A model behind the Anthropic Messages API, or a server that speaks it. Each `answer` is one request, or two where the
 * provider rejects a strict schema: the second goes without. Throws a plain Error for a base URL that is none, and, from
 * `answer`, for a conversation that no provider takes (see `checkConversation`).
 */
export async function createAnthropicModel(options: AnthropicOptions): Promise<Model> {
  if (options.baseUrl !== undefined) checkBaseUrl(options.baseUrl)
  const apiKey = options.apiKey.trim()
  // Not the package's own `Anthropic`, which has every resource of the API in it and takes three times as long to load.
  const client = new BaseAnthropic({
    apiKey,
    baseURL: options.baseUrl,
    maxRetries: 0,
    // Silence is watched here, over headers and body alike.
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    openTelemetry: false,
  })
  const endpoint: Endpoint = { host: new URL(client.baseURL).host, model: options.model, apiKey }
  const exchange = { messages: new Messages(client), endpoint, idleMs: options.idleMs, takenIds: new Set<string>() }
  const strictRejected = new Set<string>()

  return {
    id: `anthropic/${options.model}`,
    async *answer(request, signal) {
      if (!/^[\x21-\x7e]+$/.test(apiKey)) {
        const what = apiKey === '' ? 'there is no API key' : 'the API key has characters that no key has'
        return failed({ kind: 'provider.auth', reason: `${what}: set ANTHROPIC_API_KEY` })
      }
      const wire = toWireRequest(request, options.model, strictRejected)
      const outcome = yield* send(exchange, request, wire, signal)
      const strict = strictToolNames(wire)
      if (outcome.ok || strict.length === 0 || !rejectsStrict(outcome.failure)) return outcome
      for (const name of strict) strictRejected.add(name)
      return yield* send(exchange, request, toWireRequest(request, options.model, strictRejected), signal)
    },
  }
}

function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error('the base URL is no http or https address; give one like https://host:port')
  if (url.username !== '' || url.password !== '')
    throw new Error('the base URL has a user or password in it, which is not supported; leave it out')
}

function rejectsStrict(failure: Failure): boolean {
  return failure.kind === 'provider.rejected' && failure.status === 400 && /strict|grammar|schema/i.test(failure.reason)
}

interface Exchange {
  readonly messages: Messages
  readonly endpoint: Endpoint
  readonly idleMs: number
  /** Call ids of earlier answers; results refer to calls by id, over the whole run. */
  readonly takenIds: Set<string>
}

async function* send(
  { messages, endpoint, idleMs, takenIds }: Exchange,
  request: ModelRequest,
  wire: WireRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>> {
  if (signal.aborted) return failed(abortFailure(signal))
  const connection = new AbortController()
  const abort = () => connection.abort()
  signal.addEventListener('abort', abort, { once: true })
  let silent = false
  const watch = createSilenceWatch(() => {
    silent = true
    connection.abort()
  })
  for (const id of callIds(request.messages)) takenIds.add(id)
  const accumulator = new AnswerAccumulator(endpoint, takenIds)
  try {
    watch.wait(idleMs)
    const response = await messages.create(wire, { signal: connection.signal }).asResponse()
    const unstreamed = await unstreamedFailure(response, endpoint)
    if (unstreamed) return failed(unstreamed)
    const events = Stream.rawEvents(tapped(response, watch.touch), connection)
    for (;;) {
      watch.wait(accumulator.settled ? DRAIN_MS : idleMs)
      const next = await events.next()
      watch.stop()
      if (next.done) break
      const text = accumulator.take(next.value.event, next.value.data)
      if (text) yield { type: 'text', text }
    }
  } catch (error) {
    if (signal.aborted) return failed(abortFailure(signal))
    if (!accumulator.settled) {
      if (!silent) return failed(failureOfError(error, endpoint))
      const reason = `${endpoint.host} sent nothing for ${idleMs / 1000} s`
      return failed({ kind: 'provider.transient', reason })
    }
  } finally {
    watch.stop()
    signal.removeEventListener('abort', abort)
    connection.abort()
  }
  return accumulator.answer()
}

/** The response, with a callback for each chunk that arrives: comments and pings are signs of life too. */
function tapped(response: Response, onChunk: () => void): Response {
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onChunk()
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(tap))
}

function failureOfError(error: unknown, endpoint: Endpoint): Failure {
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers, type, apiMessage, message } = error
    const words = apiMessage ?? message.replace(/^\d+ /, '')
    return failureOfComplaint({ status, headers, words, ...(type && { type }) }, endpoint, Date.now())
  }
  const network = networkFailure(error, endpoint.host)
  if (network) return network
  const words = oneLine(error instanceof Error ? error.message : String(error), endpoint.apiKey)
  return error instanceof AnthropicError || (error instanceof TypeError && error.message === 'terminated')
    ? { kind: 'provider.transient', reason: `the connection to ${endpoint.host} failed: ${words}` }
    : { kind: 'internal.defect', reason: `unexpected error while talking to ${endpoint.host}: ${words}` }
}
