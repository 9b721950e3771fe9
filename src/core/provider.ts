/** Which wire format a provider speaks. */
export type ProviderApi = 'anthropic-messages' | 'openai-responses' | 'chat-completions' | 'gguf'

/** What can be done with tool schemas in a conversation with a model. */
export interface SchemaSupport {
  /** A definition appended to the history replaces the one of its name, the tool list as it was. */
  readonly appends: boolean
  /** Schemas bind while decoding even where nobody asks for it, so what a list leaves out can't be called at all. */
  readonly binds: boolean
}

/** A provider as settings name it (`provider/model`). Keys are read from the environment or the user's own settings file. */
export interface Provider {
  readonly id: string
  readonly api: ProviderApi
  /** Absent where the address has to be given (`--base-url`), or where there is none. */
  readonly baseUrl?: string
  /** A variable that gives another address, as the provider's own tools use it. */
  readonly baseUrlVariable?: string
  /** Absent for servers that take no key. */
  readonly keyVariable?: string
  readonly keyRequired: boolean
}

const local = (id: string, port: number): Provider => ({
  id,
  api: 'chat-completions',
  baseUrl: `http://127.0.0.1:${port}/v1`,
  keyRequired: false,
})

const hosted = (id: string, baseUrl: string, keyVariable: string): Provider => ({
  id,
  api: 'chat-completions',
  baseUrl,
  keyVariable,
  keyRequired: true,
})

/** Every provider there is; what each can and can't do is known to its adapter in `model/`. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: 'anthropic',
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    keyRequired: true,
  },
  {
    id: 'openai',
    api: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    keyRequired: true,
  },
  local('ollama', 11434),
  local('lmstudio', 1234),
  local('vllm', 8000),
  local('llamacpp', 8080),
  hosted('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  hosted('deepseek', 'https://api.deepseek.com/beta', 'DEEPSEEK_API_KEY'),
  hosted('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  hosted('gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'),
  /** Any other server that speaks Chat Completions, by its address. */
  { id: 'compatible', api: 'chat-completions', keyVariable: 'COMPATIBLE_API_KEY', keyRequired: false },
  /** A model file on this machine, run in process. */
  { id: 'gguf', api: 'gguf', keyRequired: false },
]

/** Anthropic models that came before definitions could be appended. */
const APPENDS_NOT = /^claude-(?:[1-3]\b|instant|(?:opus|sonnet|haiku)-4(?!-[89](?!\d))|(?:sonnet|haiku)-5(?!-[5-9]))/

/** What is known of a model by its `provider/model` name. Read from documentation; a provider that refuses is done without. */
export function schemaSupport(name: string): SchemaSupport {
  const { provider, model = '' } = splitModel(name) ?? {}
  switch (provider?.api) {
    case 'anthropic-messages':
      return { appends: !APPENDS_NOT.test(model), binds: false }
    case 'openai-responses':
      return { appends: true, binds: false }
    case 'gguf':
      return { appends: true, binds: true }
    case 'chat-completions':
    case undefined:
      return { appends: false, binds: provider?.id === 'llamacpp' }
  }
}

/** `provider/model` apart; undefined for a provider that is not known. The model may hold slashes. */
export function splitModel(name: string): { readonly provider: Provider; readonly model: string } | undefined {
  const cut = name.indexOf('/')
  const provider = PROVIDERS.find(({ id }) => id === name.slice(0, cut))
  return provider === undefined ? undefined : { provider, model: name.slice(cut + 1) }
}
