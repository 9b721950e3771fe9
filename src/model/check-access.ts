import type { ProviderFailure } from '../core/failure.ts'

/** Throws a plain Error for a base URL that is none. */
export function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error('the base URL is no http or https address; give one like https://host:port')
  if (url.username !== '' || url.password !== '')
    throw new Error('the base URL has a user or password in it, which is not supported; leave it out')
}

/** Why a key can't be one, before it is sent anywhere; `variable` is where it belongs. */
export function keyFailure(apiKey: string, variable: string): ProviderFailure | undefined {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return undefined
  const what = apiKey === '' ? 'there is no API key' : 'the API key has characters that no key has'
  return { kind: 'provider.auth', reason: `${what}: set ${variable}` }
}
