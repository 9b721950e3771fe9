import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../core/tool.ts'
import { type ChatConcession, concessionFor } from './chat-concessions.ts'
import { toChatRequest } from './chat-request.ts'
import { chatTraits } from './chat-traits.ts'
import { details, messages, optional, strictParameters } from './openai-testing.ts'
import { editFile, request, userSays } from './testing.ts'

const dialect = (provider: string, without: ReadonlySet<ChatConcession> = new Set(), baseUrl = 'https://h/beta') => ({
  model: 'm',
  traits: chatTraits(provider, baseUrl),
  without,
})

describe('a request to Chat Completions', () => {
  it('is built whole and leaves what it is built from as it was', () => {
    const asked = request({ messages, tools: [{ ...optional, strict: true }, editFile] })
    const before = structuredClone(asked)
    const called = { description: 'Edits a file.' }
    const args = '{"path":"x\ufffd","n":[1,null]}'
    expect(toChatRequest(asked, dialect('vllm'))).toEqual({
      model: 'm',
      max_tokens: 1000,
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        { type: 'function', function: { ...called, name: 'readFile', parameters: strictParameters, strict: true } },
        { type: 'function', function: { ...called, name: 'editFile', parameters: editFile.inputSchema } },
      ],
      parallel_tool_calls: true,
      messages: [
        { role: 'system', content: 'You mend code.' },
        { role: 'user', content: 'Mend it.\n\nNow.' },
        {
          role: 'assistant',
          content: 'cut \ufffd here',
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'editFile', arguments: args },
              extra_content: { google: { sig: 'x' } },
            },
            { id: 'b', type: 'function', function: { name: 'editFile', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'done' },
        { role: 'tool', tool_call_id: 'b', content: 'no JSON' },
        { role: 'user', content: 'Go on \u{1F600}.' },
      ],
    })
    expect(asked).toEqual(before)
  })

  it.each([
    ['deepseek', { reasoning_content: 'hm' }],
    ['openrouter', { reasoning_details: details }],
    ['groq', {}],
  ])('to %s has the thinking that it wants back', (provider, thinking) => {
    const {
      content: _,
      tool_calls: __,
      role: ___,
      ...rest
    } = (toChatRequest(request({ messages }), dialect(provider)).messages as Record<string, unknown>[])[2] as Record<
      string,
      unknown
    >
    expect(rest).toEqual(thinking)
  })

  const named = { type: 'function', function: { name: 'readFile' } }
  const replays: [string, object][] = [
    ['vllm', { parallel_tool_calls: false, tool_choice: named }],
    ['llamacpp', { parallel_tool_calls: false, tool_choice: 'required' }],
    ['lmstudio', { tool_choice: 'required' }],
    ['ollama', {}],
    ['openrouter', { parallel_tool_calls: false, tool_choice: named, provider: { require_parameters: true } }],
    ['deepseek', { tool_choice: named }],
    ['gemini', { tool_choice: 'required' }],
    ['a server of no known kind', { tool_choice: named }],
  ]
  it.each(replays)('to %s asks for the one call of a replay as it can be asked there', (provider, expected) => {
    const asked = request({ tools: [{ ...optional, strict: true }] })
    const wire = toChatRequest(asked, dialect(provider))
    const { model: _, messages: __, stream: ___, stream_options: _4, max_tokens: _5, tools, ...rest } = wire
    expect(rest).toEqual(expected)
    const strict = ['vllm', 'openrouter', 'deepseek', 'a server of no known kind'].includes(provider)
    expect(JSON.stringify(tools).includes('"strict":true')).toBe(strict)
  })

  it('is strict on DeepSeek on its beta address only, and there only where all tools are', () => {
    const strict = { ...optional, strict: true }
    const sent = (tools: ToolDefinition[], url: string) =>
      JSON.stringify(toChatRequest(request({ tools }), dialect('deepseek', new Set(), url))).includes('"strict"')
    expect([
      sent([strict], 'https://api.deepseek.com/beta'),
      sent([strict, editFile], 'https://api.deepseek.com/beta'),
      sent([strict], 'https://api.deepseek.com/v1'),
    ]).toEqual([true, false, false])
  })

  it('goes without what the server turned out not to take', () => {
    const asked = request({ tools: [{ ...optional, strict: true }] })
    const without = new Set<ChatConcession>()
    const saying = (words: string) => {
      const failure = { kind: 'provider.rejected' as const, status: 400, reason: words }
      const conceded = concessionFor(failure, words, toChatRequest(asked, dialect('vllm', without)), without)
      if (conceded) without.add(conceded)
      return conceded
    }
    expect(
      [
        'stream_options is not allowed',
        'unknown field parallel_tool_calls',
        'tool_choice must be a string',
        'tool_choice is not supported',
        'max_tokens is not supported; use max_completion_tokens instead',
        'role system is not supported',
        'strict is not a known field',
        'strict is not a known field',
        'something else',
      ].map(saying),
    ).toEqual([
      'usage',
      'parallel',
      'named-choice',
      'tool-choice',
      'token-limit',
      'system-role',
      'strict',
      undefined,
      undefined,
    ])
    expect(toChatRequest(asked, dialect('vllm', without))).toEqual({
      model: 'm',
      max_completion_tokens: 1000,
      stream: true,
      tools: [
        {
          type: 'function',
          function: { name: 'readFile', description: 'Edits a file.', parameters: optional.inputSchema },
        },
      ],
      messages: [
        { role: 'developer', content: 'You mend code.' },
        { role: 'user', content: 'Mend it.' },
      ],
    })
  })

  it('has no tools and no choice of them where there are none', () => {
    expect(toChatRequest(request({ tools: [], system: '', messages: [userSays('Hi')] }), dialect('groq'))).toEqual({
      model: 'm',
      max_completion_tokens: 1000,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })
})
