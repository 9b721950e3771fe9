import type { ProviderFailure } from '../core/failure.ts'
import { oneLine } from './one-line.ts'

/** Where a request went, for the words of a failure. */
export interface Endpoint {
  /** Host and port. */
  readonly host: string
  readonly model: string
  /** Never shown, even where the provider repeats it. */
  readonly apiKey: string
}

/** What the provider said about a request that it did not fulfil. `type` is the API's `error.type`. */
export interface ProviderComplaint {
  readonly status?: number
  readonly type?: string
  readonly words: string
  readonly headers?: { get(name: string): string | null }
}

const OVERFLOW =
  /prompt is too long|context (?:limit|window|length)|too many (?:input )?tokens|exceeds? the maximum (?:size|number of tokens)/i
const QUOTA = /credit balance|billing|quota exceeded|spend(?:ing)? limit/i

/** The failure that a complaint with an HTTP status, or an error event inside a stream, stands for. `now` is in ms. */
export function failureOfComplaint(complaint: ProviderComplaint, endpoint: Endpoint, now: number): ProviderFailure {
  const { status, type, headers } = complaint
  const words = oneLine(complaint.words, endpoint.apiKey)
  const at = `${endpoint.host}${status === undefined ? '' : ` answered ${status}`}`
  const said = words === '' ? at : `${at}: ${words}`
  const transient = (what: string): ProviderFailure => ({
    kind: 'provider.transient',
    reason: `${what} (${said})`,
    ...(status !== undefined && { status }),
    ...retryAfter(headers, now),
  })
  if (
    status === 402 ||
    type === 'billing_error' ||
    (status !== 429 && isClientError(status, type) && QUOTA.test(words))
  )
    return { kind: 'provider.quota', reason: `the account has no credit or quota left (${said})` }
  if (status === 413 || (isClientError(status, type) && OVERFLOW.test(words)))
    return { kind: 'provider.context-overflow', reason: `the request is too long for the model (${said})` }
  if (status === 401 || type === 'authentication_error')
    return { kind: 'provider.auth', reason: `the provider does not accept the API key (${said})` }
  if (status === 403 || type === 'permission_error')
    return { kind: 'provider.auth', reason: `the API key may not do this (${said})` }
  if (status === 404 || type === 'not_found_error')
    return rejected(`model "${endpoint.model}" is not known there, or the base URL is wrong (${said})`, status)
  if (status === 429 || type === 'rate_limit_error') return transient('rate limited')
  if (status === 529 || type === 'overloaded_error') return transient('the provider is overloaded')
  if (status === 408 || type === 'timeout_error') return transient('the provider timed out')
  if (status === 409 || type === 'conflict_error') return transient('the provider is busy with a conflicting request')
  if (isClientError(status, type)) return rejected(`the provider rejects the request (${said})`, status)
  return transient('the provider has a fault')
}

/** A fault without a status is the client's only when the API says so; anything else that breaks a stream may pass. */
function isClientError(status: number | undefined, type: string | undefined): boolean {
  return status === undefined ? type === 'invalid_request_error' : status < 500
}

function rejected(reason: string, status: number | undefined): ProviderFailure {
  return { kind: 'provider.rejected', reason, ...(status !== undefined && { status }) }
}

/** `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. What is no time, or past, is left out. */
function retryAfter(headers: ProviderComplaint['headers'], now: number): { readonly retryAfterMs?: number } {
  const inMs = headers?.get('retry-after-ms')
  const after = headers?.get('retry-after')
  const ms = [
    inMs ? Number(inMs) : Number.NaN,
    after ? Number(after) * 1000 : Number.NaN,
    after ? Date.parse(after) - now : Number.NaN,
  ].find((candidate) => Number.isFinite(candidate))
  return ms !== undefined && ms > 0 ? { retryAfterMs: Math.ceil(ms) } : {}
}
