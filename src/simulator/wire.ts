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
