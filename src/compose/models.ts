import { type LoadedSettings, userSettingsPath } from '../config/load.ts'
import type { Settings } from '../config/schema.ts'
import type { Prices } from '../core/cost.ts'
import { EXIT } from '../core/outcome.ts'
import type { Model, Ports } from '../core/ports.ts'
import type { Prompts } from '../core/prompts.ts'
import { type Provider, splitModel } from '../core/provider.ts'
import { UserError } from '../core/user-error.ts'
import { DEFAULT_RETRY, retrying } from '../model/retrying.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How the providers in use are reached. */
export interface Access {
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** The keys in use: they must not get into any log. */
  readonly secrets: readonly string[]
}

/** For a run that reaches no provider. */
export const NO_ACCESS: Access = { endpoints: new Map(), secrets: [] }

interface Endpoint {
  readonly provider: Provider
  readonly baseUrl: string | undefined
  readonly apiKey: string
}

/** The models that the roles name; roles left out share the main one. */
export function modelNames({
  model,
  models,
}: Settings): Readonly<Record<'plan' | 'edit' | 'repair', string>> & { readonly escalate?: string } {
  const edit = models.edit ?? model
  const escalate = models.escalate === undefined ? {} : { escalate: models.escalate }
  return { plan: models.plan ?? model, edit, repair: models.repair ?? edit, ...escalate }
}

/** Addresses and keys of the providers that the settings name. Throws a `UserError` for what is missing or wrong. */
export function accessOf({ settings, apiKeys, sources }: LoadedSettings, env: Environment): Access {
  const endpoints = new Map<string, Endpoint>()
  const main = splitModel(settings.model)?.provider.id
  for (const name of Object.values(modelNames(settings))) {
    const provider = splitModel(name)?.provider
    if (provider === undefined || endpoints.has(provider.id)) continue
    // An address that is given is that of the main model's provider: no other provider's key may go there.
    const given = provider.id === main ? settings.baseUrl : undefined
    const outranks = /^(--|GOATFIED_)/.test(sources.baseUrl ?? '')
    const apiKey = apiKeys[provider.id]
    const baseUrl = (outranks ? given : undefined) ?? addressOf(provider, name, env, given)
    if (provider.keyRequired && apiKey === undefined) throw noKey(provider, name, env)
    endpoints.set(provider.id, { provider, baseUrl, apiKey: apiKey ?? '' })
  }
  return {
    endpoints,
    secrets: [...endpoints.values()].flatMap(({ apiKey, baseUrl }) => [
      ...(apiKey === '' ? [] : [apiKey]),
      ...secretsIn(baseUrl),
    ]),
  }
}

/** Some servers take their key in the query of their address. */
function secretsIn(baseUrl: string | undefined): readonly string[] {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return []
  const named = /key|token|secret|sig|code|auth|pass/i
  return [...new URL(baseUrl).searchParams].flatMap(([name, value]) => (named.test(name) ? [value] : []))
}

/** The environment's address, then the user's file's, then the provider's own. */
function addressOf(provider: Provider, name: string, env: Environment, given: string | undefined): string | undefined {
  const variable = provider.baseUrlVariable
  const fromEnvironment = variable === undefined ? undefined : env[variable]
  if (fromEnvironment) {
    if (/^https?:\/\/\S+$/.test(fromEnvironment) && URL.canParse(fromEnvironment)) return fromEnvironment
    throw new UserError(
      `${variable} is "${fromEnvironment}"; expected an address that starts with http:// or https://.`,
      EXIT.configuration,
    )
  }
  const address = given ?? provider.baseUrl
  if (address === undefined && provider.api !== 'gguf') {
    throw new UserError(`${name} needs the address of its server: give it with --base-url.`, EXIT.configuration)
  }
  return address
}

function noKey({ id, keyVariable }: Provider, name: string, env: Environment): UserError {
  const file = userSettingsPath(env, env.HOME) ?? 'your settings file'
  const text = `No API key for ${name}: set the environment variable ${keyVariable}, or "apiKeys": { "${id}": "..." } in ${file}.`
  return new UserError(text, EXIT.credentials)
}

/** A budget can be held only where every model's price is known. Throws a `UserError` otherwise. */
export function requirePrices(settings: Settings, prices: Prices): void {
  const unknown = Object.values(modelNames(settings)).find((name) => prices[name] === undefined)
  if (unknown === undefined) return
  const known = Object.keys(prices).join(', ')
  throw new UserError(
    `--max-budget-usd: no price is known for ${unknown} (known: ${known}). Limit the run by --max-turns or --timeout.`,
    EXIT.configuration,
  )
}

/** One model a role; roles that name the same share it. Only the SDKs in use are loaded, here and not before. */
export async function openModels(
  settings: Settings,
  { endpoints }: Access,
  prompts: Prompts,
): Promise<Ports['models']> {
  const made = new Map<string, Promise<Model>>()
  const open = (name: string): Promise<Model> => {
    const known = made.get(name)
    if (known !== undefined) return known
    const { provider, model } = splitModel(name) ?? {}
    const endpoint = endpoints.get(provider?.id ?? '')
    if (endpoint === undefined || model === undefined) throw new Error(`no provider for ${name}`)
    const tries = settings.limits.transientTries
    const opening = openModel(endpoint, model, settings, prompts).then((one) =>
      retrying(one, { ...DEFAULT_RETRY, tries }),
    )
    made.set(name, opening)
    return opening
  }
  const names = modelNames(settings)
  const [plan, edit, repair] = await Promise.all([open(names.plan), open(names.edit), open(names.repair)])
  return names.escalate === undefined
    ? { plan, edit, repair }
    : { plan, edit, repair, escalate: await open(names.escalate) }
}

async function openModel(
  { provider, baseUrl, apiKey }: Endpoint,
  model: string,
  settings: Settings,
  prompts: Prompts,
): Promise<Model> {
  const options = { model, apiKey, idleMs: settings.timeouts.idle }
  switch (provider.api) {
    case 'anthropic-messages':
      return (await import('../model/anthropic.ts')).createAnthropicModel({ ...options, baseUrl })
    case 'openai-responses':
      return (await import('../model/openai-responses.ts')).createOpenAiModel({ ...options, baseUrl })
    case 'chat-completions': {
      if (baseUrl === undefined) throw new Error(`${provider.id} has no address`)
      const { createChatModel } = await import('../model/chat-completions.ts')
      return createChatModel({ ...options, provider: provider.id, baseUrl, prompts })
    }
    case 'gguf':
      return (await import('../model/gguf.ts')).createGgufModel({ path: model, prompts })
  }
}
