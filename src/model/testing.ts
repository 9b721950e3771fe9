import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Failure, Outcome } from '../core/failure.ts'
import type { Message, ModelAnswer, ModelRequest } from '../core/message.ts'
import type { Model, ModelEvent } from '../core/ports.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { startSimulator } from '../simulator/simulator.ts'
import type { Turn } from '../simulator/turn.ts'
import { type AnthropicOptions, createAnthropicModel } from './anthropic.ts'
import { type ChatOptions, createChatModel } from './chat-completions.ts'
import { createOpenAiModel, type OpenAiOptions } from './openai-responses.ts'

/** Shared by the tests of this folder. */

export const editFile: ToolDefinition = {
  name: 'editFile',
  description: 'Edits a file.',
  effect: 'write',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  argumentKinds: { '/path': 'existing-path' },
}

export function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: 'edit',
    system: 'You mend code.',
    tools: [editFile],
    messages: [userSays('Mend it.')],
    maxOutputTokens: 1000,
    ...changes,
  }
}

export function userSays(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

export interface Asked {
  readonly outcome: Outcome<ModelAnswer>
  readonly events: readonly ModelEvent[]
  /** The streamed text, joined. */
  readonly text: string
}

export async function ask(model: Model, asked = request(), signal = new AbortController().signal): Promise<Asked> {
  const events: ModelEvent[] = []
  const answering = model.answer(asked, signal)
  for (;;) {
    const next = await answering.next()
    if (next.done) {
      const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
      return { outcome: next.value, events, text }
    }
    events.push(next.value)
  }
}

export function connect(url: string, changes: Partial<AnthropicOptions> = {}): Promise<Model> {
  return createAnthropicModel({ model: 'claude-test', apiKey: 'sk-secret', baseUrl: url, idleMs: 5000, ...changes })
}

export function connectOpenAi(url: string, changes: Partial<OpenAiOptions> = {}): Promise<Model> {
  return createOpenAiModel({ model: 'gpt-test', apiKey: 'sk-secret', baseUrl: `${url}/v1`, idleMs: 5000, ...changes })
}

export function chatOptions(url: string, changes: Partial<ChatOptions> = {}): ChatOptions {
  const prompts = loadPrompts(fileURLToPath(new URL('../../prompts', import.meta.url)))
  const server = { provider: 'vllm', model: 'gpt-test', apiKey: 'sk-secret', baseUrl: `${url}/v1` }
  return { ...server, idleMs: 5000, prompts, ...changes }
}

export function connectChat(url: string, changes: Partial<ChatOptions> = {}): Promise<Model> {
  return createChatModel(chatOptions(url, changes))
}

/** How a test reaches a model: the common part of the `connect` functions. */
export type Connect = (url: string, changes?: { readonly idleMs?: number; readonly apiKey?: string }) => Promise<Model>

/** The wire formats of OpenAI, for tests of what holds for both. */
export const OPENAI_WIRES: readonly [string, Connect][] = [
  ['Responses', connectOpenAi],
  ['Chat Completions', connectChat],
]

/** Runs `use` with a server that answers as `listener` does. */
export async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Runs `use` with a simulator that plays the turns in order, and repeats the last. */
export async function withTurns<T>(
  turns: readonly Turn[],
  use: (url: string, requests: Awaited<ReturnType<typeof startSimulator>>['requests']) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator({
    respond: (_, n) => turns[Math.min(n, turns.length - 1)] ?? { answer: [] },
  })
  try {
    return await use(simulator.url, simulator.requests)
  } finally {
    await simulator.close()
  }
}

/** What the fault of a turn becomes; `HOST` stands for host and port in its words. */
export async function failureOf(turn: Turn, idleMs = 5000, connectTo: Connect = connect): Promise<Failure | undefined> {
  return withTurns([turn], async (url, requests) => {
    const { outcome } = await ask(await connectTo(url, { idleMs }))
    expect(requests).toHaveLength(1)
    return outcome.ok ? undefined : withoutPort(outcome.failure)
  })
}

export function withoutPort(failure: Failure): Failure {
  return JSON.parse(JSON.stringify(failure).replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')) as Failure
}

export const transient = (reason: string, more: object = {}) => ({ kind: 'provider.transient', reason, ...more })
