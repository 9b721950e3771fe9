import type { Failure } from '../core/failure.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'

/** What a server turned out not to take, and what is done without from then on. */
export type ChatConcession =
  | 'usage'
  | 'parallel'
  | 'response-format'
  | 'named-choice'
  | 'tool-choice'
  | 'token-limit'
  | 'system-role'
  | 'system-message'
  | 'all-parameters'
  | 'strict'

interface Rule {
  readonly concession: ChatConcession
  /** How a server speaks of what it does not take. */
  readonly words: RegExp
  /** Whether the request has it. */
  readonly has: (request: JsonObject) => boolean
}

const ROLE = /(?:system|developer).*\brole\b|\brole\b.*(?:system|developer)|system (?:message|prompt)/i

/** In the order in which they are tried: the more exact words first. */
const RULES: readonly Rule[] = [
  { concession: 'usage', words: /stream_options|include_usage/i, has: (r) => r.stream_options !== undefined },
  { concession: 'parallel', words: /parallel_tool_calls/i, has: (r) => r.parallel_tool_calls !== undefined },
  {
    concession: 'response-format',
    words: /response.?format|json.?schema|grammar|schema/i,
    has: (r) => r.response_format !== undefined,
  },
  { concession: 'named-choice', words: /tool.?choice/i, has: (r) => typeof r.tool_choice === 'object' },
  { concession: 'tool-choice', words: /tool.?choice/i, has: (r) => r.tool_choice !== undefined },
  {
    concession: 'token-limit',
    words: /max_(?:completion_)?tokens.*(?:unsupported|not supported|unknown|extra|instead)/i,
    has: () => true,
  },
  {
    concession: 'token-limit',
    words: /(?:unsupported|unknown|unrecognized|extra).*max_(?:completion_)?tokens/i,
    has: () => true,
  },
  { concession: 'system-role', words: ROLE, has: (r) => speaksAs(r, 'system') },
  { concession: 'system-message', words: ROLE, has: (r) => speaksAs(r, 'developer') },
  { concession: 'all-parameters', words: /parameters|endpoints/i, has: (r) => r.provider !== undefined },
  { concession: 'strict', words: /strict|grammar|schema/i, has: hasStrictTool },
]

function hasStrictTool({ tools }: JsonObject): boolean {
  const offered = Array.isArray(tools) ? (tools as readonly JsonObject[]) : []
  return offered.some((tool) => isJsonObject(tool.function) && tool.function.strict === true)
}

function speaksAs({ messages }: JsonObject, role: string): boolean {
  const [first] = Array.isArray(messages) ? (messages as readonly JsonObject[]) : []
  return first?.role === role
}

/**
 * Statuses of a request that the server does not take as it is. A router that has no server for it says 404, and a fault of
 * the model's own template is one of the server's for some.
 */
const STATUSES: readonly (number | undefined)[] = [400, 404, 422, 500, 501]

/**
 * What a request should do without so that it may pass; undefined when nothing of the kind is at fault. `words` is all that
 * the server said, of which `failure` may have only the beginning.
 */
export function concessionFor(
  failure: Failure,
  words: string,
  request: JsonObject,
  without: ReadonlySet<ChatConcession>,
): ChatConcession | undefined {
  if (failure.kind !== 'provider.rejected' && failure.kind !== 'provider.transient') return undefined
  if (!STATUSES.includes(failure.status)) return undefined
  return RULES.find((rule) => !without.has(rule.concession) && rule.words.test(words) && rule.has(request))?.concession
}
