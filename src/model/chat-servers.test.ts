import { expect, it } from 'vitest'
import type { Outcome } from '../core/failure.ts'
import { type ModelAnswer, NO_USAGE } from '../core/message.ts'
import { answerOf, made } from './chat-testing.ts'

/** What servers of Chat Completions do in ways of their own. */

const delta = (inner: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: inner, finish_reason }],
})
const piece = (inner: object) => delta({ tool_calls: [inner] })
const end = delta({}, 'tool_calls')
const contentOf = (outcome: Outcome<ModelAnswer>) => (outcome.ok ? outcome.value.content : outcome.failure)

const calls: [string, object[], object[]][] = [
  [
    'without ids and indexes, whole at once',
    [
      piece({ function: { name: 'editFile', arguments: '{"path":"a"}' } }),
      piece({ function: { name: 'editFile', arguments: '{"path":"b"}' } }),
    ],
    [made('call', 'editFile', { path: 'a' }), made('call_2', 'editFile', { path: 'b' })],
  ],
  [
    'of one index and several ids',
    [
      piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: '' } }),
      piece({ index: 0, function: { arguments: '{"path":"a"}' } }),
      piece({ index: 0, id: 'y', function: { name: 'editFile', arguments: '' } }),
      piece({ index: 0, function: { arguments: '{"path":"b"}' } }),
    ],
    [made('x', 'editFile', { path: 'a' }), made('y', 'editFile', { path: 'b' })],
  ],
  [
    'with id and name in every piece, and one more in the end',
    [
      piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: '{"path"' } }),
      piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: ':"a"}' } }),
      piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: '' } }),
    ],
    [made('x', 'editFile', { path: 'a' })],
  ],
  [
    'of one index and no ids',
    [
      piece({ index: 0, function: { name: 'readFile', arguments: '{}' } }),
      piece({ index: 0, function: { name: 'editFile', arguments: '{"path":"b"}' } }),
    ],
    [made('call', 'readFile', {}), made('call_2', 'editFile', { path: 'b' })],
  ],
  [
    'with pieces of two in turns',
    [
      piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: '{"path":' } }),
      piece({ index: 1, id: 'y', function: { name: 'editFile', arguments: '{"path":' } }),
      piece({ index: 0, function: { arguments: '"a"}' } }),
      piece({ index: 1, function: { arguments: '"b"}' } }),
    ],
    [made('x', 'editFile', { path: 'a' }), made('y', 'editFile', { path: 'b' })],
  ],
  [
    'with arguments as an object (Ollama)',
    [piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: { path: 'a' } } })],
    [made('x', 'editFile', { path: 'a' })],
  ],
  [
    'without arguments',
    [piece({ index: 0, id: 'x', function: { name: 'finishStep', arguments: null } })],
    [made('x', 'finishStep', {})],
  ],
  [
    'with a signature beside it (Gemini)',
    [
      piece({
        index: 0,
        id: 'x',
        function: { name: 'editFile', arguments: '{}' },
        extra_content: { google: { thought_signature: 's' } },
      }),
    ],
    [
      {
        type: 'thinking',
        text: '',
        payload: { type: 'chat_call_extra', extra_content: { google: { thought_signature: 's' } } },
      },
      made('x', 'editFile', {}),
    ],
  ],
]
it.each(calls)('calls %s are told apart', async (_, pieces, content) => {
  expect(contentOf(await answerOf([...pieces, end, 'data: [DONE]\n\n']))).toEqual(content)
})

