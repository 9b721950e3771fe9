import { expect, it } from 'vitest'
import type { AssistantBlock, Message, UserBlock } from '../core/message.ts'
import { checkConversation } from './check-conversation.ts'

const user = (...content: UserBlock[]): Message => ({ role: 'user', content })
const assistant = (...content: AssistantBlock[]): Message => ({ role: 'assistant', content })
const says = (text: string) => ({ type: 'text' as const, text })
const result = (callId: string): UserBlock => ({ type: 'result', callId, text: '', failed: false })
const call = (id: string): AssistantBlock => ({
  type: 'call',
  call: { id, name: 'readFile', input: { parsed: false, raw: '{', error: 'cut' }, complete: false },
})
const thinking: AssistantBlock = { type: 'thinking', text: 'hm', payload: { type: 'thinking' } }

it('takes a conversation as it should be', () => {
  checkConversation([
    user(says('go')),
    assistant(thinking, says('I look.'), call('a'), call('b')),
    user(result('a'), result('b'), says('Then finish.')),
    assistant(says('Done.')),
    user(says('Really?')),
  ])
})

it.each<[string, Message[], string]>([
  ['nothing', [], 'messages[0]: a conversation starts with the user'],
  ['an assistant first', [assistant(says('hi')), user(says('go'))], 'messages[0]: a conversation starts with the user'],
  ['an assistant last', [user(says('go')), assistant(says('hi'))], 'messages[1]: a request ends with the user'],
  ['a blank user turn', [user(says(' '))], 'messages[0]: a user turn without text or result'],
  [
    'an empty assistant turn (B56)',
    [user(says('go')), assistant(), user(says('and?'))],
    'messages[1]: an assistant turn without text or call',
  ],
  [
    'nothing but thinking',
    [user(says('go')), assistant(thinking), user(says('and?'))],
    'messages[1]: an assistant turn without text or call',
  ],
  [
    'a call without result (B41)',
    [user(says('go')), assistant(call('a'), call('b')), user(result('a'))],
    'messages[2]: results for [a] where the calls are [a, b]',
  ],
  [
    'two results for a call (B42)',
    [user(says('go')), assistant(call('a')), user(result('a'), result('a'))],
    'messages[2]: results for [a, a] where the calls are [a]',
  ],
  [
    'results in another order',
    [user(says('go')), assistant(call('a'), call('b')), user(result('b'), result('a'))],
    'messages[2]: results for [b, a] where the calls are [a, b]',
  ],
  [
    'a result without call',
    [user(says('go')), assistant(says('hi')), user(result('a'))],
    'messages[2]: results for [a] where the calls are []',
  ],
  [
    'text before a result',
    [user(says('go')), assistant(call('a')), user(says('so'), result('a'))],
    'messages[2]: text before a result',
  ],
  [
    'an id twice',
    [user(says('go')), assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
    'messages[3]: call id a is used twice',
  ],
  [
    'two assistant turns in a row',
    [user(says('go')), assistant(call('a')), assistant(says('hi')), user(result('a'))],
    'messages[2]: no result for a',
  ],
])('refuses %s', (_, messages, message) => {
  expect(() => checkConversation(messages)).toThrow(new Error(message))
})
