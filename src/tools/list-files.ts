import { stat } from 'node:fs/promises'
import path from 'node:path'
import { describeDirectory } from './directory-text.ts'
import { answer, defineTool } from './tool.ts'

export const listFilesTool = defineTool<{ path?: string }>({
  spec: {
    name: 'listFiles',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', minLength: 1 } },
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'directory' },
  },

  async execute({ path: directory = '.' }, { root, index }) {
    const status = await stat(path.join(root, directory))
    if (!status.isDirectory()) return answer(`${directory} is a file of ${status.size} bytes, not a folder.`)
    return answer(await describeDirectory(root, index, directory))
  },
})
