import { inspectExistingFile, readFresh } from './existing-file.ts'
import { inspectNewPath, NEW_PATH } from './new-path.ts'
import { answer, defineTool } from './tool.ts'

export const moveFileTool = defineTool<{ from: string; to: string }>({
  spec: {
    name: 'moveFile',
    effect: 'write',
    inputSchema: {
      type: 'object',
      properties: { from: { type: 'string', minLength: 1 }, to: NEW_PATH },
      required: ['from', 'to'],
      additionalProperties: false,
    },
    argumentKinds: { '/from': 'existing-path', '/to': 'new-path' },
  },

  async inspect({ from, to }, context, call) {
    const source = await inspectExistingFile(from, context, call)
    // A change of letter case alone is a move like any other.
    return source.ok ? inspectNewPath(to, context, call, from) : source
  },

  async execute({ from, to }, context, call) {
    const file = await readFresh(from, context, call)
    if (!file.ok) return file
    const target = await inspectNewPath(to, context, call, from)
    if (!target.ok) return target
    await context.tree.move(from, to)
    context.index.changed([from, to])
    context.seen.see(to, file.content.hash, file.content.bytes)
    return answer(`Moved ${from} to ${to}.`, {
      edits: [{ path: to, action: 'moved', diff: '', added: 0, removed: 0 }],
      changed: [from, to],
    })
  },
})
