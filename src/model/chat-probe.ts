import { failed, type Outcome, success } from '../core/failure.ts'
import type { ModelAnswer, ModelRequest } from '../core/message.ts'
import { type Prompts, prompt } from '../core/prompts.ts'

/** What holds an answer of a server to a schema while the model makes it. */
export type Enforcement = 'tool' | 'response-format' | 'nothing'

/** The only value that the schema allows, and the one that the prompt asks for. */
const NONSENSE = 'vorpal-7'
const WANTED = 'yes'
const TOOL = 'recordChoice'
/** Enough for a model that thinks first. */
const MAX_OUTPUT_TOKENS = 1000

/** By server and model, for as long as the process lives. */
const known = new Map<string, Enforcement>()

/**
 * Finds out what a server enforces, once for each `server`: it is asked for one call under an enum of one nonsense value
 * while the prompt insists on another, and where the answer leaves the enum, for the same by a response format, which the
 * model does not get to see. `ask` sends a request, its one tool put in that way; `words` say what to answer by a response
 * format. Fails as the request does, but for a rejection, which says that this way is no way there.
 */
export async function probeEnforcement(
  server: string,
  prompts: Prompts,
  ask: (request: ModelRequest, by: 'tool' | 'response-format', words: string) => Promise<Outcome<ModelAnswer>>,
): Promise<Outcome<Enforcement>> {
  const before = known.get(server)
  if (before) return success(before)
  const words = prompt(prompts, 'model/probe-format', { tool: TOOL, wanted: WANTED })
  for (const by of ['tool', 'response-format'] as const) {
    const text = by === 'tool' ? prompt(prompts, 'model/probe', { tool: TOOL, wanted: WANTED }) : words
    const outcome = await ask(probeRequest(prompts, text), by, words)
    if (!outcome.ok && outcome.failure.kind !== 'provider.rejected') return failed(outcome.failure)
    if (outcome.ok && keepsToEnum(outcome.value)) return remember(server, by)
  }
  return remember(server, 'nothing')
}

function remember(server: string, enforcement: Enforcement): Outcome<Enforcement> {
  known.set(server, enforcement)
  return success(enforcement)
}

function probeRequest(prompts: Prompts, text: string): ModelRequest {
  return {
    role: 'repair',
    system: '',
    tools: [
      {
        name: TOOL,
        description: prompt(prompts, 'model/probe-tool'),
        effect: 'control',
        inputSchema: {
          type: 'object',
          properties: { choice: { type: 'string', enum: [NONSENSE] } },
          required: ['choice'],
          additionalProperties: false,
        },
        argumentKinds: {},
        strict: true,
      },
    ],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  }
}

function keepsToEnum({ content }: ModelAnswer): boolean {
  return content.some(
    (block) => block.type === 'call' && block.call.input.parsed && block.call.input.value.choice === NONSENSE,
  )
}
