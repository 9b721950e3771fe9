import { expect, it } from 'vitest'
import type { Message } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import type { CallInput } from '../core/tool.ts'
import { startSimulator } from '../simulator/simulator.ts'
import type { Scenario } from '../simulator/turn.ts'
import { ask, connect, connectChat, connectOpenAi, editFile, request, userSays } from './testing.ts'

const scenario: Scenario = {
  name: 'every-wire',
  task: 't',
  turns: [
    {
      expect: { messages: 1, tools: ['editFile', 'readFile'], system: 'You mend code.', lastUserText: 'Mend it.' },
      answer: [
        { thinking: 'hm' },
        { text: 'I try.' },
        { call: 'editFile', input: { path: 'b.ts' } },
        { rawCall: 'editFile', arguments: '{"pa' },
      ],
    },
    {
      expect: {
        messages: 1,
        tools: ['editFile'],
        enum: { tool: 'editFile', pointer: '/path', contains: ['a.ts'], last: '__none__' },
      },
      answer: [{ call: 'editFile', input: { path: 'a.ts' } }],
    },
    { fault: { status: 529, retryAfterMs: 1 } },
    { expect: { messages: 3, lastUserText: ['edited a.ts', 'no JSON', 'Go on.'] }, answer: [{ text: 'Done.' }] },
  ],
}

const narrowed = {
  ...editFile,
  strict: true,
  inputSchema: { ...editFile.inputSchema, properties: { path: { type: 'string', enum: ['a.ts', '__none__'] } } },
} as const

const servers: [string, (url: string) => Promise<Model>][] = [
  ['the Messages API', connect],
  ['Responses', connectOpenAi],
  ['Chat Completions', connectChat],
  ['a server that binds only a response format', (url) => connectChat(url, { provider: 'ollama' })],
]
it.each(servers)('one scenario plays on %s', async (_, connectTo) => {
  const simulator = await startSimulator(scenario)
  try {
    const model = await connectTo(simulator.url)
    const tools = [editFile, { ...editFile, name: 'readFile' }]
    const first = await ask(model, request({ tools }))
    const content = first.outcome.ok ? first.outcome.value.content : []
    const second = await ask(model, request({ role: 'repair', tools: [narrowed], messages: [userSays('Correct it.')] }))
    const results = content.flatMap((block) => (block.type === 'call' ? [block.call.id] : []))
    const messages: Message[] = [
      userSays('Mend it.'),
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          ...results.map((callId, n) => ({
            type: 'result' as const,
            callId,
            text: n === 0 ? 'edited a.ts' : 'no JSON',
            failed: n > 0,
          })),
          { type: 'text', text: 'Go on.' },
        ],
      },
    ]
    const third = await ask(model, request({ tools, messages }))
    const last = await ask(model, request({ tools, messages }))
    const outcomes = [first, second, third, last].map(({ outcome }) =>
      outcome.ok
        ? outcome.value.content.flatMap((block): (string | CallInput)[] =>
            block.type === 'text' ? [block.text] : block.type === 'call' ? [block.call.input] : [],
          )
        : outcome.failure.kind,
    )
    expect(outcomes).toEqual([
      [
        'I try.',
        { parsed: true, value: { path: 'b.ts' } },
        { parsed: false, raw: '{"pa', error: expect.stringMatching(/./) },
      ],
      [{ parsed: true, value: { path: 'a.ts' } }],
      'provider.transient',
      ['Done.'],
    ])
    expect(simulator.requests.map(({ rejected }) => rejected)).toEqual(Array(4).fill(undefined))
  } finally {
    await simulator.close()
  }
})
