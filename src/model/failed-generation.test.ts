import { expect, it } from 'vitest'
import { NO_USAGE } from '../core/message.ts'
import { answerOf, made } from './chat-testing.ts'
import { ask, connectChat, withServer } from './testing.ts'

const failedCall = (failed_generation: string) => ({
  error: {
    message: 'Failed to call a function.',
    type: 'invalid_request_error',
    code: 'tool_use_failed',
    failed_generation,
  },
})
const generations: [string, string, object][] = [
  [
    'a call of which only the arguments are wrong',
    '{"name": "editFile", "arguments": {"path": 1}}',
    made('call', 'editFile', { path: 1 }),
  ],
  ['a call in a list', '[{"name": "editFile", "parameters": {}}]', made('call', 'editFile', {})],
  ['a call with its arguments as text', '{"name":"editFile","arguments":"{}"}', made('call', 'editFile', {})],
  ['a call in tags', '<tool_call>{"name":"editFile","arguments":{}}</tool_call>', made('call', 'editFile', {})],
  ['a call in a tag of its own', '<function=editFile>{"path":"a"}</function>', made('call', 'editFile', { path: 'a' })],
  [
    'a call that breaks off',
    '<function=editFile>{"path":"a',
    {
      type: 'call',
      call: {
        id: 'call',
        name: 'editFile',
        input: { parsed: false, raw: '<function=editFile>{"path":"a', error: 'Failed to call a function.' },
        complete: true,
      },
    },
  ],
  ['no call at all', 'I am done.', { type: 'text', text: 'I am done.' }],
]
it.each(generations)('what Groq refuses as %s is an answer', async (_, generation, block) => {
  const body = failedCall(generation)
  const value = {
    content: [block],
    stopReason: block && 'call' in block ? 'calls' : 'end',
    usage: NO_USAGE,
    model: 'gpt-test',
  }
  const refused = await withServer(
    (_, response) => response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    async (url) => (await ask(await connectChat(url, { provider: 'groq' }))).outcome,
  )
  expect(refused).toEqual({ ok: true, value })
  expect(await answerOf([body], { provider: 'groq' })).toEqual({ ok: true, value })
})
