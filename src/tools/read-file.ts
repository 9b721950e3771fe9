import { stat } from 'node:fs/promises'
import path from 'node:path'
import { describeDirectory } from './directory-text.ts'
import { numberLines, readText } from './file-text.ts'
import { describeSymbol, inspectSymbol } from './read-symbol.ts'
import { answer, type CallName, defineTool, type Inspection } from './tool.ts'

const MOST_LINES = 400
const MOST_BYTES = 32 * 1024

interface Arguments {
  readonly path: string
  readonly startLine?: number
  readonly endLine?: number
  readonly symbol?: string
}

export const readFileTool = defineTool<Arguments>({
  spec: {
    name: 'readFile',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        startLine: { type: 'integer', minimum: 1 },
        endLine: { type: 'integer', minimum: 1 },
        symbol: { type: 'string', minLength: 1, description: 'an exported name: only its declaration is shown' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'existing-path', '/symbol': 'symbol' },
  },

  async inspect({ path: file, startLine, endLine, symbol }, context, call) {
    if (symbol !== undefined) {
      if (startLine === undefined && endLine === undefined) return inspectSymbol(file, symbol, context, call)
      return refused(
        call,
        '/symbol',
        'exclusive',
        'goes without startLine and endLine: it shows one declaration, wherever it is',
      )
    }
    if (startLine === undefined || endLine === undefined || startLine <= endLine) return { ok: true }
    return refused(call, '/endLine', 'order', `must be >= startLine (${startLine})`)
  },

  async execute(args, context) {
    const { root, tree, index, seen } = context
    const file = await tree.read(args.path)
    if (file === undefined) {
      const isDirectory = (await stat(path.join(root, args.path)).catch(() => undefined))?.isDirectory() === true
      return answer(
        isDirectory ? await describeDirectory(root, index, args.path) : `${args.path} is not a regular file.`,
      )
    }
    const text = readText(file.bytes)
    if (!text.ok) return answer(`${args.path} is ${text.reason}; it can't be shown.`)
    seen.see(args.path, file.hash, file.bytes)
    const read = { path: args.path, hash: file.hash }
    if (args.symbol !== undefined)
      return answer(await describeSymbol(args.path, args.symbol, text.lines, context), { read })
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

/** What the arguments of one call are to each other is beyond a schema. */
function refused(call: CallName, pointer: string, keyword: string, message: string): Inspection {
  return {
    ok: false,
    failure: { ...call, kind: 'call.invalid-arguments', errors: [{ pointer, keyword, message, params: {} }] },
  }
}
