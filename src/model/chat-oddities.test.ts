import { expect, it } from 'vitest'
import type { Outcome } from '../core/failure.ts'
import { type ModelAnswer, NO_USAGE } from '../core/message.ts'
import { answerOf, made } from './chat-testing.ts'
import { ask, connectChat, request, transient, withoutPort, withServer } from './testing.ts'

/** What servers get wrong in Chat Completions, and what is made of it: nothing that was not said is ever called. */

const delta = (inner: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: inner, finish_reason }],
})
const piece = (inner: object) => delta({ tool_calls: [inner] })
const called = (args: unknown) => piece({ index: 0, id: 'x', function: { name: 'editFile', arguments: args } })
const end = delta({}, 'tool_calls')
const told = (outcome: Outcome<ModelAnswer>) =>
  outcome.ok ? [outcome.value.stopReason, outcome.value.content] : withoutPort(outcome.failure)
const call = made('x', 'editFile', { path: 'a' })
const unread = (raw: string, complete = true) => ({
  type: 'call',
  call: { id: 'x', name: 'editFile', input: { parsed: false, raw, error: expect.any(String) }, complete },
})

const answers: [string, (object | string)[], unknown][] = [
  ['arguments encoded twice', [called(JSON.stringify('{"path":"a"}')), end], ['calls', [call]]],
  ['arguments that are a list', [called(['a']), end], ['calls', [unread('["a"]')]]],
  ['a list as the text of arguments', [called('[1]'), end], ['calls', [unread('[1]')]]],
  [
    'a name in pieces',
    [
      piece({ index: 0, id: 'x', function: { name: 'edit' } }),
      piece({ index: 0, function: { name: 'File', arguments: '{"path":"a"}' } }),
      end,
    ],
    ['calls', [call]],
  ],
  [
    'a call in the former way',
    [
      delta({ function_call: { name: 'editFile', arguments: '{"path"' } }),
      delta({ function_call: { arguments: ':"a"}' } }),
      delta({}, 'function_call'),
    ],
    ['calls', [made('call', 'editFile', { path: 'a' })]],
  ],
  [
    'another choice before the first',
    [{ choices: [{ index: 1, delta: { content: 'No.' } }, ...delta({ content: 'Hi.' }).choices] }, delta({}, 'stop')],
    ['end', [{ type: 'text', text: 'Hi.' }]],
  ],
  ['a last event that is cut', [called('{"path":"a"}'), end, 'data: {"choices":[],"usa'], ['calls', [call]]],
  [
    'a call that is cut, and no reason',
    [called('{"path":"a'), 'data: [DONE]\n\n'],
    transient('HOST ended its answer before it was complete'),
  ],
  [
    'a limit by another name',
    [called('{"path":"a'), delta({}, 'MAX_TOKENS')],
    ['length', [unread('{"path":"a', false)]],
  ],
  [
    'an end of no known name',
    [delta({ content: 'Hi.' }), delta({}, 'so-so')],
    ['other', [{ type: 'text', text: 'Hi.' }]],
  ],
  ['an abort as its end', [called('{"path":"a"}'), delta({}, 'abort')], transient('HOST broke off its answer (abort)')],
  [
    'a refusal as its end',
    [delta({ content: 'No.' }), delta({}, 'SAFETY')],
    { kind: 'provider.refused', reason: "the provider's content filter ended the answer" },
  ],
  [
    'an error in words',
    [delta({ content: 'Hi.' }), 'event: error\ndata: out of memory\n\n'],
    transient('the provider has a fault (HOST: out of memory)'),
  ],
  [
    'an error that only its event names',
    [delta({ content: 'Hi.' }), 'event: error\ndata: {"message":"out of memory"}\n\n'],
    transient('the provider has a fault (HOST: out of memory)'),
  ],
  [
    'an error that is an object of its own (vLLM)',
    [delta({ content: 'Hi.' }), { object: 'error', message: 'out of memory', code: 500 }],
    transient('the provider has a fault (HOST answered 500: out of memory)', { status: 500 }),
  ],
  [
    'an error without a field before it',
    ['{"error":{"message":"out of memory"}}\n'],
    transient('the provider has a fault (HOST: out of memory)'),
  ],
]
it.each(answers)('an answer with %s is taken for what it is', async (_, chunks, expected) => {
  expect(told(await answerOf(chunks))).toEqual(expected)
})

