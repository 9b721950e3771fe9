import type { Message } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { editFile } from './testing.ts'

/** What the tests of requests in OpenAI's formats are built from. */

const call = (id: string, input: object) => ({
  type: 'call' as const,
  call: { id, name: 'editFile', complete: true, ...(input as { input: never }) },
})
export const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'b3BhcXVl' }
export const details = [{ type: 'reasoning.text', text: 'hm', signature: 's' }]
/** A conversation with all that a history may hold. */
export const messages: Message[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Mend it.' },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'Now.' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'hm', payload: reasoning },
      { type: 'thinking', text: '', payload: { ...reasoning, encrypted_content: null } },
      { type: 'thinking', text: 'hm', payload: { type: 'thinking', thinking: 'hm', signature: 's' } },
      { type: 'thinking', text: 'hm', payload: { type: 'chat_reasoning', text: 'hm', details } },
      { type: 'thinking', text: '', payload: { type: 'message_phase', phase: 'commentary' } },
      { type: 'text', text: 'cut \ud83d here' },
      { type: 'text', text: ' ' },
      { type: 'thinking', text: '', payload: { type: 'chat_call_extra', extra_content: { google: { sig: 'x' } } } },
      call('a', { input: { parsed: true, value: { path: 'x\ude00', n: [1, null] } } }),
      call('b', { input: { parsed: false, raw: '{"pa', error: 'cut' } }),
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'result', callId: 'a', text: 'done', failed: false },
      { type: 'result', callId: 'b', text: 'no JSON', failed: true },
      { type: 'text', text: 'Go on \u{1F600}.' },
    ],
  },
]
/** A tool with a parameter that may be left out. */
export const optional: ToolDefinition = {
  ...editFile,
  name: 'readFile',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', enum: ['a', '__none__'] }, line: { type: 'integer', minimum: 1 } },
    required: ['path'],
    additionalProperties: false,
  },
}
/** The same parameters as a strict schema has them. */
export const strictParameters = {
  type: 'object',
  properties: {
    path: { type: 'string', enum: ['a', '__none__'] },
    line: { type: ['integer', 'null'], minimum: 1 },
  },
  required: ['path', 'line'],
  additionalProperties: false,
}
