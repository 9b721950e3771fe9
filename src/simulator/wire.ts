import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/** The members of a request, each as an empty value where it is absent or of another type. */

export function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : []
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The blocks of a message or of the system prompt, for which a string is short. */
export function blocks(value: Json | undefined): readonly JsonObject[] {
  return typeof value === 'string' ? [{ type: 'text', text: value }] : objects(value)
}

/** The text of blocks and of the tool results in them, a line each. */
export function plainText(value: Json | undefined): string {
  return blocks(value)
    .map((block) => (block.type === 'tool_result' ? plainText(block.content) : text(block.text)))
    .join('\n')
}

/** The first reason that there is, of those that `refused` gives for the values. */
export function firstOf<T>(
  values: readonly T[],
  refused: (value: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const reason = refused(value, index)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Alternating messages in the shape of the Messages API, of pieces that each have a role. */
export function asMessages(
  pieces: readonly { readonly role: 'user' | 'assistant'; readonly block: JsonObject }[],
): readonly JsonObject[] {
  const messages: { role: string; content: JsonObject[] }[] = []
  for (const { role, block } of pieces) {
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(block)
    else messages.push({ role, content: [block] })
  }
  return messages
}

/** Whether a value is the text of a JSON object. */
export function isJsonObjectText(value: Json | undefined): boolean {
  try {
    return isJsonObject(JSON.parse(text(value)))
  } catch {
    return false
  }
}
