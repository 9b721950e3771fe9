import { inspectNewPath, NEW_PATH } from './new-path.ts'
import { answer, defineTool } from './tool.ts'

interface Step {
  readonly goal: string
  readonly files: readonly string[]
  readonly newFiles?: readonly string[]
}

export const submitPlanTool = defineTool<{ summary: string; steps: readonly Step[] }>({
  spec: {
    name: 'submitPlan',
    effect: 'control',
    inputSchema: {
      type: 'object',
      properties: {
        summary: { type: 'string', minLength: 1 },
        steps: {
          type: 'array',
          minItems: 1,
          maxItems: 8,
          items: {
            type: 'object',
            properties: {
              goal: { type: 'string', minLength: 1 },
              files: { type: 'array', items: { type: 'string', minLength: 1 } },
              newFiles: { type: 'array', items: NEW_PATH },
            },
            required: ['goal', 'files'],
            additionalProperties: false,
          },
        },
      },
      required: ['summary', 'steps'],
      additionalProperties: false,
    },
    argumentKinds: { '/steps/*/files/*': 'existing-path', '/steps/*/newFiles/*': 'new-path' },
  },

  async inspect({ steps }, context, call) {
    for (const file of steps.flatMap((step) => step.newFiles ?? [])) {
      const found = await inspectNewPath(file, context, call)
      if (!found.ok) return found
    }
    return { ok: true }
  },

  async execute({ summary, steps }) {
    const proposed = steps.map(({ goal, files, newFiles = [] }) => ({ goal, files, newFiles }))
    return answer('', { control: { kind: 'plan', summary, steps: proposed } })
  },
})
