import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { answerTo, closed } from './openai-testing.ts'
import { startSimulator } from './simulator.ts'
import type { Turn } from './turn.ts'

const user = { role: 'user', content: 'go' }
const tool = (name: string, path: JsonObject = { type: 'string' }, more: JsonObject = {}) => ({
  type: 'function',
  name,
  strict: true,
  parameters: { ...closed, properties: { path } },
  ...more,
})
const tight = tool('readFile__g1', { type: 'string', enum: ['a.ts', '__none__'] })
const additional = (...tools: JsonObject[]) => ({ type: 'additional_tools', role: 'developer', tools })
const allowed = (...names: string[]) => ({
  type: 'allowed_tools',
  mode: 'auto',
  tools: names.map((name) => ({ type: 'function', name })),
})
const body = (changes: JsonObject = {}) => ({
  model: 'm',
  tools: [tool('editFile'), tool('readFile')],
  input: [user, additional(tight)],
  tool_choice: allowed('editFile', 'readFile__g1'),
  ...changes,
})
const pattern = "'^[a-zA-Z0-9_-]{1,64}$'"

it.each<[JsonObject, string]>([
  [
    { input: [user, { ...additional(tight), role: 'system' }] },
    "Invalid value: 'system'. Supported values are: 'developer' (input[1].role).",
  ],
  [{ input: [user, additional()] }, "Invalid 'input[1].tools': empty array."],
  [
    { input: [user, additional({ ...tight, type: 'web_search' })] },
    "Invalid value: 'web_search'. Supported here is 'function' (input[1].tools[0].type).",
  ],
  [
    { input: [user, additional(tool('read file'))] },
    `Invalid 'input[1].tools[0].name': string does not match pattern ${pattern}.`,
  ],
  [
    { input: [user, additional(tool('readFile'))] },
    "Invalid 'input[1].tools[0].name': a tool named 'readFile' is declared already.",
  ],
  [
    { input: [user, additional(tight), additional(tool('moveFile'), tight)] },
    "Invalid 'input[2].tools[1].name': a tool named 'readFile__g1' is declared already.",
  ],
  [
    { tools: [tool('readFile'), tool('readFile')] },
    "Invalid 'tools[1].name': a tool named 'readFile' is declared already.",
  ],
  [
    { input: [user, additional(tool('readFile__g1', { type: 'string', minLength: 1 }))] },
    "input[1].tools[0].parameters: 'minLength' is not permitted in a strict schema",
  ],
  [{ tool_choice: allowed('readFile__g2') }, "Tool choice 'readFile__g2' not found in 'tools' parameter."],
  [{ tool_choice: allowed() }, "Invalid 'tool_choice.tools': empty array."],
  [
    { tool_choice: { ...allowed('readFile'), mode: 'none' } },
    "Invalid value: 'none'. Supported values are: 'auto' and 'required' (tool_choice.mode).",
  ],
])('Responses rejects %j', async (changes, reason) => {
  const { status, error, rejected } = await answerTo('/v1/responses', body(changes))
  expect([status, error?.message, rejected]).toEqual([400, reason, reason])
})

const calling = (name: string): Turn => ({ answer: [{ call: name, input: {} }] })
const calledIn = (events: readonly unknown[]) =>
  (events as { type: string; item?: { name?: string } }[]).flatMap(({ type, item }) =>
    type === 'response.output_item.done' ? [item?.name] : [],
  )

it.each<[string, string, JsonObject]>([
  ['readFile', 'readFile__g1', {}],
  ['readFile__g1', 'readFile__g1', {}],
  ['editFile', 'editFile', {}],
  ['a tool that the model makes up', 'a tool that the model makes up', {}],
  // Nothing takes a declared tool away but what is allowed.
  ['readFile', 'readFile', { tool_choice: 'auto' }],
  ['readFile__g1', 'readFile__g1', { tool_choice: 'auto' }],
])('a call of %s is made as %s where %j', async (name, made, changes) => {
  const { events } = await answerTo('/v1/responses', body(changes), calling(name))
  expect(calledIn(events)).toEqual([made])
})

it('a tool that is not allowed can not be called, be it by a scenario or a function', async () => {
  const asked = body({ tool_choice: allowed('editFile') })
  const reason = 'the answer calls readFile, which the request does not allow'
  const { status, rejected } = await answerTo('/v1/responses', asked, calling('readFile'))
  expect([status, rejected]).toEqual([400, `scenario "play", turn 1: ${reason}`])
  const simulator = await startSimulator({ respond: () => ({ answer: [{ rawCall: 'readFile', arguments: '{' }] }) })
  try {
    const response = await fetch(`${simulator.url}/v1/responses`, { method: 'POST', body: JSON.stringify(asked) })
    expect([response.status, simulator.requests.map((one) => one.rejected)]).toEqual([400, [reason]])
  } finally {
    await simulator.close()
  }
})

it('expectations and functions see what may be called, by the name of the tool', async () => {
  const expected: Turn = {
    expect: {
      tools: ['editFile', 'readFile'],
      messages: 1,
      lastUserText: 'go',
      enum: { tool: 'readFile', pointer: '/path', contains: ['a.ts'], last: '__none__' },
      noEnum: { tool: 'editFile', pointer: '/path' },
    },
    answer: [],
  }
  expect(await answerTo('/v1/responses', body(), expected)).toMatchObject({ status: 200 })
  const seen: unknown[] = []
  const simulator = await startSimulator({
    respond: ({ schemas }) => {
      seen.push(schemas)
      return { answer: [] }
    },
  })
  try {
    for (const asked of [body(), body({ tool_choice: 'auto' })])
      await fetch(`${simulator.url}/v1/responses`, { method: 'POST', body: JSON.stringify(asked) })
  } finally {
    await simulator.close()
  }
  const loose = tool('readFile').parameters
  expect(seen).toEqual([
    { editFile: loose, readFile: tight.parameters },
    { editFile: loose, readFile: loose },
  ])
})
