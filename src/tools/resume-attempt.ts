import { answer, defineTool } from './tool.ts'

export const resumeAttemptTool = defineTool<{ attempt: number }>({
  spec: {
    name: 'resumeAttempt',
    effect: 'control',
    inputSchema: {
      type: 'object',
      properties: { attempt: { type: 'integer', minimum: 1 } },
      required: ['attempt'],
      additionalProperties: false,
    },
    argumentKinds: { '/attempt': 'attempt' },
  },

  async execute({ attempt }, { resumeAttempt, index }, call) {
    const changed = await resumeAttempt(attempt)
    if (changed === undefined) {
      const target = { target: 'attempt', pointer: '/attempt', value: String(attempt), candidates: [] } as const
      return { ok: false, failure: { ...call, kind: 'target.not-found', ...target, exhaustive: false, lead: 0 } }
    }
    index.changed(changed)
    return answer('', { changed, control: { kind: 'resume', attempt } })
  },
})
