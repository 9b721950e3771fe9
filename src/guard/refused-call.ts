import type { Constraint } from '../core/constraint.ts'
import type { Json, JsonSchema } from '../core/json.ts'
import type { ToolCall } from '../core/tool.ts'
import type { Guard } from './guard.ts'

/** What failed in a way that no narrower type describes: these very arguments are refused. */
export const refusedCall: Guard = {
  id: 'refused-call',
  order: 30,
  reason: 'this call failed',
  when: (failure) => {
    switch (failure.kind) {
      case 'edit.no-match':
      case 'edit.ambiguous':
      case 'edit.out-of-scope':
      // What is wrong may be beyond what a schema can say, as for edits that overlap.
      case 'call.invalid-arguments':
      case 'call.denied':
      case 'call.truncated':
        return true
      default:
        return false
    }
  },
  constrain: ({ failure, calls }) => {
    const call = calls[0]
    if (call === undefined) return []
    if (failure.kind === 'edit.no-match' || failure.kind === 'edit.ambiguous') {
      const oldText = oldTextOf(call, failure.edit)
      if (oldText !== undefined) return [refuseOldText(call.name, failure.path, oldText)]
    }
    return refuseArguments(call)
  },
}

/** The only change of an attempt that its checks rejected can't be made again. */
export const rejectedEdit: Guard = {
  id: 'rejected-edit',
  order: 40,
  reason: 'an attempt that consisted of this change failed its checks',
  when: (failure) => failure.kind.startsWith('check.') && failure.kind !== 'check.unavailable',
  // With several changes any one of them may be right, so only the whole can be refused: the loop compares patches.
  constrain: ({ calls }) => (calls.length === 1 ? refuseArguments(calls[0] as ToolCall) : []),
}

function refuseArguments(call: ToolCall): readonly Constraint[] {
  if (!call.input.parsed) return []
  return [{ kind: 'refuse', tool: call.name, schema: { const: call.input.value }, lasts: 'step' }]
}

/** Any edit of that file which still looks for that text. */
function refuseOldText(tool: string, path: string, oldText: string): Constraint {
  const edit: JsonSchema = { type: 'object', properties: { oldText: { const: oldText } }, required: ['oldText'] }
  const schema: JsonSchema = {
    type: 'object',
    properties: { path: { const: path }, edits: { type: 'array', contains: edit } },
    required: ['path', 'edits'],
  }
  return { kind: 'refuse', tool, schema, lasts: 'step' }
}

function oldTextOf(call: ToolCall, edit: number): string | undefined {
  if (!call.input.parsed) return undefined
  const edits: Json | undefined = call.input.value.edits
  const item = Array.isArray(edits) ? edits[edit] : undefined
  return typeof item?.oldText === 'string' ? item.oldText : undefined
}
