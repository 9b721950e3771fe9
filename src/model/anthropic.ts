import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { AnthropicError, APIError } from '@anthropic-ai/sdk/core/error'
import { type Failure, failed } from '../core/failure.ts'
import type { ModelRequest } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import { schemaSupport } from '../core/provider.ts'
import { boundedFetch } from './answer-body.ts'
import {
  appendsDefinitions,
  type Concessions,
  INLINE_TOOLS_BETA,
  NO_CONCESSIONS,
  strictToolNames,
  toWireRequest,
  type WireRequest,
} from './anthropic-request.ts'
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

/** What the SDK's own beta resource adds to a request, which would load the whole of it. */
const INLINE_TOOLS = { headers: { 'anthropic-beta': INLINE_TOOLS_BETA }, query: { beta: 'true' } } as const

/**
 * A model behind the Anthropic Messages API, or a server that speaks it. Each `answer` is one request, or one more for
 * each thing that the provider turns out not to take: strict schemas, definitions within a conversation. Throws a plain
 * Error for a base URL that is none, and, from `answer`, for a conversation that no provider takes (see
 * `checkConversation`).
 */
export async function createAnthropicModel(options: AnthropicOptions): Promise<Model> {
  if (options.baseUrl !== undefined) checkBaseUrl(options.baseUrl)
  const apiKey = options.apiKey.trim()
  // Not the package's own `Anthropic`, which has every resource of the API in it and takes three times as long to load.
  const client = new BaseAnthropic({
    apiKey,
    baseURL: options.baseUrl,
    maxRetries: 0,
    fetch: boundedFetch,
    // Silence is watched here, over headers and body alike.
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    openTelemetry: false,
  })
  const { host } = new URL(client.baseURL)
  const endpoint: Endpoint = { api: 'an Anthropic endpoint', host, model: options.model, apiKey }
  // Results refer to calls by id, over the whole run.
  const takenIds = new Set<string>()
  const send = (request: ModelRequest, wire: WireRequest, signal: AbortSignal) => {
    for (const id of callIds(request.messages)) takenIds.add(id)
    const beta = appendsDefinitions(wire) ? INLINE_TOOLS : {}
    return streamedAnswer(
      {
        endpoint,
        idleMs: options.idleMs,
        accumulator: new AnswerAccumulator(endpoint, takenIds),
        // Not by the package's `Messages`, which brings helpers of ten times its size.
        post: (connection) =>
          client.post('/v1/messages', { body: wire, stream: true, signal: connection, ...beta }).asResponse(),
        failureOfError: (error) => failureOfError(error, endpoint),
      },
      signal,
    )
  }
  const schemas = schemaSupport(`anthropic/${options.model}`)
  let without: Concessions = { ...NO_CONCESSIONS, noDefinitions: !schemas.appends }

  return {
    id: `anthropic/${options.model}`,
    schemas,
    async *answer(request, signal) {
      const noKey = keyFailure(apiKey, 'ANTHROPIC_API_KEY')
      if (noKey) return failed(noKey)
      for (;;) {
        const wire = toWireRequest(request, options.model, without)
        const outcome = yield* send(request, wire, signal)
        const conceded = outcome.ok ? undefined : concede(outcome.failure, wire, without)
        if (!conceded) return outcome
        without = conceded
      }
    },
  }
}

/** Words of complaints about a definition within a conversation: itself, the beta, or the role of the message it stands in. */
const ABOUT_DEFINITIONS =
  /tool_addition|tool_definition|tool_name_conflict|inline[- _]tools?|\bbeta\b|\brole\b|system|unexpected|extra inputs/i

/** What to do without so that the request may pass; undefined when nothing of the kind is at fault. */
function concede(failure: Failure, wire: WireRequest, without: Concessions): Concessions | undefined {
  if (failure.kind !== 'provider.rejected' || failure.status !== 400) return undefined
  const strict = strictToolNames(wire)
  if (strict.length > 0 && /strict|grammar|schema/i.test(failure.reason))
    return { ...without, neverStrict: new Set([...without.neverStrict, ...strict]) }
  if (appendsDefinitions(wire) && ABOUT_DEFINITIONS.test(failure.reason)) return { ...without, noDefinitions: true }
  return undefined
}

function failureOfError(error: unknown, endpoint: Endpoint): Failure {
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers, type, apiMessage, message } = error
    const words = apiMessage ?? message.replace(/^\d+ /, '')
    return failureOfComplaint({ status, headers, words, ...(type && { type }) }, endpoint, Date.now())
  }
  return connectionFailure(error, endpoint, error instanceof AnthropicError)
}
