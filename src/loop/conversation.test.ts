import { expect, it } from 'vitest'
import type { Message } from '../core/message.ts'
import { Conversation } from './conversation.ts'

const call = (id: string): Message => ({
  role: 'assistant',
  content: [
    { type: 'call', call: { id, name: 'readFile', complete: true, input: { parsed: true, value: { path: id } } } },
  ],
})
const long = (text: string) => `${text}\n${'line\n'.repeat(200)}`

it('shortens old results to their beginning, keeps the latest, and can be asked again', () => {
  const conversation = new Conversation('main', 'plan', 'system', [], 'task')
  for (const id of ['a', 'b', 'c']) {
    conversation.add(call(id))
    conversation.reply([{ type: 'result', callId: id, text: id === 'b' ? 'short' : long(id), failed: false }])
  }
  const before = conversation.estimatedTokens
  expect(conversation.shrink('(shortened)')).toBe(1)
  expect(conversation.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'task' }] },
    call('a'),
    {
      role: 'user',
      content: [
        {
          type: 'result',
          callId: 'a',
          text: `a\n${'line\n'.repeat(59)}(shortened)`,
          failed: false,
        },
      ],
    },
    call('b'),
    { role: 'user', content: [{ type: 'result', callId: 'b', text: 'short', failed: false }] },
    call('c'),
    { role: 'user', content: [{ type: 'result', callId: 'c', text: long('c'), failed: false }] },
  ])
  expect(conversation.estimatedTokens).toBeLessThan(before)
  expect(conversation.shrink('(shortened)')).toBe(0)
})
