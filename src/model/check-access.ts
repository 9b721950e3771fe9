import type { ProviderFailure } from '../core/failure.ts'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'

/** Throws a `UserError` for a base URL that is none, or has a password in it. */
export function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw wrong('the base URL is no http or https address; give one like https://host:port')
  if (url.username !== '' || url.password !== '')
    throw wrong('the base URL has a user or password in it, which is not supported; leave it out')
}

function wrong(message: string): UserError {
  return new UserError(message, EXIT.configuration)
}

/** Why a key can't be one, before it is sent anywhere; `variable` is where it belongs. */
export function keyFailure(apiKey: string, variable: string): ProviderFailure | undefined {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return undefined
  const what = apiKey === '' ? 'there is no API key' : 'the API key has characters that no key has'
  return { kind: 'provider.auth', reason: `${what}: set ${variable}` }
}
