import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { answerTo, closed, completions } from './openai-testing.ts'
import type { Turn } from './turn.ts'

const turn: Turn = {
  answer: [{ thinking: 'hm' }, { text: 'Two pieces here' }, { call: 'readFile', input: { path: 'a.ts' } }],
  usage: { input: 9, cacheRead: 4, output: 5 },
}
it('streams the events of Responses', async () => {
  const { status, events } = await answerTo(
    '/v1/responses',
    { model: 'm', input: [{ role: 'user', content: 'go' }] },
    turn,
  )
  const response = { id: 'resp_simulated_1', object: 'response', model: 'm', output: [] }
  const reasoning = { id: 'rs_0', type: 'reasoning', summary: [] }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
  const call = { id: 'fc_2', type: 'function_call', call_id: 'call_simulated_1', name: 'readFile', arguments: '' }
  const added = (output_index: number, item: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, status: 'in_progress' },
  })
  const done = (output_index: number, item: object) => ({
    type: 'response.output_item.done',
    output_index,
    item: { ...item, status: 'completed' },
  })
  const text = { item_id: 'msg_1', output_index: 1, content_index: 0 }
  const args = '{"path":"a.ts"}'
  const expected = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.in_progress', response: { ...response, status: 'in_progress' } },
    added(0, reasoning),
    {
      type: 'response.reasoning_summary_text.delta',
      item_id: 'rs_0',
      output_index: 0,
      summary_index: 0,
      delta: 'hm',
    },
    done(0, { ...reasoning, summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'aG0=' }),
    added(1, message),
    { type: 'response.output_text.delta', ...text, delta: 'Two pieces h' },
    { type: 'response.output_text.delta', ...text, delta: 'ere' },
    { type: 'response.output_text.done', ...text, text: 'Two pieces here' },
    done(1, { ...message, content: [{ type: 'output_text', text: 'Two pieces here', annotations: [] }] }),
    added(2, call),
    { type: 'response.function_call_arguments.delta', item_id: 'fc_2', output_index: 2, delta: args },
    { type: 'response.function_call_arguments.done', item_id: 'fc_2', output_index: 2, arguments: args },
    done(2, { ...call, arguments: args }),
    {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        error: null,
        incomplete_details: null,
        usage: {
          input_tokens: 13,
          input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 18,
        },
      },
    },
  ]
  expect([status, events]).toEqual([200, expected.map((event, n) => ({ ...event, sequence_number: n }))])
})

it('streams the chunks of Chat Completions', async () => {
  const asked = completions({ stream_options: { include_usage: true } })
  const { status, events } = await answerTo('/v1/chat/completions', asked, turn)
  const base = { id: 'chatcmpl_simulated_1', object: 'chat.completion.chunk', created: 0, model: 'm' }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  })
  const called = { index: 0, id: 'call_simulated_1', type: 'function', function: { name: 'readFile', arguments: '' } }
  expect([status, events]).toEqual([
    200,
    [
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'hm' }),
      chunk({ content: 'Two pieces h' }),
      chunk({ content: 'ere' }),
      chunk({ tool_calls: [called] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a.ts"}' } }] }),
      chunk({}, 'tool_calls'),
      {
        ...base,
        choices: [],
        usage: {
          prompt_tokens: 13,
          completion_tokens: 5,
          total_tokens: 18,
          prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
        },
      },
      '[DONE]',
    ],
  ])
})

it('answers the calls of a scenario as JSON where a response format stands for tools', async () => {
  const format = { type: 'json_schema', json_schema: { name: 'readFile', schema: closed, strict: true } }
  const only: Turn = { expect: { tools: ['readFile'] }, answer: [{ call: 'readFile', input: { path: 'a' } }] }
  const { events } = await answerTo('/v1/chat/completions', completions({ response_format: format }), only)
  const deltas = (events as { choices?: { delta: JsonObject; finish_reason: string | null }[] }[]).flatMap((event) =>
    (event.choices ?? []).map(({ delta, finish_reason }) => [delta, finish_reason]),
  )
  expect(deltas).toEqual([
    [{ role: 'assistant', content: '' }, null],
    [{ content: '{"path":"a"}' }, null],
    [{}, 'stop'],
  ])
})

it('words errors as OpenAI does', async () => {
  const failed = await answerTo(
    '/v1/responses',
    { model: 'm', input: [{ role: 'user', content: 'go' }] },
    { fault: { status: 429 } },
  )
  expect([failed.status, failed.error]).toEqual([
    429,
    { message: 'simulated 429', type: 'invalid_request_error', param: null, code: 'rate_limit_exceeded' },
  ])
})
