import type { AssistantBlock, Message, ModelRequest, ToolsMessage, UserBlock } from '../core/message.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import type { ChatTurn } from './gguf-package.ts'
import { CHOICE } from './gguf-schema.ts'

/**
 * The request as turns of a chat. The tools stand in the system prompt; calls are written as the model writes them, so
 * that it goes on in the same way; results stand in the user's turn. Thinking is left out.
 */
export function toChat(request: ModelRequest, prompts: Prompts): readonly ChatTurn[] {
  const names = new Map<string, string>()
  const turns = request.messages.flatMap((message) =>
    message.role === 'tools' ? [] : [toTurn(message, names, prompts)],
  )
  const system = [request.system.trim(), describeTools(request, prompts)].filter((text) => text !== '').join('\n\n')
  return system === '' ? turns : [{ type: 'system', text: system }, ...turns]
}

function describeTools({ tools }: ModelRequest, prompts: Prompts): string {
  if (tools.length === 0) return ''
  const lines = tools.map(({ name, description, inputSchema }) =>
    prompt(prompts, 'gguf/tool', { name, description: description.trim(), schema: JSON.stringify(inputSchema) }),
  )
  return prompt(prompts, tools.length === 1 ? 'gguf/one-tool' : 'gguf/tools', { tools: lines.join('\n') })
}

/** `names` are the tools of the calls so far, by the calls' ids; it grows. */
function toTurn(message: Exclude<Message, ToolsMessage>, names: Map<string, string>, prompts: Prompts): ChatTurn {
  if (message.role === 'user')
    return { type: 'user', text: message.content.map((block) => userText(block, names, prompts)).join('\n\n') }
  for (const block of message.content) if (block.type === 'call') names.set(block.call.id, block.call.name)
  return { type: 'model', response: [message.content.flatMap(answerText).join('\n')] }
}

function userText(block: UserBlock, names: ReadonlyMap<string, string>, prompts: Prompts): string {
  if (block.type === 'text') return block.text
  const tool = names.get(block.callId) ?? ''
  return prompt(prompts, block.failed ? 'gguf/result-failed' : 'gguf/result', { tool, text: block.text })
}

function answerText(block: AssistantBlock): string[] {
  switch (block.type) {
    case 'text':
      return [JSON.stringify({ [CHOICE.text]: block.text })]
    case 'call': {
      const { name, input } = block.call
      return [JSON.stringify({ [CHOICE.tool]: name, [CHOICE.arguments]: input.parsed ? input.value : {} })]
    }
    case 'thinking':
      return []
  }
}
