import { OpenAI } from 'openai/client'
import { APIError, OpenAIError } from 'openai/core/error'
import { type Failure, failed, success } from '../core/failure.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { ModelRequest } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import { schemaSupport } from '../core/provider.ts'
import { withoutAlias } from '../lib/tool-alias.ts'
import { boundedFetch } from './answer-body.ts'
import { parseBaseUrl } from './base-url.ts'
import { complaintIn, complaintOf } from './body-complaint.ts'
import { checkBaseUrl, keyFailure } from './check-access.ts'
import { connectionFailure } from './network-failure.ts'
import { meantAnswer } from './openai-aliases.ts'
import {
  aliasesIn,
  type Concessions,
  NO_CONCESSIONS,
  strictToolNames,
  toWireRequest,
  type WireRequest,
} from './openai-request.ts'
import { ResponseAccumulator } from './openai-stream.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import { streamedAnswer } from './streamed-exchange.ts'
import { callIds } from './unique-call-ids.ts'

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
 * out not to take: strict schemas, encrypted reasoning, definitions within a conversation. Throws a `UserError` for a base
 * URL that is none, and, from `answer`, a plain Error for a conversation that no provider takes (see `checkConversation`).
 */
export async function createOpenAiModel(options: OpenAiOptions): Promise<Model> {
  if (options.baseUrl !== undefined) checkBaseUrl(options.baseUrl)
  const apiKey = options.apiKey.trim()
  const base = options.baseUrl === undefined ? undefined : parseBaseUrl(options.baseUrl)
  const client = new OpenAI({
    // Without any it looks elsewhere; one that can't be a key is told of before a request.
    apiKey: apiKey === '' ? 'none' : apiKey,
    adminAPIKey: null,
    baseURL: base?.address,
    ...(base && { defaultQuery: base.query }),
    fetch: boundedFetch,
    maxRetries: 0,
    // Silence is watched here, over headers and body alike.
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
  })
  const { host } = new URL(client.baseURL)
  const endpoint: Endpoint = { api: 'an OpenAI endpoint', host, model: options.model, apiKey }
  // Results refer to calls by id, over the whole run.
  const takenIds = new Set<string>()
  // A call goes back under the alias by which it was made.
  const madeAs = new Map<string, string>()
  let without = NO_CONCESSIONS

  const send = (request: ModelRequest, wire: WireRequest, signal: AbortSignal) => {
    for (const id of callIds(request.messages)) takenIds.add(id)
    return streamedAnswer(
      {
        endpoint,
        idleMs: options.idleMs,
        accumulator: new ResponseAccumulator(endpoint, takenIds, request.maxOutputTokens),
        post: (connection) => client.responses.create(wire, { signal: connection }).asResponse(),
        failureOfError: (error) => failureOfError(error, endpoint),
      },
      signal,
    )
  }

  return {
    id: `openai/${options.model}`,
    schemas: schemaSupport(`openai/${options.model}`),
    async *answer(request, signal) {
      const noKey = keyFailure(apiKey, 'OPENAI_API_KEY')
      if (noKey) return failed(noKey)
      for (;;) {
        const wire = toWireRequest(request, options.model, without, madeAs)
        const aliases = aliasesIn(request, without)
        const outcome = yield* send(request, wire, signal)
        if (outcome.ok)
          return success(meantAnswer(outcome.value, request, aliases, new Set(strictToolNames(wire)), madeAs))
        const conceded = concede(outcome.failure, wire, without)
        if (!conceded) return outcome
        without = conceded
      }
    },
  }
}

/** Words of complaints about a definition within a conversation, the item that has it, or the choice that goes with it. */
const ABOUT_ALIASES = /additional[ _]tools|allowed[ _]tools|tool[ _]choice|developer|input\[\d+\]|__g\d/i

/** What to do without so that the request may pass; undefined when nothing of the kind is at fault. */
function concede(failure: Failure, wire: WireRequest, without: Concessions): Concessions | undefined {
  if (failure.kind !== 'provider.rejected' || failure.status !== 400) return undefined
  if (!without.noReasoning && /encrypted[_ ]content/i.test(failure.reason)) return { ...without, noReasoning: true }
  const strict = strictToolNames(wire).map(withoutAlias)
  if (strict.length > 0 && /strict|grammar|schema/i.test(failure.reason))
    return { ...without, neverStrict: new Set([...without.neverStrict, ...strict]) }
  if (declaresAliases(wire) && ABOUT_ALIASES.test(failure.reason)) return { ...without, noAliases: true }
  return undefined
}

function declaresAliases({ input }: WireRequest): boolean {
  return Array.isArray(input) && input.some(({ type }) => type === 'additional_tools')
}

function failureOfError(error: unknown, endpoint: Endpoint): Failure {
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers, message } = error
    const body = error.error as unknown
    const said = message.replace(/^(?:\d+ )?(?:status code \(no body\)$)?/, '')
    const complaint = isJsonObject(body as JsonObject) ? complaintIn({ error: body as JsonObject }) : complaintOf(said)
    return failureOfComplaint({ ...complaint, status, headers }, endpoint, Date.now())
  }
  return connectionFailure(error, endpoint, error instanceof OpenAIError)
}
