import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { type RecordedRequest, startSimulator } from './simulator.ts'
import type { Expectation, Turn } from './turn.ts'

const BETA = 'inline-tools-2026-09-15'

/** Asks the Messages API for an answer, with the beta unless told otherwise: the status, what is said, and what was recorded. */
async function post(body: JsonObject, turn: Turn = { answer: [] }, beta: string | null = `other-2026-01-01, ${BETA}`) {
  const simulator = await startSimulator({ name: 'play', task: 't', turns: [turn] })
  try {
    const response = await fetch(`${simulator.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: beta === null ? {} : { 'anthropic-beta': beta },
      body: JSON.stringify({ model: 'claude-test', max_tokens: 100, ...body }),
    })
    const text = await response.text()
    const message = response.ok ? undefined : (JSON.parse(text).error.message as string)
    return { status: response.status, message, recorded: simulator.requests[0] as RecordedRequest }
  } finally {
    await simulator.close()
  }
}

const tool = (name: string, path: JsonObject = { type: 'string' }, more: JsonObject = {}) => ({
  name,
  input_schema: { type: 'object', properties: { path }, required: ['path'], additionalProperties: false },
  ...more,
})
const tight = tool('readFile', { type: 'string', enum: ['a.ts', '__none__'] }, { strict: true })
const addition = (definition: JsonObject) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition },
})
const system = (...content: JsonObject[]) => ({ role: 'system', content })
const go = { role: 'user', content: 'go' }
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'readFile', input: {} }] }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] }
const tools = [tool('editFile'), tool('readFile')]

it.each<[string, readonly JsonObject[]]>([
  ['last', [go, use, result, system(addition(tight))]],
  ['before an answer', [go, system(addition(tight)), use, result]],
  ['next to another', [go, system(addition(tight)), system(addition(tool('readFile'))), use, result]],
  [
    'with a text, and a reference',
    [
      go,
      system({ type: 'text', text: 'See.' }, addition(tool('moveFile')), {
        type: 'tool_addition',
        tool: { type: 'tool_reference', name: 'moveFile' },
      }),
    ],
  ],
])('a definition may stand %s', async (_, messages) => {
  expect(await post({ tools, messages })).toMatchObject({ status: 200 })
})

it.each<[readonly JsonObject[], string]>([
  [[system(addition(tight)), go], 'messages.0: the first message has to be from the user'],
  [
    [go, use, system(addition(tight)), result],
    'messages.2: a system message has to follow a user message, not stand before the results of calls',
  ],
  [[go, system(addition(tight)), go], 'messages.1: a system message has to be last or before an assistant message'],
  [[go, system()], 'messages.1: content has to be non-empty'],
  [
    [{ role: 'user', content: [addition(tight)] }],
    'messages.0: tool_addition blocks are only permitted in system messages',
  ],
  [[go, { role: 'tool', content: 'x' }], "messages.1.role: Input should be 'user', 'assistant' or 'system'"],
  [[go, system({ type: 'image' })], "messages.1.content.0: 'image' blocks are not permitted in system messages"],
  [[go, system({ type: 'tool_addition' })], 'messages.1.content.0.tool_addition.tool: Field required'],
  [
    [go, system({ type: 'tool_addition', tool: { type: 'tool', name: 'x' } })],
    "messages.1.content.0.tool_addition.tool.type: unexpected value 'tool'",
  ],
  [
    [go, system({ type: 'tool_addition', tool: { type: 'tool_definition' } })],
    'messages.1.content.0.tool_addition.tool.definition: Field required',
  ],
  [
    [go, system({ type: 'tool_addition', tool: { type: 'tool_reference', name: 'moveFile' } })],
    'tool_reference_unresolved: messages.1.content.0 names moveFile',
  ],
  [
    [go, system(addition({ ...tight, type: 'bash_20250124' }))],
    'tool_name_conflict: messages.1.content.0 defines readFile as a tool of another type',
  ],
  [
    [go, system(addition({ name: 'readFile', input_schema: { type: 'object', oneOf: [] } }))],
    'messages.1.content.0.tool_addition.tool.definition.input_schema: does not support oneOf at the top level',
  ],
  [
    [go, system(addition(tool('readFile', { type: 'string', minLength: 1 }, { strict: true })))],
    'messages.1.content.0.tool_addition.tool.definition.input_schema: strict tools do not support the schema keyword minLength',
  ],
  [[go, system(...Array.from({ length: 21 }, () => addition(tight)))], 'tools: at most 20 strict tools'],
])('%j is rejected', async (messages, message) => {
  const { status, message: said, recorded } = await post({ tools, messages })
  expect([status, said, recorded.rejected]).toEqual([400, message, message])
})

it.each([null, 'mid-conversation-tool-changes-2026-07-01'])(
  'under the beta %j a definition is rejected',
  async (beta) => {
    expect(await post({ tools, messages: [go, system(addition(tight))] }, undefined, beta)).toMatchObject({
      status: 400,
      message: `messages.1.content.0.tool_addition: tool_definition requires the beta ${BETA}`,
    })
  },
)

const closed = (properties: JsonObject, required: readonly string[] = Object.keys(properties)) => ({
  tools: [
    { name: 't', strict: true, input_schema: { type: 'object', properties, required, additionalProperties: false } },
  ],
})
const many = (count: number, schema: JsonObject) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, schema]))
it.each<[JsonObject, string]>([
  [closed(many(25, { type: 'string' }), []), 'tools: at most 24 optional parameters in strict tools'],
  [closed(many(17, { type: ['string', 'null'] })), 'tools: at most 16 parameters of several types in strict tools'],
  [
    closed({ a: { type: 'array', items: { anyOf: [{ type: 'string', maxLength: 3 }] } } }),
    'tools.0.input_schema: strict tools do not support the schema keyword maxLength',
  ],
  [closed({ a: { type: 'array', minItems: 2 } }), 'tools.0.input_schema: strict tools support minItems 0 and 1'],
  [closed({ a: { type: 'string', format: 'regex' } }), 'tools.0.input_schema: strict tools do not support this format'],
  [
    closed({ a: { type: 'string', pattern: '\\bx' } }),
    'tools.0.input_schema: strict tools do not support this pattern',
  ],
  [
    closed({ a: { type: 'string', pattern: '(?<!x)y' } }),
    'tools.0.input_schema: strict tools do not support this pattern',
  ],
  [{ tools: [tool('a b')] }, "tools.0.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
])('%j is too much for a strict tool', async (changes, message) => {
  expect(await post({ messages: [go], ...changes })).toMatchObject({ status: 400, message })
})

const overlaid = { tools, messages: [go, use, result, system(addition(tight), addition(tool('moveFile')))] }

it('shows the schema in force to whoever answers', async () => {
  const { recorded } = await post(overlaid)
  expect(recorded.schemas).toEqual({
    editFile: tool('editFile').input_schema,
    readFile: tight.input_schema,
    moveFile: tool('moveFile').input_schema,
  })
})

const path = (tool: string) => ({ tool, pointer: '/path' })
it.each<Expectation>([
  { tools: ['editFile', 'readFile', 'moveFile'], messages: 3, lastUserText: 'ok' },
  { enum: { ...path('readFile'), contains: ['a.ts'], last: '__none__' }, noEnum: path('editFile') },
])('the expectation %j looks at the tools in force', async (expectation) => {
  expect(await post(overlaid, { expect: expectation, answer: [] })).toMatchObject({ status: 200 })
})

it.each<[Expectation, string]>([
  [{ noEnum: path('readFile') }, 'expected no enum at /path of readFile, but it has [a.ts, __none__]'],
  [{ noEnum: path('deleteFile') }, 'expected no enum at /path of deleteFile, but that tool is not offered'],
  [{ enum: { ...path('editFile'), contains: [] } }, 'expected an enum at /path of editFile, but there is none'],
])('the expectation %j does not hold', async (expectation, reason) => {
  const { status, message } = await post(overlaid, { expect: expectation, answer: [] })
  expect([status, message]).toEqual([400, `scenario "play", turn 1: ${reason}`])
})