const whole = { content: [{ type: 'text', text: 'Hi.' }], stopReason: 'end', model: 'gpt-test' }
const hi = delta({ content: 'Hi.' })
const ends: [string, (object | string)[], object][] = [
  ['without [DONE]', [hi, delta({}, 'stop')], NO_USAGE],
  ['with [DONE] and no reason', [hi, 'data: [DONE]\n\n'], NO_USAGE],
  ['in lines that end with carriage returns', [`data: ${JSON.stringify(hi)}\r\n\r\ndata: [DONE]\r\n\r\n`], NO_USAGE],
  ['without a last blank line', [hi, `data: ${JSON.stringify(delta({}, 'stop'))}`], NO_USAGE],
  ['with comments between', [': OPENROUTER PROCESSING\n\n', hi, ': x\n\n', delta({}, 'stop')], NO_USAGE],
  ['in parts (Mistral)', [delta({ content: [{ type: 'text', text: 'Hi.' }] }), delta({}, 'stop')], NO_USAGE],
  [
    'with the usage of DeepSeek',
    [hi, { ...delta({}, 'stop'), usage: { prompt_tokens: 10, prompt_cache_hit_tokens: 8, completion_tokens: 3 } }],
    { input: 2, cacheRead: 8, cacheWrite: 0, output: 3 },
  ],
  [
    'with the usage of Groq',
    [hi, { ...delta({}, 'stop'), x_groq: { usage: { prompt_tokens: 10, completion_tokens: 3 } } }],
    { input: 10, cacheRead: 0, cacheWrite: 0, output: 3 },
  ],
]
it.each(ends)('an answer %s is whole', async (_, chunks, usage) => {
  expect(await answerOf(chunks)).toEqual({ ok: true, value: { ...whole, usage } })
})

it('an answer after which the server says no more, and does not hang up, is whole', async () => {
  const outcome = await answerOf([hi, delta({}, 'stop')], { keepOpen: true })
  expect(outcome).toEqual({ ok: true, value: { ...whole, usage: NO_USAGE } })
})

it('a call that the token limit cut is cut, whatever the server says', async () => {
  const torn = piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: '{"path":"a' } })
  const used = (completion_tokens: number) => ({ choices: [], usage: { prompt_tokens: 1, completion_tokens } })
  const of = async (tokens: number) => {
    const outcome = await answerOf([torn, end, used(tokens)], { maxOutputTokens: 50 })
    return (
      outcome.ok && [outcome.value.stopReason, outcome.value.content.map((b) => b.type === 'call' && b.call.complete)]
    )
  }
  expect([await of(50), await of(49)]).toEqual([
    ['length', [false]],
    ['calls', [true]],
  ])
})

it('thinking comes under several names and in details that go back as they were', async () => {
  const detail = (inner: object) =>
    delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'f', ...inner }] })
  const outcome = await answerOf([
    delta({ reasoning: 'h' }),
    delta({ reasoning_content: 'm' }),
    detail({ text: 'h', signature: null }),
    detail({ text: 'm', signature: 's' }),
    delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'x' }] }),
    hi,
    delta({}, 'stop'),
  ])
  const details = [
    { type: 'reasoning.text', index: 0, format: 'f', text: 'hm', signature: 's' },
    { type: 'reasoning.encrypted', index: 1, data: 'x' },
  ]
  expect(contentOf(outcome)).toEqual([
    { type: 'thinking', text: 'hm', payload: { type: 'chat_reasoning', text: 'hm', details } },
    { type: 'text', text: 'Hi.' },
  ])
})

const broken: [string, object[], object][] = [
  [
    'an error beside the end (OpenRouter)',
    [hi, { error: { code: 502, message: 'gone' }, ...delta({}, 'error') }],
    {
      kind: 'provider.transient',
      status: 502,
      reason: expect.stringMatching(/^the provider has a fault \(.* gone\)$/),
    },
  ],
  [
    'an end for want of machines (DeepSeek)',
    [hi, delta({}, 'insufficient_system_resource')],
    {
      kind: 'provider.transient',
      reason: expect.stringMatching(/broke off its answer \(insufficient_system_resource\)$/),
    },
  ],
  [
    'an error that is a text',
    [hi, { error: 'the runner has crashed' }],
    {
      kind: 'provider.transient',
      reason: expect.stringMatching(/^the provider has a fault \(.*: the runner has crashed\)$/),
    },
  ],
]
it.each(broken)('an answer with %s fails as a whole', async (_, chunks, failure) => {
  expect(await answerOf(chunks)).toEqual({ ok: false, failure })
})
