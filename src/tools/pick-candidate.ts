import { answer, defineTool } from './tool.ts'

/** As many as a choice can have: each costs tokens in every request. */
const MOST = 8

export const pickCandidateTool = defineTool<{ choice: string }>({
  spec: {
    name: 'pickCandidate',
    effect: 'control',
    inputSchema: {
      type: 'object',
      properties: {
        choice: { type: 'string', enum: [...Array.from({ length: MOST }, (_, index) => `p${index + 1}`), 'none'] },
      },
      required: ['choice'],
      additionalProperties: false,
    },
    argumentKinds: {},
  },

  async execute({ choice }) {
    return answer('', {
      control: choice === 'none' ? { kind: 'pick' } : { kind: 'pick', choice: Number(choice.slice(1)) },
    })
  },
})
