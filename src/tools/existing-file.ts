import type { Correctable } from '../core/failure.ts'
import type { FileContent } from '../core/ports.ts'
import { headAndTail } from '../lib/text.ts'
import { readText } from './file-text.ts'
import { type CallName, type Inspection, outOfScope, type ToolContext } from './tool.ts'
import { whyNotWritable } from './write-scope.ts'

const MOST_STALE_BYTES = 32 * 1024

/** Refuses what is no regular file of this repository. */
export async function inspectExistingFile(file: string, context: ToolContext, call: CallName): Promise<Inspection> {
  if ((await context.tree.read(file)) === undefined) return outOfScope(call, file, 'it is not a regular file')
  const reason = await whyNotWritable(context.root, file)
  return reason === undefined ? { ok: true } : outOfScope(call, file, reason)
}

/**
 * The file as it is, unless it is not what the model last saw: then the failure carries the present content, which counts
 * as seen from then on. A file that the model never saw is not stale.
 */
export async function readFresh(
  file: string,
  { tree, seen }: ToolContext,
  call: CallName,
): Promise<
  { readonly ok: true; readonly content: FileContent } | { readonly ok: false; readonly failure: Correctable }
> {
  const content = await tree.read(file)
  if (content === undefined) return outOfScope(call, file, 'it is not there any more')
  if (!seen.isStale(file, content.hash)) return { ok: true, content }
  seen.see(file, content.hash)
  const text = readText(content.bytes)
  const present = text.ok ? headAndTail(text.lines.join('\n'), MOST_STALE_BYTES).text : `(${text.reason})`
  return { ok: false, failure: { ...call, kind: 'edit.stale', path: file, content: present } }
}