it('a count of tokens is one, or none', async () => {
  const used = (usage: object) => answerOf([delta({ content: 'Hi.' }, 'stop'), { choices: [], usage }])
  const counts = [
    await used({ prompt_tokens: '12', completion_tokens: '3' }),
    await used({ prompt_tokens: -12, completion_tokens: -3 }),
    await used({ prompt_tokens: 1e300, completion_tokens: 'many' }),
  ]
  expect(counts.map((outcome) => outcome.ok && outcome.value.usage)).toEqual([
    { ...NO_USAGE, input: 12, output: 3 },
    NO_USAGE,
    NO_USAGE,
  ])
})

const written = '{"name": "editFile", "arguments": {"path": "a"}}'
const tagged = `<tool_call>\n${written}\n</tool_call>`
const text = (words: string) => ({ type: 'text', text: words })
const calls: [string, string, object[]][] = [
  ['in tags', tagged, [made('call', 'editFile', { path: 'a' })]],
  ['after words', `I edit.\n${tagged}`, [text('I edit.'), made('call', 'editFile', { path: 'a' })]],
  ['after thinking', `<think>{"name"</think>\n${tagged}`, [made('call', 'editFile', { path: 'a' })]],
  [
    'twice',
    `${tagged}\n${tagged}`,
    [made('call', 'editFile', { path: 'a' }), made('call_2', 'editFile', { path: 'a' })],
  ],
  ['in a fence', `\`\`\`json\n${written}\n\`\`\``, [made('call', 'editFile', { path: 'a' })]],
  ['in a tag of its own', '<function=editFile>{"path":"a"}</function>', [made('call', 'editFile', { path: 'a' })]],
]
it.each(calls)('a call written %s, which the server did not see, is one', async (_, words, content) => {
  const outcome = await answerOf([delta({ content: words }), delta({}, 'stop')])
  expect(told(outcome)).toEqual(['calls', content])
})

it.each([
  ['of a tool that was not offered', tagged.replace('editFile', 'deleteAll')],
  ['before other words', `${tagged} is what I could do.`],
  ['that is not whole', '<tool_call>{"name": "editFile", "arguments": {"path": </tool_call>'],
  ['beside one that is not whole', `<tool_call>{"name": </tool_call>${tagged}`],
  ['as an example', `Write \`\`\`json\n${written}\n\`\`\` to edit.`],
])('a call written %s stays a text', async (_, words) => {
  expect(told(await answerOf([delta({ content: words }), delta({}, 'stop')]))).toEqual(['end', [text(words)]])
})

const wholeAnswer = JSON.stringify({
  model: 'm',
  choices: [
    {
      message: { content: null, tool_calls: [{ id: 'x', function: { name: 'editFile', arguments: '{"path":"a"}' } }] },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 2, completion_tokens: 1 },
})
const streamed = `data: ${JSON.stringify(called('{"path":"a"}'))}\n\ndata: ${JSON.stringify(end)}\n\n`
it.each([
  ['at once', { 'content-type': 'application/json' }, wholeAnswer],
  ['at once and unnamed', {}, wholeAnswer],
  ['under another name', { 'content-type': 'text/plain' }, streamed],
  ['without a name', {}, streamed],
])('an answer that comes %s is one', async (_, headers, body) => {
  const outcome = await withServer(
    (_, response) => response.writeHead(200, headers).end(body),
    async (url) => (await ask(await connectChat(url), request())).outcome,
  )
  expect(told(outcome)).toEqual(['calls', [call]])
})
