/** How a server differs from Chat Completions as OpenAI has it, in what matters here. */
export interface ChatTraits {
  /**
   * By what a scoped replay is held to its schema while the model answers: the schema of its one tool, or a response
   * format, which binds where tools do not. `unknown` servers are asked once (see `probeEnforcement`).
   */
  readonly replayBy: 'tool' | 'response-format' | 'unknown'
  /** When tools that ask for it are sent with `strict: true`: each such tool, only where all are such, or never. */
  readonly strict: 'each' | 'all' | 'never'
  /** The most exact `tool_choice` that is taken. */
  readonly toolChoice: 'named' | 'required' | 'auto'
  readonly schemas: 'json-schema' | 'gemini'
  /** Which thinking goes back to the server with the history. */
  readonly thinking: 'none' | 'reasoning_content' | 'reasoning_details'
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens'
  /** Whether `parallel_tool_calls` is known there. */
  readonly saysParallel: boolean
  /** Whether a request may ask for its usage by `stream_options`. */
  readonly asksUsage: boolean
  /** Whether a replay asks that only servers which keep to all of the request get it. */
  readonly requiresParameters: boolean
}

const PLAIN: ChatTraits = {
  replayBy: 'unknown',
  strict: 'each',
  toolChoice: 'named',
  schemas: 'json-schema',
  thinking: 'none',
  tokenLimit: 'max_tokens',
  saysParallel: false,
  asksUsage: true,
  requiresParameters: false,
}

/** By the id of the provider. */
const TRAITS: ReadonlyMap<string, ChatTraits> = new Map(
  Object.entries<ChatTraits>({
    // Tools reach the model and bind nothing; `response_format` binds, but not together with tools.
    ollama: { ...PLAIN, replayBy: 'response-format', strict: 'never', toolChoice: 'auto' },
    // A `tool_choice` that is an object is refused, and `required` may come back as text.
    lmstudio: { ...PLAIN, replayBy: 'response-format', strict: 'never', toolChoice: 'required' },
    vllm: { ...PLAIN, replayBy: 'tool', saysParallel: true },
    // The grammar follows the tool's schema by itself.
    llamacpp: { ...PLAIN, replayBy: 'tool', strict: 'never', toolChoice: 'required', saysParallel: true },
    openrouter: {
      ...PLAIN,
      replayBy: 'tool',
      thinking: 'reasoning_details',
      saysParallel: true,
      requiresParameters: true,
    },
    // Knows `strict` only on its beta address, and there only where all tools are strict.
    deepseek: { ...PLAIN, replayBy: 'tool', strict: 'all', thinking: 'reasoning_content' },
    groq: {
      ...PLAIN,
      replayBy: 'response-format',
      strict: 'never',
      tokenLimit: 'max_completion_tokens',
      saysParallel: true,
    },
    gemini: { ...PLAIN, replayBy: 'tool', strict: 'never', toolChoice: 'required', schemas: 'gemini' },
    compatible: PLAIN,
  }),
)

/** The traits of a provider's server at `baseUrl`; those of an unknown server for a provider that has none here. */
export function chatTraits(provider: string, baseUrl: string): ChatTraits {
  const traits = TRAITS.get(provider) ?? PLAIN
  const strictElsewhere = provider === 'deepseek' && !/\/beta\/?$/.test(baseUrl)
  return strictElsewhere ? { ...traits, strict: 'never' } : traits
}
