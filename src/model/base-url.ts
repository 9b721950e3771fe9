/** A base URL as the paths of an API are put to it. */
export interface BaseUrl {
  /** Host and port. */
  readonly host: string
  /** Without a slash in the end and without query. */
  readonly address: string
  /** What the base URL has for a query goes with every request (`api-version` of Azure). */
  readonly query: Readonly<Record<string, string>>
}

/** Takes apart a base URL that `checkBaseUrl` lets through; one that has the path of an endpoint already is taken without. */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const { host, origin, pathname, searchParams } = new URL(baseUrl)
  const path = pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses)$/, '')
  return { host, address: `${origin}${path.replace(/\/+$/, '')}`, query: Object.fromEntries(searchParams) }
}

/** The address of an endpoint, whose path starts with a slash. */
export function endpointUrl({ address, query }: BaseUrl, path: string): string {
  const search = new URLSearchParams(query).toString()
  return `${address}${path}${search === '' ? '' : `?${search}`}`
}
