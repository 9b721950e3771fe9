import { type Outcome, success } from '../core/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { type ModelAnswer, NO_USAGE } from '../core/message.ts'
import type { CallInput } from '../core/tool.ts'
import type { BodyComplaint } from './body-complaint.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { objectAt, parseJson, stringAt } from './wire-json.ts'

/**
 * The answer in a complaint about a call that the server itself found to be none, with what the model wrote: a call to be
 * judged and corrected as any other, or a text where no tool is named in it. Undefined for other complaints.
 */
export function failedGenerationAnswer(
  { code, words, failedGeneration }: BodyComplaint,
  tools: readonly string[],
  model: string,
  takenIds: Set<string>,
): Outcome<ModelAnswer> | undefined {
  if (code !== 'tool_use_failed' || failedGeneration === undefined || failedGeneration.trim() === '') return undefined
  const made = callIn(failedGeneration)
  const name = made?.name ?? namedIn(failedGeneration, tools)
  const base = { usage: NO_USAGE, model }
  if (name === undefined)
    return success({ ...base, content: [{ type: 'text', text: failedGeneration }], stopReason: 'end' })
  const input: CallInput = made
    ? { parsed: true, value: made.args }
    : { parsed: false, raw: failedGeneration, error: words }
  const call = { id: uniqueCallId('', takenIds), name, input, complete: true }
  return success({ ...base, content: [{ type: 'call', call }], stopReason: 'calls' })
}

/** The call where its text is JSON after all, as `{"name", "arguments"}`, and only its arguments were found wrong. */
function callIn(text: string): { readonly name: string; readonly args: JsonObject } | undefined {
  const inner = text.replace(/^\s*<[\w|]+>\s*|\s*<\/[\w|]+>\s*$/g, '')
  const parsed = parseJson(inner)
  const first = Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed
  if (!isJsonObject(first)) return tagged(text)
  const name = stringAt(first, 'name')
  const given = stringAt(first, 'arguments')
  const args = objectAt(first, 'arguments') ?? objectAt(first, 'parameters') ?? (given ? parseJson(given) : undefined)
  return name !== undefined && isJsonObject(args) ? { name, args } : undefined
}

/** `<function=name>{...}</function>`, with or without the first closing bracket. */
function tagged(text: string): { readonly name: string; readonly args: JsonObject } | undefined {
  const [, name, json] = /^\s*<function=([\w-]+)[>,\s]*(\{.*\})\s*(?:<\/function>|>)?\s*$/s.exec(text) ?? []
  const args = json === undefined ? undefined : parseJson(json)
  return name !== undefined && isJsonObject(args) ? { name, args } : undefined
}

function namedIn(text: string, tools: readonly string[]): string | undefined {
  return /<function|<tool|"name"|"arguments"/.test(text) ? tools.find((tool) => text.includes(tool)) : undefined
}
