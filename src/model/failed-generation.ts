import { type Outcome, success } from '../core/failure.ts'
import { type ModelAnswer, NO_USAGE } from '../core/message.ts'
import type { CallInput } from '../core/tool.ts'
import type { BodyComplaint } from './body-complaint.ts'
import { writtenCall } from './calls-in-text.ts'
import { uniqueCallId } from './unique-call-ids.ts'

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
  const made = writtenCall(failedGeneration)
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

function namedIn(text: string, tools: readonly string[]): string | undefined {
  return /<function|<tool|"name"|"arguments"/.test(text) ? tools.find((tool) => text.includes(tool)) : undefined
}
