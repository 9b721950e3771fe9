import type { Correctable, Region } from '../core/failure.ts'
import { howMatched } from '../core/story/matched.ts'
import { sha256 } from '../lib/hash.ts'
import { unbalanced } from './bracket-balance.ts'
import { inspectExistingFile, notAsSeen, readFresh } from './existing-file.ts'
import { numberLines, readText } from './file-text.ts'
import { brokenSyntax } from './syntax.ts'
import { answer, type CallName, defineTool, type EditOutcome, outOfScope, type TextEdit } from './tool.ts'

const CONTEXT_LINES = 3
/** Of a long stretch the model, which wrote it, is shown so many lines at either end. */
const SHOWN_AT_ENDS = 6
const MOST_BYTES = 8 * 1024
/** A file of fewer lines is known by the old text that has to be given. */
const SHORT_FILE = 20

export const editFileTool = defineTool<{ path: string; edits: readonly TextEdit[] }>({
  spec: {
    name: 'editFile',
    effect: 'write',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        edits: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: { oldText: { type: 'string', minLength: 1 }, newText: { type: 'string' } },
            required: ['oldText', 'newText'],
            additionalProperties: false,
          },
        },
      },
      required: ['path', 'edits'],
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'existing-path' },
  },

  inspect: (args, context, call) => inspectExistingFile(args.path, context, call),

  async execute(args, context, call) {
    const { path } = args
    const file = await readFresh(path, context, call)
    if (!file.ok) return file
    const outcome = context.applyEdits(file.content.bytes, args.edits)
    if (!outcome.ok) return { ok: false, failure: failureOf(outcome, path, call) }
    if (outcome.already) {
      const edits = [{ path, action: 'already-applied', diff: '', added: 0, removed: 0 } as const]
      return answer(`Nothing to do: ${path} has the new text already.`, { edits })
    }
    // Whoever takes most of a file away has to have seen it: else a rewrite from memory would pass for an edit.
    if (shrinksMuch(file.content.bytes, outcome) && !context.seen.knows(path, file.content.hash))
      return { ok: false, failure: await notAsSeen(path, file.content, context, call) }
    const broken = await brokenSyntax(path, file.content.bytes, outcome.bytes, context, call, unbalanced(args.edits))
    if (broken !== undefined) return { ok: false, failure: broken }
    // What it was is known to whoever could edit it: a rollback that gives it back makes nothing stale.
    context.seen.see(path, file.content.hash, file.content.bytes)
    await context.tree.write(path, outcome.bytes)
    context.seen.see(path, sha256(outcome.bytes), outcome.bytes)
    const { strategy, diff, added, removed } = outcome
    const inexact = howMatched(outcome) === '' ? '' : ` (${howMatched(outcome)})`
    return answer(`Edited ${path}: +${added} -${removed}${inexact}\n${around(outcome.bytes, outcome.changed)}`, {
      edits: [{ path, action: 'edited', ...(strategy === undefined ? {} : { strategy }), diff, added, removed }],
      changed: [path],
    })
  },
})

/** True for an edit that leaves a file of some length less than half of its lines. */
function shrinksMuch(before: Uint8Array, { added, removed }: { added: number; removed: number }): boolean {
  const text = readText(before)
  return text.ok && text.lines.length >= SHORT_FILE && (removed - added) * 2 > text.lines.length
}

/** The changed lines with a few around them; stretches that touch are shown as one. */
function around(bytes: Uint8Array, regions: readonly Region[]): string {
  const text = readText(bytes)
  if (!text.ok) return ''
  const stretches: { from: number; to: number }[] = []
  for (const region of [...regions].sort((a, b) => a.startLine - b.startLine)) {
    const from = Math.max(1, region.startLine - CONTEXT_LINES)
    const to = Math.min(text.lines.length, Math.max(region.endLine, region.startLine) + CONTEXT_LINES)
    const last = stretches.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else stretches.push({ from, to })
  }
  const share = Math.floor(MOST_BYTES / Math.max(1, stretches.length))
  const numbered = (from: number, to: number) => {
    const part = numberLines(text.lines, from, to, share)
    return part.lastLine < to ? `${part.text}\n(to line ${to})` : part.text
  }
  const shown = stretches.map(({ from, to }) => {
    const left = to - from + 1 - 2 * SHOWN_AT_ENDS
    if (left < SHOWN_AT_ENDS) return numbered(from, to)
    const [head, tail] = [numbered(from, from + SHOWN_AT_ENDS - 1), numbered(to - SHOWN_AT_ENDS + 1, to)]
    return `${head}\n(${left} more lines as given)\n${tail}`
  })
  return shown.join('\n...\n')
}

function failureOf(outcome: Extract<EditOutcome, { ok: false }>, path: string, call: CallName): Correctable {
  const { edit, tried, regions, lines } = outcome
  const invalid = (argument: 'oldText' | 'newText', keyword: string, message: string): Correctable => ({
    ...call,
    kind: 'call.invalid-arguments',
    errors: [{ pointer: `/edits/${edit}/${argument}`, keyword, message, params: {} }],
  })
  switch (outcome.problem) {
    case 'no-match':
      return { ...call, kind: 'edit.no-match', path, edit, tried, nearest: regions }
    case 'ambiguous':
      return { ...call, kind: 'edit.ambiguous', path, edit, lines, regions }
    case 'overlap':
      return invalid('oldText', 'overlap', 'overlaps with another edit of the same call: make one edit of both')
    case 'empty-old-text':
      return invalid('oldText', 'minLength', 'must NOT have fewer than 1 characters')
    case 'no-change':
      return invalid('newText', 'no-change', 'is the same as oldText: the edit would change nothing')
    case 'decorated':
      return invalid(
        'newText',
        'decorated',
        'carries line numbers or marks that are not in the file: give the text alone',
      )
    case 'binary':
      return outOfScope(call, path, 'it is a binary file, so an edit would damage it').failure
    case 'not-utf8':
      return outOfScope(call, path, 'it is not valid UTF-8, so an edit would damage it').failure
  }
}
