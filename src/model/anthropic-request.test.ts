import { expect, it } from 'vitest'
import type { Message } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { NO_CONCESSIONS, strictToolNames, toWireRequest } from './anthropic-request.ts'
import { leanSchema } from './lean-schema.ts'
import { editFile, request, userSays } from './testing.ts'

const cached = { cache_control: { type: 'ephemeral' } }

it('is built whole, with the cache marks at the end of tools, system and the last two user turns', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
  const messages: Message[] = [
    userSays('Mend it.'),
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'hm', payload: thinking },
        { type: 'thinking', text: '', payload: { type: 'redacted_thinking', data: 'eA==' } },
        { type: 'thinking', text: 'of another provider', payload: { type: 'reasoning', id: 'r1' } },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'cut \ud83d here' },
        {
          type: 'call',
          call: {
            id: 'a',
            name: 'editFile',
            input: { parsed: true, value: { path: 'x\ude00', n: [1, null] } },
            complete: true,
          },
        },
        {
          type: 'call',
          call: { id: 'b', name: 'editFile', input: { parsed: false, raw: '{"pa', error: 'cut' }, complete: false },
        },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'result', callId: 'a', text: '', failed: false },
        { type: 'result', callId: 'b', text: 'no JSON', failed: true },
        { type: 'text', text: '' },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    userSays('Go on \u{1F600}.'),
  ]
  const asked = request({ messages, tools: [{ ...editFile, name: 'readFile' }, editFile] })
  const before = structuredClone(asked)
  expect(toWireRequest(asked, 'claude-test')).toEqual({
    model: 'claude-test',
    max_tokens: 1000,
    stream: true,
    system: [{ type: 'text', text: 'You mend code.', ...cached }],
    tools: [
      { name: 'readFile', description: 'Edits a file.', input_schema: leanSchema(editFile.inputSchema) },
      { name: 'editFile', description: 'Edits a file.', input_schema: leanSchema(editFile.inputSchema), ...cached },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Mend it.' }] },
      {
        role: 'assistant',
        content: [
          thinking,
          { type: 'redacted_thinking', data: 'eA==' },
          { type: 'text', text: 'cut \ufffd here' },
          { type: 'tool_use', id: 'a', name: 'editFile', input: { path: 'x\ufffd', n: [1, null] } },
          { type: 'tool_use', id: 'b', name: 'editFile', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a' },
          { type: 'tool_result', tool_use_id: 'b', content: 'no JSON', is_error: true, ...cached },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
      { role: 'user', content: [{ type: 'text', text: 'Go on \u{1F600}.', ...cached }] },
    ],
  })
  expect(asked).toEqual(before)
})

it('has neither tools nor system where there are none', () => {
  expect(toWireRequest(request({ tools: [], system: '' }), 'claude-test')).toEqual({
    model: 'claude-test',
    max_tokens: 1000,
    stream: true,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Mend it.', ...cached }] }],
  })
})

it('asks for no more strict tools than a request may have, nor for one that was rejected', () => {
  const tools = Array.from(
    { length: 25 },
    (_, n): ToolDefinition => ({ ...editFile, name: `tool${n}`, strict: n !== 1 }),
  )
  const names = strictToolNames(
    toWireRequest(request({ tools }), 'claude-test', { ...NO_CONCESSIONS, neverStrict: new Set(['tool0']) }),
  )
  expect(names).toEqual(Array.from({ length: 20 }, (_, n) => `tool${n + 2}`))
})

it('asks for no more optional and union parameters in strict tools than a request may have', () => {
  const optional = (count: number): ToolDefinition['inputSchema'] => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }])),
    additionalProperties: false,
  })
  const unions: ToolDefinition['inputSchema'] = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 17 }, (_, n) => [`p${n}`, { anyOf: [{ type: 'string' }, { type: 'null' }] }]),
    ),
    required: Array.from({ length: 17 }, (_, n) => `p${n}`),
    additionalProperties: false,
  }
  const tools = [optional(20), optional(5), optional(4), unions].map(
    (inputSchema, n): ToolDefinition => ({ ...editFile, name: `tool${n}`, inputSchema, strict: true }),
  )
  expect(strictToolNames(toWireRequest(request({ tools }), 'claude-test'))).toEqual(['tool0', 'tool2'])
})
