import { expect, it } from 'vitest'
import type { ToolDefinition } from '../core/tool.ts'
import { type RecordedRequest, startSimulator } from '../simulator/simulator.ts'
import type { Turn } from '../simulator/turn.ts'
import { chatEnforcement } from './chat-completions.ts'
import { ask, chatOptions, connectChat, connectOpenAi, editFile, request, withTurns } from './testing.ts'

const strictTool: ToolDefinition = {
  ...editFile,
  strict: true,
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', enum: ['a.ts', '__none__'] }, line: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
}
const replay = request({ tools: [strictTool], system: 'Correct the call.' })
const schema = {
  type: 'object',
  properties: { path: { type: 'string', enum: ['a.ts', '__none__'] }, line: { type: ['integer', 'null'] } },
  required: ['path', 'line'],
  additionalProperties: false,
}
const usage = { input: 1, output: 1 }
const answer = [{ call: 'editFile', input: { path: 'a.ts', line: null } }]
const answered = (id: string) => ({
  ok: true,
  value: {
    content: [
      {
        type: 'call',
        call: { id, name: 'editFile', input: { parsed: true, value: { path: 'a.ts' } }, complete: true },
      },
    ],
    stopReason: 'calls',
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 },
    model: 'gpt-test',
  },
})

it('is a call of the one strict tool where that binds, and null is no value of what is optional', async () => {
  for (const connect of [connectOpenAi, connectChat]) {
    await withTurns([{ answer, usage }], async (url) => {
      expect((await ask(await connect(url), replay)).outcome).toEqual(answered('call_simulated_1'))
    })
  }
})

it('is a question for JSON where only a response format binds, and its answer is the call', async () => {
  await withTurns([{ answer, usage }], async (url, requests) => {
    const model = await connectChat(url, { provider: 'ollama', apiKey: '' })
    const { outcome, events } = await ask(model, replay)
    expect([outcome, events]).toEqual([answered('call'), []])
    const { messages, ...rest } = requests[0]?.body ?? {}
    expect(rest).toEqual({
      model: 'gpt-test',
      max_tokens: 1000,
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: 'editFile', schema, strict: true } },
    })
    expect(messages).toEqual([
      {
        role: 'system',
        content: expect.stringMatching(/^Correct the call\.\n\n.*arguments[\s\S]*editFile: Edits a file\./),
      },
      { role: 'user', content: 'Mend it.' },
    ])
  })
})

const texts: [string, Turn, object][] = [
  ['fenced', { answer: [{ text: '```json\n{"path":"a.ts"}\n```' }] }, { parsed: true, value: { path: 'a.ts' } }],
  [
    'that is none',
    { answer: [{ text: 'Sorry.' }] },
    { parsed: false, raw: 'Sorry.', error: expect.stringMatching(/./) },
  ],
]
it.each(texts)('by format takes JSON %s as the arguments that it is', async (_, turn, input) => {
  await withTurns([turn], async (url) => {
    const { outcome } = await ask(await connectChat(url, { provider: 'groq' }), replay)
    expect(outcome.ok && outcome.value.content).toEqual([
      { type: 'call', call: { id: 'call', name: 'editFile', input, complete: true } },
    ])
  })
})

it('goes by tools once the server refuses the format, and stays so', async () => {
  const turns: Turn[] = [{ fault: { status: 400, message: 'response_format is not supported' } }, { answer, usage }]
  await withTurns(turns, async (url, requests) => {
    const model = await connectChat(url, { provider: 'ollama' })
    await ask(model, replay)
    await ask(model, replay)
    expect(requests.map(({ body }) => [body.response_format !== undefined, body.tools !== undefined])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })
})

/** A server that obeys a schema put in the one way, and the prompt elsewhere. */
async function withEnforcing<T>(
  binds: 'tool' | 'response-format' | 'nothing',
  use: (url: string, requests: readonly RecordedRequest[]) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator({
    respond: ({ body }) => {
      const text = JSON.stringify(body)
      const by = body.response_format === undefined ? 'tool' : 'response-format'
      if (!text.includes('recordChoice')) return { answer, usage }
      // A model that does as it is told, in whatever it gets to read.
      const obeyed = JSON.stringify(body.messages).includes('vorpal-7') ? 'vorpal-7' : 'yes'
      return { answer: [{ call: 'recordChoice', input: { choice: by === binds ? 'vorpal-7' : obeyed } }] }
    },
  })
  try {
    return await use(simulator.url, simulator.requests)
  } finally {
    await simulator.close()
  }
}

it.each([
  ['tool', 1, false],
  ['response-format', 2, true],
  ['nothing', 2, false],
] as const)(
  'on an unknown server that binds %s is put in the way that was found, once',
  async (binds, asked, byFormat) => {
    await withEnforcing(binds, async (url, requests) => {
      const options = chatOptions(url, { provider: 'compatible', apiKey: '' })
      const model = await connectChat(url, options)
      await ask(model)
      expect(requests).toHaveLength(1)
      await ask(model, replay)
      await ask(await connectChat(url, options), replay)
      expect(requests).toHaveLength(1 + asked + 2)
      for (const { body } of requests.slice(1, 1 + asked)) {
        expect(JSON.stringify(body)).toContain('vorpal-7')
        expect(JSON.stringify(body.messages)).toMatch(/yes/)
      }
      expect(requests.at(-1)?.body.response_format !== undefined).toBe(byFormat)
      expect(await chatEnforcement(options, new AbortController().signal)).toEqual({ ok: true, value: binds })
      expect(requests).toHaveLength(1 + asked + 2)
    })
  },
)

it('on an unknown server is found out for each of its models', async () => {
  await withEnforcing('tool', async (url, requests) => {
    const signal = new AbortController().signal
    for (const model of ['one', 'two', 'one'])
      await chatEnforcement(chatOptions(url, { provider: 'compatible', model }), signal)
    expect(requests.map(({ body }) => body.model)).toEqual(['one', 'two'])
  })
})

it('on an unknown server that fails is not taken for one that binds nothing', async () => {
  const turns: Turn[] = [
    { fault: { status: 503 } },
    { answer: [{ call: 'recordChoice', input: { choice: 'vorpal-7' } }] },
  ]
  await withTurns(turns, async (url) => {
    const options = chatOptions(url, { provider: 'compatible' })
    const signal = new AbortController().signal
    const first = await chatEnforcement(options, signal)
    expect(first.ok ? undefined : first.failure.kind).toBe('provider.transient')
    expect(await chatEnforcement(options, signal)).toEqual({ ok: true, value: 'tool' })
  })
})

it.each([
  ['strict', 'Invalid schema for function: strict is not supported', '"strict":true'],
  ['reasoning', 'Encrypted content is not supported with this model.', 'encrypted_content'],
])('goes without %s once Responses rejects it, and stays so', async (_, message, sign) => {
  await withTurns([{ fault: { status: 400, message } }, { answer, usage }], async (url, requests) => {
    const model = await connectOpenAi(url)
    await ask(model, replay)
    await ask(model, replay)
    expect(requests.map(({ body }) => JSON.stringify(body).includes(sign))).toEqual([true, false, false])
  })
})

it('is sent again once only where the provider goes on rejecting', async () => {
  for (const [connect, kind] of [
    [connectOpenAi, 'provider.rejected'],
    [connectChat, 'provider.rejected'],
  ] as const) {
    await withTurns([{ fault: { status: 400, message: 'invalid schema' } }], async (url, requests) => {
      const { outcome } = await ask(await connect(url), replay)
      expect([outcome.ok ? undefined : outcome.failure.kind, requests.length]).toEqual([kind, 2])
    })
  }
})
