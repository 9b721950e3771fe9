import type { Failure, ProviderFailure } from '../core/failure.ts'
import { oneLine } from './one-line.ts'
import type { Endpoint } from './provider-failure.ts'

/**
 * The failure that a broken connection stands for, in words that name `host` (host and port) and nothing of the request;
 * undefined when `error` has no sign of a connection in it.
 */
export function networkFailure(error: unknown, host: string): ProviderFailure | undefined {
  const codes = errorChain(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const known = codes.find((code) => words(code, host) !== undefined)
  const code = known ?? codes.at(-1)
  const reason = code === undefined ? undefined : (words(code, host) ?? `the connection to ${host} failed (${code})`)
  return reason === undefined ? undefined : { kind: 'provider.transient', reason }
}

/**
 * What an error stands for that was thrown while a request was sent or its answer read, and that is no answer of the
 * provider's. `fromClient` says that the client library threw it: a stream that ended too early has no other sign.
 */
export function connectionFailure(error: unknown, { host, apiKey }: Endpoint, fromClient: boolean): Failure {
  const network = networkFailure(error, host)
  if (network) return network
  const cause = errorChain(error).at(-1)?.message
  const words = oneLine(cause ?? String(error), apiKey)
  const fromFetch = error instanceof TypeError && /^(?:terminated|fetch failed)$/.test(error.message)
  return fromClient || fromFetch
    ? { kind: 'provider.transient', reason: `the connection to ${host} failed: ${words}` }
    : { kind: 'internal.defect', reason: `unexpected error while talking to ${host}: ${words}` }
}

function words(code: string, host: string): string | undefined {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name of ${host} can't be resolved (${code}): no network, or a wrong base URL?`
    case 'ECONNREFUSED':
      return `${host} refuses the connection (${code}): nothing listens there`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `${host} closed the connection (${code})`
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return `${host} does not answer in time (${code})`
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return `there is no route to ${host} (${code})`
  }
  // A TLS port spoken to without TLS answers in the same way.
  if (/^HPE_|^UND_ERR_HEADERS_OVERFLOW$|^ERR_ASSERTION$|^Z_/.test(code))
    return `${host} answers with what is not HTTP (${code}): is the base URL right, and is it http or https there?`
  if (/^EPROTO$|WRONG_VERSION|PACKET_LENGTH/.test(code))
    return `no trusted TLS connection to ${host} (${code}): does it speak TLS there, or is it http instead of https?`
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER|SIGNATURE/.test(code))
    return `no trusted TLS connection to ${host} (${code}): a proxy's certificate may be missing (NODE_EXTRA_CA_CERTS)`
  return undefined
}

interface MaybeCoded extends Error {
  readonly code?: unknown
  readonly errors?: unknown
}

/** The error and what caused it, outermost first. */
function errorChain(error: unknown, depth = 0): MaybeCoded[] {
  if (!(error instanceof Error) || depth > 8) return []
  const inner = (error as MaybeCoded).errors
  const several = Array.isArray(inner) ? inner : []
  return [error, ...[error.cause, ...several].flatMap((cause) => errorChain(cause, depth + 1))]
}
