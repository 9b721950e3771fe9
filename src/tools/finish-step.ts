import { answer, defineTool } from './tool.ts'

export const finishStepTool = defineTool<{ summary: string }>({
  spec: {
    name: 'finishStep',
    effect: 'control',
    inputSchema: {
      type: 'object',
      properties: { summary: { type: 'string', minLength: 1 } },
      required: ['summary'],
      additionalProperties: false,
    },
    argumentKinds: {},
  },

  execute: async ({ summary }) => answer('', { control: { kind: 'finish', summary } }),
})
