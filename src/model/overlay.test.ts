import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { type Simulator, startSimulator } from '../simulator/simulator.ts'
import type { Scenario } from '../simulator/turn.ts'
import { callsOf, converse, LISTED, type Reply, readFile, tightened } from './overlay-testing.ts'
import { type Connect, connect, connectChat, connectOpenAi, editFile } from './testing.ts'

/** Whole conversations over real sockets, in which two tools are tightened and taken back one after the other. */

const enumOf = (tool: string, contains: string) => ({ tool, pointer: '/path', contains: [contains], last: '__none__' })
const scenario: Scenario = {
  name: 'overlay',
  task: 't',
  turns: [
    {
      expect: { messages: 1, noEnum: { tool: 'editFile', pointer: '/path' } },
      answer: [{ call: 'editFile', input: { path: 'b.ts' } }],
    },
    {
      expect: {
        messages: 3,
        tools: ['editFile', 'readFile'],
        lastUserText: 'no such file',
        enum: enumOf('editFile', 'a.ts'),
      },
      answer: [{ call: 'editFile', input: { path: 'a.ts' } }],
    },
    {
      expect: { messages: 5, tools: ['editFile', 'readFile'], noEnum: { tool: 'editFile', pointer: '/path' } },
      answer: [
        { call: 'readFile', input: { path: 'c.ts' } },
        { call: 'editFile', input: { path: 'a.ts' } },
      ],
    },
    {
      expect: { messages: 7, enum: enumOf('readFile', 'd.ts'), noEnum: { tool: 'editFile', pointer: '/path' } },
      answer: [{ call: 'readFile', input: { path: 'd.ts', line: null } }],
    },
    {
      expect: { messages: 9, enum: enumOf('editFile', 'e.ts'), noEnum: { tool: 'readFile', pointer: '/path' } },
      answer: [{ text: 'Done.' }],
    },
  ],
}
const REPLIES: readonly Reply[] = [
  { results: 'no such file', definitions: [tightened(editFile, 'a.ts')] },
  { definitions: [editFile] },
  { results: 'no such file', definitions: [tightened(readFile, 'd.ts')] },
  { definitions: [tightened(editFile, 'e.ts'), readFile] },
]

const CALLED = [
  [['editFile', { path: 'b.ts' }]],
  [['editFile', { path: 'a.ts' }]],
  [
    ['readFile', { path: 'c.ts' }],
    ['editFile', { path: 'a.ts' }],
  ],
]

/** As sent while nothing holds the model to it. */
const loose = ({ inputSchema: { additionalProperties: _, ...schema } }: ToolDefinition) => schema

