import { describe, expect, it } from 'vitest'
import { leanSchema } from './lean-schema.ts'
import { NO_CONCESSIONS, toWireRequest } from './openai-request.ts'
import { messages, optional, reasoning, strictParameters } from './openai-testing.ts'
import { editFile, request } from './testing.ts'

describe('a request to Responses', () => {
  it('is built whole and leaves what it is built from as it was', () => {
    const asked = request({ messages, tools: [{ ...optional, strict: true }, editFile] })
    const before = structuredClone(asked)
    const tool = { type: 'function', description: 'Edits a file.' }
    expect(toWireRequest(asked, 'gpt-test', NO_CONCESSIONS)).toEqual({
      model: 'gpt-test',
      max_output_tokens: 1000,
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'You mend code.',
      tools: [
        { ...tool, name: 'readFile', parameters: strictParameters, strict: true },
        { ...tool, name: 'editFile', parameters: leanSchema(editFile.inputSchema), strict: false },
      ],
      parallel_tool_calls: true,
      input: [
        { role: 'user', content: 'Mend it.' },
        { role: 'user', content: 'Now.' },
        reasoning,
        { role: 'assistant', content: 'cut \ufffd here', phase: 'commentary' },
        { type: 'function_call', call_id: 'a', name: 'editFile', arguments: '{"path":"x\ufffd","n":[1,null]}' },
        { type: 'function_call', call_id: 'b', name: 'editFile', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'done' },
        { type: 'function_call_output', call_id: 'b', output: 'no JSON' },
        { role: 'user', content: 'Go on \u{1F600}.' },
      ],
    })
    expect(asked).toEqual(before)
  })

  it('for a replay asks for the one call', () => {
    const asked = request({ tools: [{ ...optional, strict: true }] })
    const { tool_choice, parallel_tool_calls } = toWireRequest(asked, 'gpt-test', NO_CONCESSIONS)
    expect([tool_choice, parallel_tool_calls]).toEqual([{ type: 'function', name: 'readFile' }, false])
  })

  it('has neither tools nor instructions where there are none, and no reasoning where it is not taken', () => {
    const asked = request({ tools: [], system: '', maxOutputTokens: 1 })
    expect(toWireRequest(asked, 'gpt-test', { ...NO_CONCESSIONS, noReasoning: true })).toEqual({
      model: 'gpt-test',
      max_output_tokens: 16,
      stream: true,
      store: false,
      input: [{ role: 'user', content: 'Mend it.' }],
    })
  })
})
