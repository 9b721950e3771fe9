import { sha256 } from '../lib/hash.ts'
import { inspectNewPath, NEW_PATH } from './new-path.ts'
import { brokenSyntax } from './syntax.ts'
import { answer, defineTool } from './tool.ts'
import { wholeFileDiff } from './whole-file-diff.ts'

export const createFileTool = defineTool<{ path: string; content: string }>({
  spec: {
    name: 'createFile',
    effect: 'write',
    inputSchema: {
      type: 'object',
      properties: { path: NEW_PATH, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'new-path' },
  },

  inspect: (args, context, call) => inspectNewPath(args.path, context, call),

  async execute(args, context, call) {
    const { tree, index, seen } = context
    // Somebody may have made the file since the call was checked.
    const now = await inspectNewPath(args.path, context, call)
    if (!now.ok) return now
    const bytes = Buffer.from(args.content)
    const broken = await brokenSyntax(args.path, undefined, bytes, context, call)
    if (broken !== undefined) return { ok: false, failure: broken }
    await tree.write(args.path, bytes)
    index.changed([args.path])
    seen.see(args.path, sha256(bytes), bytes)
    const { diff, lines } = wholeFileDiff(bytes, '+')
    return answer(`Created ${args.path} (${lines} ${lines === 1 ? 'line' : 'lines'}).`, {
      edits: [{ path: args.path, action: 'created', diff, added: lines, removed: 0 }],
      changed: [args.path],
    })
  },
})
