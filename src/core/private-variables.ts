import { PROVIDERS } from './provider.ts'

const KEYS = new Set(PROVIDERS.flatMap(({ keyVariable }) => keyVariable ?? []))

/**
 * The variables that are this program's own affair (the providers' keys, `GOATFIED_*`), each set to undefined: for the
 * environment of the repository's commands, whose code and output come from elsewhere.
 */
export function privateVariables(env: Readonly<Record<string, string | undefined>>): Record<string, undefined> {
  const names = Object.keys(env).filter((name) => KEYS.has(name.toUpperCase()) || /^GOATFIED_/i.test(name))
  return Object.fromEntries(names.map((name) => [name, undefined]))
}