async function play(connectTo: Connect, use: (played: Simulator['requests'], calls: unknown[]) => void): Promise<void> {
  const simulator = await startSimulator(scenario)
  try {
    const { answers } = await converse(await connectTo(simulator.url), REPLIES)
    expect(simulator.requests.map(({ rejected }) => rejected)).toEqual(Array(5).fill(undefined))
    // The tool list goes out the same, byte for byte, from first to last.
    expect(new Set(simulator.requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1)
    use(simulator.requests, answers.map(callsOf))
  } finally {
    await simulator.close()
  }
}

it('on the Messages API a definition is added by a message of the system', async () => {
  await play(connect, (requests, calls) => {
    expect(calls).toEqual([...CALLED, [['readFile', { path: 'd.ts', line: null }]], []])
    expect(requests.map(({ headers }) => headers['anthropic-beta'])).toEqual([
      undefined,
      ...Array(4).fill('inline-tools-2026-09-15'),
    ])
    const described = { name: 'editFile', description: 'Edits a file.' }
    const read = { name: 'readFile', description: 'Reads a file.' }
    const strictRead = tightened({ ...readFile, inputSchema: { ...readFile.inputSchema, properties: {} } }, 'd.ts')
    const addition = (definition: object) => ({
      type: 'tool_addition',
      tool: { type: 'tool_definition', definition },
    })
    const system = (...definitions: object[]) => ({ role: 'system', content: definitions.map(addition) })
    const cached = { cache_control: { type: 'ephemeral' } }
    const use = (n: number, name: string, input: object) => ({
      type: 'tool_use',
      id: `toolu_simulated_${n}`,
      name,
      input,
    })
    const said = (...content: object[]) => ({ role: 'assistant', content })
    const result = (n: number, content: string, more: object = {}) => ({
      type: 'tool_result',
      tool_use_id: `toolu_simulated_${n}`,
      content,
      ...more,
    })
    expect(requests.at(-1)?.body).toEqual({
      model: 'claude-test',
      max_tokens: 1000,
      stream: true,
      system: [{ type: 'text', text: 'You mend code.', ...cached }],
      tools: [
        { ...described, input_schema: loose(editFile) },
        { ...read, input_schema: loose(readFile), ...cached },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Mend it.' }] },
        said(use(1, 'editFile', { path: 'b.ts' })),
        { role: 'user', content: [result(1, 'no such file')] },
        system({ ...described, input_schema: tightened(editFile, 'a.ts').inputSchema, strict: true }),
        said(use(2, 'editFile', { path: 'a.ts' })),
        { role: 'user', content: [result(2, 'ok')] },
        system({ ...described, input_schema: loose(editFile) }),
        said(use(3, 'readFile', { path: 'c.ts' }), use(4, 'editFile', { path: 'a.ts' })),
        { role: 'user', content: [result(3, 'no such file'), result(4, 'no such file', cached)] },
        system({
          ...read,
          strict: true,
          input_schema: {
            ...strictRead.inputSchema,
            properties: { ...strictRead.inputSchema.properties, line: { type: 'integer' } },
          },
        }),
        said(use(5, 'readFile', { path: 'd.ts', line: null })),
        { role: 'user', content: [result(5, 'ok', cached)] },
        system(
          { ...described, input_schema: tightened(editFile, 'e.ts').inputSchema, strict: true },
          { ...read, input_schema: loose(readFile) },
        ),
      ],
    })
  })
})

it('on Responses a definition is an additional tool under an alias, and the loose one is not allowed', async () => {
  await play(connectOpenAi, (requests, calls) => {
    expect(calls).toEqual([...CALLED, [['readFile', { path: 'd.ts' }]], []])
    const allowed = (...names: string[]) => ({
      type: 'allowed_tools',
      mode: 'auto',
      tools: names.map((name) => ({ type: 'function', name })),
    })
    expect(requests.map(({ body }) => body.tool_choice)).toEqual([
      undefined,
      allowed('editFile__g1', 'readFile'),
      allowed('editFile', 'readFile'),
      allowed('editFile', 'readFile__g1'),
      allowed('editFile__g3', 'readFile'),
    ])
    const edit = { type: 'function', description: 'Edits a file.' }
    const read = { type: 'function', description: 'Reads a file.' }
    const path = (...values: string[]) => ({ type: 'string', enum: [...values, '__none__'] })
    const parameters = (properties: object) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })
    const additional = (...tools: object[]) => ({ type: 'additional_tools', role: 'developer', tools })
    const call = (n: number, name: string, args: string) => ({
      type: 'function_call',
      call_id: `call_simulated_${n}`,
      name,
      arguments: args,
    })
    const output = (n: number, text: string) => ({
      type: 'function_call_output',
      call_id: `call_simulated_${n}`,
      output: text,
    })
    const { tools, input } = requests.at(-1)?.body ?? {}
    expect({ tools, input }).toEqual({
      tools: [
        { ...edit, name: 'editFile', parameters: loose(editFile), strict: false },
        { ...read, name: 'readFile', parameters: loose(readFile), strict: false },
      ],
      input: [
        { role: 'user', content: 'Mend it.' },
        call(1, 'editFile', '{"path":"b.ts"}'),
        output(1, 'no such file'),
        additional({ ...edit, name: 'editFile__g1', strict: true, parameters: parameters({ path: path('a.ts') }) }),
        call(2, 'editFile__g1', '{"path":"a.ts"}'),
        output(2, 'ok'),
        call(3, 'readFile', '{"path":"c.ts"}'),
        call(4, 'editFile', '{"path":"a.ts"}'),
        output(3, 'no such file'),
        output(4, 'no such file'),
        additional({
          ...read,
          name: 'readFile__g1',
          strict: true,
          parameters: parameters({ path: path('d.ts'), line: { type: ['integer', 'null'], minimum: 1 } }),
        }),
        call(5, 'readFile__g1', '{"path":"d.ts"}'),
        output(5, 'ok'),
        additional({ ...edit, name: 'editFile__g3', strict: true, parameters: parameters({ path: path('e.ts') }) }),
      ],
    })
    const inputs = requests.map(({ body }) => body.input as readonly JsonObject[])
    for (const [n, one] of inputs.entries())
      expect(JSON.stringify(inputs[n + 1]?.slice(0, one.length) ?? one)).toBe(JSON.stringify(one))
  })
})

it('on Responses another process sends calls back by their own names', async () => {
  const simulator = await startSimulator({ respond: (_, n) => (n < 2 ? (scenario.turns[n] ?? {}) : { answer: [] }) })
  try {
    const { requests } = await converse(await connectOpenAi(simulator.url), REPLIES.slice(0, 2))
    const again = await connectOpenAi(simulator.url)
    const last = requests.at(-1)
    if (last) await again.answer(last, new AbortController().signal).next()
    const names = simulator.requests
      .slice(2)
      .map(({ body }) =>
        (body.input as readonly JsonObject[]).flatMap(({ type, name }) => (type === 'function_call' ? [name] : [])),
      )
    expect(names).toEqual([
      ['editFile', 'editFile__g1'],
      ['editFile', 'editFile'],
    ])
  } finally {
    await simulator.close()
  }
})

it('on Chat Completions definitions within the conversation are left out', async () => {
  const simulator = await startSimulator({ respond: (_, n) => ({ answer: scenario.turns[n]?.answer ?? [] }) })
  try {
    await converse(await connectChat(simulator.url), REPLIES.slice(0, 2))
    expect(simulator.requests.map(({ schemas, body }) => [schemas.editFile, JSON.stringify(body.messages)])).toEqual(
      simulator.requests.map(() => [editFile.inputSchema, expect.not.stringContaining('__none__')]),
    )
    expect(LISTED.map(({ name }) => name)).toEqual(Object.keys(simulator.requests[0]?.schemas ?? {}))
  } finally {
    await simulator.close()
  }
})
