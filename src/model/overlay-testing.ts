import type { AssistantBlock, Message, ModelRequest, UserBlock } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { type Asked, ask, editFile, request, userSays } from './testing.ts'

/** A conversation in which definitions are tightened and taken back. */

export const readFile: ToolDefinition = {
  name: 'readFile',
  description: 'Reads a file.',
  effect: 'read',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, line: { type: 'integer', minimum: 1 } },
    required: ['path'],
    additionalProperties: false,
  },
  argumentKinds: { '/path': 'existing-path' },
}

export const LISTED: readonly ToolDefinition[] = [editFile, readFile]

/** The tool with an enum for its path. */
export function tightened(tool: ToolDefinition, ...paths: readonly string[]): ToolDefinition {
  const { properties } = tool.inputSchema
  const path = { type: 'string', enum: [...paths, '__none__'] } as const
  return { ...tool, strict: true, inputSchema: { ...tool.inputSchema, properties: { ...properties, path } } }
}

/** What follows an answer: a result for each of its calls, a text, and definitions that hold from there on. */
export interface Reply {
  readonly results?: string
  readonly text?: string
  readonly definitions?: readonly ToolDefinition[]
}

/** The answers that a model gives in one conversation, and the requests that were made of it. */
export async function converse(
  model: Model,
  replies: readonly Reply[],
  changes: Partial<ModelRequest> = {},
): Promise<{ readonly answers: readonly Asked[]; readonly requests: readonly ModelRequest[] }> {
  const messages: Message[] = [userSays('Mend it.')]
  const answers: Asked[] = []
  const requests: ModelRequest[] = []
  const send = async (): Promise<readonly AssistantBlock[]> => {
    const sent = request({ tools: LISTED, ...changes, messages: [...messages] })
    requests.push(sent)
    const asked = await ask(model, sent)
    answers.push(asked)
    if (!asked.outcome.ok) throw new Error(JSON.stringify(asked.outcome.failure))
    return asked.outcome.value.content
  }
  let content = await send()
  for (const reply of replies) {
    messages.push({ role: 'assistant', content }, ...replyTo(content, reply))
    content = await send()
  }
  return { answers, requests }
}

export function replyTo(content: readonly AssistantBlock[], { results = 'ok', text, definitions }: Reply): Message[] {
  const blocks = content.flatMap((block): UserBlock[] =>
    block.type === 'call' ? [{ type: 'result', callId: block.call.id, text: results, failed: false }] : [],
  )
  const said: UserBlock[] = text === undefined && blocks.length > 0 ? [] : [{ type: 'text', text: text ?? 'Go on.' }]
  return [
    { role: 'user', content: [...blocks, ...said] },
    ...(definitions === undefined ? [] : [{ role: 'tools' as const, definitions }]),
  ]
}

/** The calls of an answer, each by its tool and arguments. */
export function callsOf({ outcome }: Asked): readonly unknown[] {
  const content = outcome.ok ? outcome.value.content : []
  return content.flatMap((block) =>
    block.type === 'call' ? [[block.call.name, block.call.input.parsed ? block.call.input.value : undefined]] : [],
  )
}
