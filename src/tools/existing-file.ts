import type { Correctable } from '../core/failure.ts'
import type { FileContent } from '../core/ports.ts'
import { headAndTail } from '../lib/text.ts'
import { changedLines } from './changed-lines.ts'
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
 * The file as it is, unless it is not what the model last saw: then the failure carries the present content (of a long file, what changed), which counts
 * as seen from then on. A file that the model never saw is not stale.
 */
export async function readFresh(
  file: string,
  context: ToolContext,
  call: CallName,
): Promise<
  { readonly ok: true; readonly content: FileContent } | { readonly ok: false; readonly failure: Correctable }
> {
  const content = await context.tree.read(file)
  if (content === undefined) return outOfScope(call, file, 'it is not there any more')
  if (!context.seen.isStale(file, content.hash)) return { ok: true, content }
  return { ok: false, failure: await notAsSeen(file, content, context, call) }
}

/** A failure that shows the model what it has not seen: the present content, which counts as seen from then on. */
export async function notAsSeen(
  file: string,
  content: FileContent,
  { seen }: ToolContext,
  call: CallName,
): Promise<Correctable> {
  const known = seen.lastSeen(file)
  seen.see(file, content.hash, content.bytes)
  return { ...call, kind: 'edit.stale', path: file, content: await present(content, known) }
}

/** The content as it is now; of a long file only what differs from what the model knows. */
async function present({ bytes }: FileContent, known: Uint8Array | undefined): Promise<string> {
  const text = readText(bytes)
  if (!text.ok) return `(${text.reason})`
  const before = known && readText(known)
  const changed = before?.ok ? await changedLines(before.lines, text.lines, MOST_STALE_BYTES) : undefined
  return changed ?? headAndTail(text.lines.join('\n'), MOST_STALE_BYTES).text
}
