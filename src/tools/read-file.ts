import { stat } from 'node:fs/promises'
import path from 'node:path'
import { describeDirectory } from './directory-text.ts'
import { numberLines, readText } from './file-text.ts'
import { answer, defineTool } from './tool.ts'

const MOST_LINES = 400
const MOST_BYTES = 32 * 1024

export const readFileTool = defineTool<{ path: string; startLine?: number; endLine?: number }>({
  spec: {
    name: 'readFile',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        startLine: { type: 'integer', minimum: 1 },
        endLine: { type: 'integer', minimum: 1 },
      },
      required: ['path'],
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'existing-path' },
  },

  async inspect({ startLine, endLine }, _context, call) {
    if (startLine === undefined || endLine === undefined || startLine <= endLine) return { ok: true }
    const errors = [
      {
        pointer: '/endLine',
        keyword: 'minimum',
        message: `must be >= startLine (${startLine})`,
        params: { limit: startLine },
      },
    ]
    return { ok: false, failure: { ...call, kind: 'call.invalid-arguments', errors } }
  },

  async execute(args, { root, tree, index, seen }) {
    const file = await tree.read(args.path)
    if (file === undefined) {
      const isDirectory = (await stat(path.join(root, args.path)).catch(() => undefined))?.isDirectory() === true
      return answer(
        isDirectory ? await describeDirectory(root, index, args.path) : `${args.path} is not a regular file.`,
      )
    }
    const text = readText(file.bytes)
    if (!text.ok) return answer(`${args.path} is ${text.reason}; it can't be shown.`)
    seen.see(args.path, file.hash)
    const read = { path: args.path, hash: file.hash }
    const total = text.lines.length
    if (total === 0) return answer('(empty file)', { read })
    const from = args.startLine ?? 1
    if (from > total) return answer(`${args.path} ends at line ${total}.`, { read })
    const ranged = args.startLine !== undefined || args.endLine !== undefined
    const to = Math.min(args.endLine ?? (ranged ? total : MOST_LINES), total)
    const shown = numberLines(text.lines, from, to, MOST_BYTES)
    const wanted = args.endLine === undefined ? total : to
    const more = shown.lastLine < wanted ? `\n(${total} lines in all; go on with startLine ${shown.lastLine + 1})` : ''
    return answer(shown.text + more, { read })
  },
})
