import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { JsonSchema } from '../core/json.ts'
import { invisibleCharacter } from './invisible.ts'
import { type CallName, type Inspection, outOfScope, type ToolContext } from './tool.ts'
import { caseTwin, whyNotWritable } from './write-scope.ts'

/**
 * What a model writes by mistake where a new file's path belongs is no path: Markdown headings, code fences and their
 * languages, quotes, a lone bracket, a trailing `:12`. Also refused is what no Windows checkout could hold.
 */
export const NEW_PATH: JsonSchema = {
  type: 'string',
  pattern: '^(?![#\\s]|(markdown|typescript|javascript|json|diff)$)[^\\x00-\\x1f`"<>|:*?]*[\\w)\\]\\u00a1-\\uffff]$',
}

/** Refuses a path where something is already, or that differs from something existing in letter case only (but for `except`). */
export async function inspectNewPath(
  file: string,
  context: ToolContext,
  call: CallName,
  except?: string,
): Promise<Inspection> {
  const hidden = invisibleCharacter(file)
  if (hidden !== undefined) return outOfScope(call, file, `its name holds the invisible character ${hidden}`)
  const twin = await caseTwin(context.index, file)
  if (twin !== undefined && twin !== except) {
    return outOfScope(call, file, `it differs from the existing ${twin} in letter case only; write the path as it is`)
  }
  const status = twin === undefined ? await stat(path.join(context.root, file)).catch(() => undefined) : undefined
  if (status?.isDirectory() === true) return outOfScope(call, file, 'it is a folder')
  // An empty file holds nothing that could be lost, and no text that editFile could find.
  if (status !== undefined && status.size > 0)
    return outOfScope(call, file, 'the file exists already; change it with editFile')
  const reason = await whyNotWritable(context.root, file)
  return reason === undefined ? { ok: true } : outOfScope(call, file, reason)
}
