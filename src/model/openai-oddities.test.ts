import { expect, it } from 'vitest'
import type { Outcome } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import { made } from './chat-testing.ts'
import { ask, connectOpenAi, request, transient, withoutPort, withServer } from './testing.ts'

/** What servers get wrong in the Responses API, and what is made of it: nothing that was not said is ever called. */

async function answerTo(
  events: readonly (object | string)[],
  headers: Record<string, string> = { 'content-type': 'text/event-stream' },
) {
  const text = events.map((one) => (typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`)).join('')
  return withServer(
    (_, response) => response.writeHead(200, headers).end(text),
    async (url) => (await ask(await connectOpenAi(url), request({ maxOutputTokens: 50 }))).outcome,
  )
}
const told = (outcome: Outcome<ModelAnswer>) =>
  outcome.ok ? [outcome.value.stopReason, outcome.value.content] : withoutPort(outcome.failure)

const item = (name: string, args: unknown, id = name) => ({
  type: 'function_call',
  id: `item_${id}`,
  call_id: id,
  name,
  arguments: args,
})
const added = (inner: object) => ({ type: 'response.output_item.added', item: inner })
const grown = (item_id: string, delta: string) => ({ type: 'response.function_call_arguments.delta', item_id, delta })
const done = (inner: object) => ({ type: 'response.output_item.done', item: inner })
const ended = (more: object = {}) => ({ type: 'response.completed', response: { model: 'm', ...more } })
const call = made('x', 'editFile', { path: 'a' })
const cutCall = { type: 'call', call: { ...call.call, complete: false } }
const whole = [item('editFile', '{"path":"a"}', 'x')]

const answers: [string, (object | string)[], unknown][] = [
  [
    'pieces that are told apart by ids alone',
    [
      added(item('editFile', '', 'x')),
      added(item('editFile', '', 'y')),
      grown('item_x', '{"path":'),
      grown('item_y', '{"path":"b"}'),
      grown('item_x', '"a"}'),
      ended(),
    ],
    ['calls', [call, made('y', 'editFile', { path: 'b' })]],
  ],
  ['arguments as an object', [done(item('editFile', { path: 'a' }, 'x')), ended()], ['calls', [call]]],
  [
    'arguments encoded twice',
    [done(item('editFile', JSON.stringify('{"path":"a"}'), 'x')), ended()],
    ['calls', [call]],
  ],
  [
    'a piece lost that comes in the end',
    [added(item('editFile', '', 'x')), grown('item_x', '{"pa'), ...whole.map(done), ended()],
    ['calls', [call]],
  ],
  ['all of it in the end', [ended({ output: whole })], ['calls', [call]]],
  [
    'a failure that is called complete',
    [...whole.map(done), ended({ status: 'failed', error: { message: 'out of memory' } })],
    transient('the provider has a fault (HOST: out of memory)'),
  ],
  [
    'a cancellation that is called complete',
    [...whole.map(done), ended({ status: 'cancelled' })],
    transient('the answer of HOST was cancelled there'),
  ],
  [
    'an end for no known reason',
    [...whole.map(done), { type: 'response.incomplete', response: {} }],
    ['calls', [cutCall]],
  ],
  [
    'a call that the limit cut, and that is called complete',
    [
      added(item('editFile', '', 'x')),
      grown('item_x', '{"path":"a'),
      ended({ usage: { input_tokens: 1, output_tokens: 50 } }),
    ],
    [
      'length',
      [
        {
          type: 'call',
          call: { ...cutCall.call, input: { parsed: false, raw: '{"path":"a', error: expect.any(String) } },
        },
      ],
    ],
  ],
  [
    'an error in words',
    ['event: error\ndata: out of memory\n\n'],
    transient('the provider has a fault (HOST: out of memory)'),
  ],
]
it.each(answers)('an answer with %s is taken for what it is', async (_, events, expected) => {
  expect(told(await answerTo(events))).toEqual(expected)
})

it.each([
  [
    'at once',
    [JSON.stringify({ object: 'response', status: 'completed', output: whole })],
    { 'content-type': 'application/json' },
  ],
  ['under another name', [...whole.map(done), ended()], { 'content-type': 'application/octet-stream' }],
])('an answer that comes %s is one', async (_, events, headers) => {
  expect(told(await answerTo(events, headers))).toEqual(['calls', [call]])
})
