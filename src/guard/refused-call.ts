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
      case 'edit.syntax':
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
    if (call === undefined || !('tool' in failure) || failure.tool === undefined) return []
    if (failure.kind === 'edit.no-match' || failure.kind === 'edit.ambiguous') {
      const oldText = oldTextOf(call, failure.edit)
      if (oldText !== undefined) return [refuseOldText(failure.tool, [failure.path, ...writtenPath(call)], oldText)]
    }
    return refuseArguments(call, failure.tool)
  },
}

/** The only change of an attempt that its checks rejected can't be made again. */
export const rejectedEdit: Guard = {
  id: 'rejected-edit',
  order: 40,
  reason: 'an attempt that consisted of this change failed its checks',
  when: (failure) => failure.kind.startsWith('check.') && failure.kind !== 'check.unavailable',
  // With several changes any one of them may be right, so only the whole can be refused: the loop compares patches.
  constrain: ({ calls }) => (calls.length === 1 ? calls.flatMap((call) => refuseArguments(call)) : []),
}

/** These very arguments. `tool` is the one that was meant, where the call named it otherwise. */
export function refuseArguments(call: ToolCall, tool: string = call.name): readonly Constraint[] {
  if (!call.input.parsed) return []
  return [{ kind: 'refuse', tool, schema: { const: call.input.value }, lasts: 'step' }]
}

/** Any edit of that file, however its path is written, which still looks for that text. */
function refuseOldText(tool: string, paths: readonly string[], oldText: string): Constraint {
  const edit: JsonSchema = { type: 'object', properties: { oldText: { const: oldText } }, required: ['oldText'] }
  const [path = '', ...others] = new Set(paths)
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      path: others.length === 0 ? { const: path } : { enum: [path, ...others] },
      edits: { type: 'array', contains: edit },
    },
    required: ['path', 'edits'],
  }
  return { kind: 'refuse', tool, schema, lasts: 'step' }
}

function writtenPath(call: ToolCall): string[] {
  const path = call.input.parsed ? call.input.value.path : undefined
  return typeof path === 'string' ? [path] : []
}

function oldTextOf(call: ToolCall, edit: number): string | undefined {
  if (!call.input.parsed) return undefined
  const edits: Json | undefined = call.input.value.edits
  const item = Array.isArray(edits) ? edits[edit] : undefined
  return typeof item?.oldText === 'string' ? item.oldText : undefined
}
