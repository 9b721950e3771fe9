import { OpenAI } from 'openai/client'
import { APIError, OpenAIError } from 'openai/core/error'
import { type Failure, failed, success } from '../core/failure.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { ModelRequest } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import { complaintIn, complaintOf } from './body-complaint.ts'
import { checkBaseUrl, keyFailure } from './check-access.ts'
import { connectionFailure } from './network-failure.ts'
import { type Concessions, NO_CONCESSIONS, strictToolNames, toWireRequest, type WireRequest } from './openai-request.ts'
import { ResponseAccumulator } from './openai-stream.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import { restoredCalls } from './restored-calls.ts'
import { streamedAnswer } from './streamed-exchange.ts'
import { callIds } from './unique-call-ids.ts'
import { withoutAbsent } from './without-absent.ts'

export interface OpenAiOptions {
  /** As the provider names it, without `openai/`. */
  readonly model: string
  readonly apiKey: string
  /** With its version, `https://host/v1`. Without it the SDK decides: `OPENAI_BASE_URL`, or else OpenAI's own. */
  readonly baseUrl?: string | undefined
  /** How long the provider may send nothing at all, headers included, in milliseconds. */
  readonly idleMs: number
}

/**
 * A model behind the OpenAI Responses API. Each `answer` is one request, or one more for each thing that the provider turns
 * out not to take: strict schemas, encrypted reasoning. Throws a plain Error for a base URL that is none, and, from
 * `answer`, for a conversation that no provider takes (see `checkConversation`).
 */
export async function createOpenAiModel(options: OpenAiOptions): Promise<Model> {
  if (options.baseUrl !== undefined) checkBaseUrl(options.baseUrl)
  const apiKey = options.apiKey.trim()
  const client = new OpenAI({
    // Without any it looks elsewhere; one that can't be a key is told of before a request.
    apiKey: apiKey === '' ? 'none' : apiKey,
    adminAPIKey: null,
    baseURL: options.baseUrl,
    maxRetries: 0,
    // Silence is watched here, over headers and body alike.
    timeout: 2 ** 31 - 1,
    // Neither the key nor the code in a request goes to an address that nobody gave.
    fetchOptions: { redirect: 'manual' },
    logLevel: 'off',
  })
  const { host } = new URL(client.baseURL)
  const endpoint: Endpoint = { api: 'an OpenAI endpoint', host, model: options.model, apiKey }
  // Results refer to calls by id, over the whole run.
  const takenIds = new Set<string>()
  let without = NO_CONCESSIONS

  const send = (request: ModelRequest, wire: WireRequest, signal: AbortSignal) => {
    for (const id of callIds(request.messages)) takenIds.add(id)
    return streamedAnswer(
      {
        endpoint,
        idleMs: options.idleMs,
        accumulator: new ResponseAccumulator(endpoint, takenIds),
        post: (connection) => client.responses.create(wire, { signal: connection }).asResponse(),
        failureOfError: (error) => failureOfError(error, endpoint),
      },
      signal,
    )
  }

  return {
    id: `openai/${options.model}`,
    async *answer(request, signal) {
      const noKey = keyFailure(apiKey, 'OPENAI_API_KEY')
      if (noKey) return failed(noKey)
      for (;;) {
        const wire = toWireRequest(request, options.model, without)
        const outcome = yield* send(request, wire, signal)
        if (outcome.ok) {
          const strict = new Set(strictToolNames(wire))
          return success(restoredCalls(outcome.value, (name, args) => restore(request, strict, name, args)))
        }
        const conceded = concede(outcome.failure, wire, without)
        if (!conceded) return outcome
        without = conceded
      }
    },
  }
}

function restore(request: ModelRequest, strict: ReadonlySet<string>, name: string, args: JsonObject): JsonObject {
  const tool = strict.has(name) ? request.tools.find((one) => one.name === name) : undefined
  return tool ? withoutAbsent(args, tool.inputSchema) : args
}

/** What to do without so that the request may pass; undefined when nothing of the kind is at fault. */
function concede(failure: Failure, wire: WireRequest, without: Concessions): Concessions | undefined {
  if (failure.kind !== 'provider.rejected' || failure.status !== 400) return undefined
  if (!without.noReasoning && /encrypted[_ ]content/i.test(failure.reason)) return { ...without, noReasoning: true }
  const strict = strictToolNames(wire)
  if (strict.length === 0 || !/strict|grammar|schema/i.test(failure.reason)) return undefined
  return { ...without, neverStrict: new Set([...without.neverStrict, ...strict]) }
}

function failureOfError(error: unknown, endpoint: Endpoint): Failure {
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers, message } = error
    const body = error.error as unknown
    const said = message.replace(/^\d+ /, '')
    const complaint = isJsonObject(body as JsonObject) ? complaintIn({ error: body as JsonObject }) : complaintOf(said)
    return failureOfComplaint({ ...complaint, status, headers }, endpoint, Date.now())
  }
  return connectionFailure(error, endpoint, error instanceof OpenAIError)
}
