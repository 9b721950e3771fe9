import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import type { Expectation, Turn } from './turn.ts'

let simulator: Simulator | undefined
afterEach(async () => {
  await simulator?.close()
  simulator = undefined
})

async function play(...turns: Turn[]): Promise<Simulator> {
  simulator = await startSimulator({ name: 'play', task: 't', turns })
  return simulator
}

const tool = (name: string, properties: JsonObject = {}, more: JsonObject = {}) => ({
  name,
  input_schema: { type: 'object', properties, additionalProperties: false },
  ...more,
})

const body = (changes: JsonObject = {}): JsonObject => ({
  model: 'claude-test',
  max_tokens: 100,
  system: 'You mend code.',
  messages: [{ role: 'user', content: 'Mend it.' }],
  ...changes,
})

async function post(url: string, sent: JsonObject): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-secret', 'x-api-key': 'sk-secret' },
    body: JSON.stringify(sent),
  })
  return { status: response.status, text: await response.text() }
}

const messageOf = (text: string) => JSON.parse(text).error.message as string

it('streams the events of the API', async () => {
  const { url } = await play({
    answer: [{ text: 'Two pieces here' }, { call: 'readFile', input: { path: 'a.ts' } }],
    usage: { input: 9, output: 4 },
  })
  const { status, text } = await post(url, body())
  const events = text
    .trimEnd()
    .split('\n\n')
    .map((event) => {
      const [name, data] = event.split('\n')
      return {
        event: name?.slice('event: '.length),
        data: JSON.parse(data?.slice('data: '.length) ?? '') as JsonObject,
      }
    })
  const usage = { input_tokens: 9, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  expect(status).toBe(200)
  expect(events.every(({ event, data }) => event === data.type)).toBe(true)
  expect(events.map(({ data }) => data)).toEqual([
    {
      type: 'message_start',
      message: {
        id: 'msg_simulated_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Two pieces h' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ere' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_simulated_1', name: 'readFile', input: {} },
    },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":"a.ts"}' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { ...usage, output_tokens: 4 },
    },
    { type: 'message_stop' },
  ])
})

it('takes the turns in order, records what came without credentials, and rejects what is too much', async () => {
  const { url, requests } = await play({ answer: [{ text: 'one' }] }, { fault: { status: 429, retryAfter: 3 } })
  const statuses = [await post(url, body()), await post(url, body()), await post(url, body())]
  expect(statuses.map(({ status }) => status)).toEqual([200, 429, 400])
  expect(messageOf(statuses[2]?.text ?? '')).toBe('scenario "play": the scenario has no more turns than 2')
  expect(requests.map((request) => [request.body, request.rejected])).toEqual([
    [body(), undefined],
    [body(), undefined],
    [body(), 'scenario "play": the scenario has no more turns than 2'],
  ])
  expect(JSON.stringify(requests)).not.toContain('sk-secret')
})

it('is scripted by a function', async () => {
  simulator = await startSimulator({
    respond: ({ body }, n) => ({ answer: [{ text: `${n}: ${body.model}` }] }),
  })
  await post(simulator.url, body())
  expect((await post(simulator.url, body())).text).toContain('"text":"1: claude-te')
})

it('knows no other address', async () => {
  const { url } = await play({ answer: [] })
  const response = await fetch(`${url}/v1/complete`)
  expect([response.status, messageOf(await response.text())]).toEqual([404, 'there is no GET /v1/complete'])
})

it('closes while an answer stalls', async () => {
  const { url, requests } = await play({ fault: { silence: true } })
  const pending = post(url, body()).then(
    () => 'answered',
    () => 'closed',
  )
  await expect.poll(() => requests.length).toBe(1)
  await simulator?.close()
  expect(await pending).toBe('closed')
})

const asked = body({
  tools: [
    tool('editFile', { path: { enum: ['a.ts', '__none__'] }, edits: { items: { enum: ['x'] } } }),
    tool('readFile'),
  ],
  messages: [
    { role: 'user', content: 'Mend it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'readFile', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c', content: 'not found' },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ],
})

it.each<Expectation>([
  {},
  { tools: ['readFile', 'editFile'], system: 'mend', lastUserText: ['not found', 'Go on.'], messages: 3 },
  { enum: { tool: 'editFile', pointer: '/path', contains: ['a.ts'], last: '__none__' } },
  { enum: { tool: 'editFile', pointer: '/edits/*', contains: ['x'] } },
])('the expectation %j holds', async (expect_) => {
  const { url } = await play({ expect: expect_, answer: [] })
  expect((await post(url, asked)).status).toBe(200)
})

