import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { AnthropicError, APIError } from '@anthropic-ai/sdk/core/error'
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages'
import { type Failure, failed } from '../core/failure.ts'
import type { ModelRequest } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import { strictToolNames, toWireRequest, type WireRequest } from './anthropic-request.ts'
import { AnswerAccumulator } from './anthropic-stream.ts'
import { checkBaseUrl, keyFailure } from './check-access.ts'
import { connectionFailure } from './network-failure.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import { streamedAnswer } from './streamed-exchange.ts'
import { callIds } from './unique-call-ids.ts'

export interface AnthropicOptions {
  /** As the provider names it, without `anthropic/`. */
  readonly model: string
  readonly apiKey: string
  /** Without it the SDK decides: `ANTHROPIC_BASE_URL`, or else Anthropic's own. */
  readonly baseUrl?: string
  /** How long the provider may send nothing at all, headers included, in milliseconds. */
  readonly idleMs: number
}

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
    // Neither the key nor the code in a request goes to an address that nobody gave.
    fetchOptions: { redirect: 'manual' },
    logLevel: 'off',
    openTelemetry: false,
  })
  const { host } = new URL(client.baseURL)
  const endpoint: Endpoint = { api: 'an Anthropic endpoint', host, model: options.model, apiKey }
  const messages = new Messages(client)
  // Results refer to calls by id, over the whole run.
  const takenIds = new Set<string>()
  const send = (request: ModelRequest, wire: WireRequest, signal: AbortSignal) => {
    for (const id of callIds(request.messages)) takenIds.add(id)
    return streamedAnswer(
      {
        endpoint,
        idleMs: options.idleMs,
        accumulator: new AnswerAccumulator(endpoint, takenIds),
        post: (connection) => messages.create(wire, { signal: connection }).asResponse(),
        failureOfError: (error) => failureOfError(error, endpoint),
      },
      signal,
    )
  }
  const strictRejected = new Set<string>()

  return {
    id: `anthropic/${options.model}`,
    async *answer(request, signal) {
      const noKey = keyFailure(apiKey, 'ANTHROPIC_API_KEY')
      if (noKey) return failed(noKey)
      const wire = toWireRequest(request, options.model, strictRejected)
      const outcome = yield* send(request, wire, signal)
      const strict = strictToolNames(wire)
      if (outcome.ok || strict.length === 0 || !rejectsStrict(outcome.failure)) return outcome
      for (const name of strict) strictRejected.add(name)
      return yield* send(request, toWireRequest(request, options.model, strictRejected), signal)
    },
  }
}

function rejectsStrict(failure: Failure): boolean {
  return failure.kind === 'provider.rejected' && failure.status === 400 && /strict|grammar|schema/i.test(failure.reason)
}

function failureOfError(error: unknown, endpoint: Endpoint): Failure {
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers, type, apiMessage, message } = error
    const words = apiMessage ?? message.replace(/^\d+ /, '')
    return failureOfComplaint({ status, headers, words, ...(type && { type }) }, endpoint, Date.now())
  }
  return connectionFailure(error, endpoint, error instanceof AnthropicError)
}
