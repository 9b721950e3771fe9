import type { JsonObject } from '../core/json.ts'
import type { AssistantBlock, ModelAnswer, ModelRequest } from '../core/message.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { parseCallInput } from './call-input.ts'
import { plainText } from './calls-in-text.ts'
import { lowerSchema } from './lower-schema.ts'
import { wellFormedSchema } from './openai-request.ts'
import { lowerOpenAiSchema } from './openai-schema.ts'
import { uniqueCallId } from './unique-call-ids.ts'

/** A scoped replay put as a question for JSON, for servers that hold an answer to a response format and a call to nothing. */
export interface FormatReplay {
  /** The same request; its system prompt says what the answer has to be. */
  readonly request: ModelRequest
  readonly format: { readonly name: string; readonly schema: JsonObject; readonly strict: boolean }
}

/** `words` tell the model what to answer; without them they are those for a replay, which show it the schema. */
export function formatReplay(
  request: ModelRequest,
  tool: ToolDefinition,
  prompts: Prompts,
  words?: string,
): FormatReplay {
  const strict = lowerOpenAiSchema(tool.inputSchema)
  const schema = wellFormedSchema(strict ?? lowerSchema(tool.inputSchema))
  const { name, description } = tool
  // A format binds the answer, and says nothing to the model by itself.
  const said =
    words ?? prompt(prompts, 'model/replay-format', { tool: name, description, schema: JSON.stringify(schema) })
  return {
    request: { ...request, system: [request.system, said].filter((text) => text !== '').join('\n\n') },
    format: { name, schema, strict: strict !== undefined },
  }
}

/** The answer with the call that its JSON text stands for; one that has no text, or a call already, as it is. */
export function callFromText(answer: ModelAnswer, tool: string, takenIds: Set<string>): ModelAnswer {
  const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  if (text.trim() === '' || answer.content.some(({ type }) => type === 'call')) return answer
  const input = parseCallInput(plainText(text))
  const cut = answer.stopReason === 'length'
  const call = { id: uniqueCallId('', takenIds), name: tool, input, complete: !cut }
  const thinking = answer.content.filter((block): block is AssistantBlock => block.type === 'thinking')
  return { ...answer, content: [...thinking, { type: 'call', call }], stopReason: cut ? 'length' : 'calls' }
}