it.each<[Expectation, string]>([
  [{ tools: ['editFile'] }, 'expected the tools [editFile], but [editFile, readFile] are offered'],
  [{ messages: 1 }, 'expected 1 messages, but the conversation has 3'],
  [{ system: ['mend', 'cook'] }, 'expected "cook" in the system prompt, but that is "You mend code."'],
  [{ lastUserText: 'Mend it.' }, 'expected "Mend it." in the last message, but that is "not found\nGo on."'],
  [
    { enum: { tool: 'moveFile', pointer: '/from', contains: [] } },
    'expected an enum at /from of moveFile, but that tool is not offered',
  ],
  [
    { enum: { tool: 'readFile', pointer: '/path', contains: [] } },
    'expected an enum at /path of readFile, but there is none',
  ],
  [
    { enum: { tool: 'editFile', pointer: '/path', contains: ['b.ts'] } },
    'expected "b.ts" in the enum at /path of editFile, but it has [a.ts, __none__]',
  ],
  [
    { enum: { tool: 'editFile', pointer: '/path', contains: [], last: 'a.ts' } },
    'expected "a.ts" as the last value of the enum at /path of editFile, but it has [a.ts, __none__]',
  ],
])('the expectation %j does not hold: told, and the turn stays', async (expectation, reason) => {
  const { url } = await play({ expect: expectation, answer: [] })
  for (const _ of [1, 2]) {
    const { status, text } = await post(url, asked)
    expect([status, messageOf(text)]).toEqual([400, `scenario "play", turn 1: ${reason}`])
  }
})

const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'readFile', input: {} }] })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const go = { role: 'user', content: 'go' }
const strict = (schema: JsonObject) => ({ tools: [tool('t', { a: schema }, { strict: true })] })

it.each<[JsonObject, string]>([
  [{ max_tokens: 0 }, 'max_tokens: has to be at least 1'],
  [{ messages: [] }, 'messages: at least one message is required'],
  [{ messages: [use('a')] }, 'messages.0: the first message has to be from the user'],
  [{ messages: [go, use('a')] }, 'messages: this model does not support assistant message prefill'],
  [{ messages: [go, { role: 'assistant', content: [] }, go] }, 'messages.1: content has to be non-empty'],
  [{ messages: [{ role: 'user', content: ' ' }] }, 'messages.0: text content blocks must be non-empty'],
  [{ messages: [go, use('a'), go] }, 'messages.2: tool_use ids were found without tool_result blocks: a'],
  [
    { messages: [go, { role: 'user', content: [result('a')] }] },
    'messages.1: unexpected tool_use_id found in tool_result blocks: a',
  ],
  [
    { messages: [go, use('a'), { role: 'user', content: [result('a'), result('a')] }] },
    'messages.2: each tool_use must have a single result and an id of its own',
  ],
  [
    { messages: [go, use('a'), { role: 'user', content: [{ type: 'text', text: 'x' }, result('a')] }] },
    'messages.2: tool_result blocks have to come first',
  ],
  [{ tools: [{ name: 't', input_schema: { anyOf: [] } }] }, 'tools.0.input_schema: type has to be object'],
  [
    { tools: [{ name: 't', input_schema: { type: 'object', anyOf: [] } }] },
    'tools.0.input_schema: does not support anyOf at the top level',
  ],
  [{ tools: [tool('t', { a: { enum: [] } })] }, 'tools.0.input_schema: enum has to have a value'],
  [strict({ minimum: 1 }), 'tools.0.input_schema: strict tools do not support the schema keyword minimum'],
  [strict({ type: 'object' }), 'tools.0.input_schema: strict tools need additionalProperties to be false'],
  [
    { tools: Array.from({ length: 5 }, (_, n) => tool(`t${n}`, {}, { cache_control: { type: 'ephemeral' } })) },
    'at most 4 blocks with cache_control',
  ],
])('what the API rejects is rejected: %j', async (changes, reason) => {
  const { url, requests } = await play({ answer: [] })
  const { status, text } = await post(url, body(changes))
  expect([status, messageOf(text), requests.map(({ rejected }) => rejected)]).toEqual([400, reason, [reason]])
})
