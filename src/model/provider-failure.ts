import type { ProviderFailure } from '../core/failure.ts'
import { oneLine } from './one-line.ts'

/** Where a request went, for the words of a failure. */
export interface Endpoint {
  /** What is expected there, with its article: `an Anthropic endpoint`. */
  readonly api: string
  /** Host and port. */
  readonly host: string
  readonly model: string
  /** Never shown, even where the provider repeats it. */
  readonly apiKey: string
}

/** What the provider said about a request that it did not fulfil. `type` and `code` are the API's own names for it. */
export interface ProviderComplaint {
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly words: string
  readonly headers?: { get(name: string): string | null }
  /** Where the words themselves, not the headers, say how long to wait, in milliseconds. */
  readonly retryAfterMs?: number
}

const OVERFLOW =
  /prompt is too long|context (?:limit|window|length|size)|too many (?:input )?tokens|maximum (?:model|context) length|exceeds? the (?:maximum|available) (?:size|number of tokens|context)|when context the overflows/i
const QUOTA = /credit balance|billing|quota exceeded|spend(?:ing)? limit/i
const BAD_KEY = /api key not valid|(?:invalid|incorrect) api key/i

const QUOTA_NAMES = ['billing_error', 'insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']
const OVERFLOW_NAMES = ['context_length_exceeded', 'exceed_context_size_error']
const REFUSAL_NAMES = ['content_filter', 'content_policy_violation', 'invalid_prompt', 'bio_policy']
const OVERLOAD_NAMES = ['overloaded_error', 'server_is_overloaded', 'slow_down']

/** The failure that a complaint with an HTTP status, or an error event inside a stream, stands for. `now` is in ms. */
export function failureOfComplaint(complaint: ProviderComplaint, endpoint: Endpoint, now: number): ProviderFailure {
  const { status, type, code } = complaint
  const words = oneLine(complaint.words, endpoint.apiKey)
  const at = `${endpoint.host}${status === undefined ? '' : ` answered ${status}`}`
  const said = words === '' ? at : `${at}: ${words}`
  const named = (...names: readonly string[]) => names.some((name) => name === type || name === code)
  const client = status === undefined ? named('invalid_request_error') : status < 500
  const transient = (what: string): ProviderFailure => ({
    kind: 'provider.transient',
    reason: `${what} (${said})`,
    ...(status !== undefined && { status }),
    ...retryAfter(complaint, now),
  })
  if (status !== undefined && status >= 300 && status < 400)
    return rejected(`${redirection(complaint, endpoint)} (${said})`, status)
  if (status === 402 || named(...QUOTA_NAMES) || (status !== 429 && client && QUOTA.test(words)))
    return { kind: 'provider.quota', reason: `the account has no credit or quota left (${said})` }
  // Some servers answer with 500 to a request that is too long for them; only a limit of tokens in time is another thing.
  if (status === 413 || named(...OVERFLOW_NAMES) || (status !== 429 && OVERFLOW.test(words)))
    return { kind: 'provider.context-overflow', reason: `the request is too long for the model (${said})` }
  if (status === 401 || named('authentication_error', 'invalid_api_key') || (client && BAD_KEY.test(words)))
    return { kind: 'provider.auth', reason: `the provider does not accept the API key (${said})` }
  if (named(...REFUSAL_NAMES)) return { kind: 'provider.refused', reason: words === '' ? said : words }
  if (status === 403 || named('permission_error'))
    return { kind: 'provider.auth', reason: `the API key may not do this (${said})` }
  if (status === 404 || named('not_found_error', 'model_not_found') || /unexpected endpoint/i.test(words))
    return rejected(`model "${endpoint.model}" is not known there, or the base URL is wrong (${said})`, status)
  if (status === 429 || named('rate_limit_error', 'rate_limit_exceeded')) return transient('rate limited')
  if (status === 529 || status === 498 || named(...OVERLOAD_NAMES)) return transient('the provider is overloaded')
  if (status === 408 || named('timeout_error')) return transient('the provider timed out')
  if (status === 409 || named('conflict_error')) return transient('the provider is busy with a conflicting request')
  // A fault without a status is the client's only when the API says so; anything else that breaks a stream may pass.
  if (client) return rejected(`the provider rejects the request (${said})`, status)
  return transient('the provider has a fault')
}

function redirection({ headers }: ProviderComplaint, { host, apiKey }: Endpoint): string {
  const target = headers?.get('location') ?? ''
  const base = `http://${host}`
  // Without what may be a secret in it.
  const { origin, pathname } =
    target !== '' && URL.canParse(target, base) ? new URL(target, base) : { origin: '', pathname: '' }
  const where = origin === '' ? 'elsewhere' : `to ${oneLine(`${origin}${pathname}`, apiKey)}`
  return `it redirects ${where}, where nothing is sent unless the base URL says so`
}

function rejected(reason: string, status: number | undefined): ProviderFailure {
  return { kind: 'provider.rejected', reason, ...(status !== undefined && { status }) }
}

/** `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. What is no time, or past, is left out. */
function retryAfter({ headers, retryAfterMs }: ProviderComplaint, now: number): { readonly retryAfterMs?: number } {
  const inMs = headers?.get('retry-after-ms')
  const after = headers?.get('retry-after')
  const ms = [
    inMs ? Number(inMs) : Number.NaN,
    after ? Number(after) * 1000 : Number.NaN,
    after ? Date.parse(after) - now : Number.NaN,
    retryAfterMs ?? Number.NaN,
  ].find((candidate) => Number.isFinite(candidate) && candidate > 0)
  return ms !== undefined ? { retryAfterMs: Math.ceil(ms) } : {}
}
