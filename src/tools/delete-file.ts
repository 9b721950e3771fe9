import { inspectExistingFile, readFresh } from './existing-file.ts'
import { answer, defineTool } from './tool.ts'
import { wholeFileDiff } from './whole-file-diff.ts'

export const deleteFileTool = defineTool<{ path: string }>({
  spec: {
    name: 'deleteFile',
    effect: 'write',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', minLength: 1 } },
      required: ['path'],
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'existing-path' },
  },

  inspect: (args, context, call) => inspectExistingFile(args.path, context, call),

  async execute(args, context, call) {
    const file = await readFresh(args.path, context, call)
    if (!file.ok) return file
    await context.tree.remove(args.path)
    context.index.changed([args.path])
    const { diff, lines } = wholeFileDiff(file.content.bytes, '-')
    return answer(`Deleted ${args.path}.`, {
      edits: [{ path: args.path, action: 'deleted', diff, added: 0, removed: lines }],
      changed: [args.path],
    })
  },
})
