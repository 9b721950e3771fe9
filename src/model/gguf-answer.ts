import { isJsonObject } from '../core/json.ts'
import type { AssistantBlock } from '../core/message.ts'
import type { CallInput, ToolDefinition } from '../core/tool.ts'
import { parseCallInput } from './call-input.ts'
import { CHOICE } from './gguf-schema.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { objectAt, parseJson, stringAt } from './wire-json.ts'
import { withoutAbsent } from './without-absent.ts'

/** How a choice begins when the token limit has cut it within the arguments. */
const CUT_CALL = new RegExp(`^\\s*\\{\\s*"${CHOICE.tool}"\\s*:\\s*"([^"]*)"\\s*,\\s*"${CHOICE.arguments}"\\s*:\\s*`)

/**
 * What a text that was decoded under the grammar of these tools says. `cut` says that the token limit ended it. Call ids
 * that are in `takenIds` are not used; those used are added.
 */
export function readAnswer(
  text: string,
  tools: readonly ToolDefinition[],
  cut: boolean,
  takenIds: Set<string>,
): AssistantBlock[] {
  const call = (name: string, input: CallInput): AssistantBlock[] => {
    const tool = tools.find((one) => one.name === name)
    const meant = input.parsed && tool ? { ...input, value: withoutAbsent(input.value, tool.inputSchema) } : input
    return [{ type: 'call', call: { id: uniqueCallId('', takenIds), name, input: meant, complete: !cut } }]
  }
  const said = (words: string): AssistantBlock[] => (words.trim() === '' ? [] : [{ type: 'text', text: words }])

  const [first, ...others] = tools
  if (first === undefined) return said(text)
  if (others.length === 0) return call(first.name, parseCallInput(text))
  const value = parseJson(text)
  if (isJsonObject(value)) {
    const name = stringAt(value, CHOICE.tool)
    if (name === undefined) return said(stringAt(value, CHOICE.text) ?? '')
    return call(name, { parsed: true, value: objectAt(value, CHOICE.arguments) ?? {} })
  }
  const begun = CUT_CALL.exec(text)
  return begun?.[1] === undefined ? [] : call(begun[1], parseCallInput(text.slice(begun[0].length)))
}
