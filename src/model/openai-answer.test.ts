import { describe, expect, it } from 'vitest'
import type { Message } from '../core/message.ts'
import type { Turn } from '../simulator/turn.ts'
import { ask, connectChat, connectOpenAi, OPENAI_WIRES, request, userSays, withTurns } from './testing.ts'

const usage = { input: 100, cacheRead: 20, cacheWrite: 3, output: 7 }
const thought = 'Let me see what the file says about it.'
const said = 'Ich sehe es: die Stra\u00dfe, \u{1F600} und mehr.'
const input = { path: 'a.ts', edits: [{ oldText: '"\\d+"\n', newText: '\u{1F600}' }] }
const turn: Turn = {
  answer: [{ thinking: thought }, { text: said }, { call: 'editFile', input }, { call: 'editFile', input: {} }],
  usage,
}
const calls = [input, {}].map((value, n) => ({
  type: 'call',
  call: { id: `call_simulated_${n + 1}`, name: 'editFile', input: { parsed: true, value }, complete: true },
}))

it('is put together from the pieces of Responses, reasoning untouched', async () => {
  await withTurns([turn], async (url) => {
    const { outcome, text } = await ask(await connectOpenAi(url))
    const payload = {
      id: 'rs_0',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: Buffer.from(thought).toString('base64'),
      status: 'completed',
    }
    const content = [{ type: 'thinking', text: thought, payload }, { type: 'text', text: said }, ...calls]
    expect(outcome).toEqual({ ok: true, value: { content, stopReason: 'calls', usage, model: 'gpt-test' } })
    expect(text).toBe(said)
  })
})

it('is put together from the pieces of Chat Completions, thinking aside', async () => {
  await withTurns([turn], async (url) => {
    const { outcome, text } = await ask(await connectChat(url))
    const payload = { type: 'chat_reasoning', text: thought, details: [] }
    const content = [{ type: 'thinking', text: thought, payload }, { type: 'text', text: said }, ...calls]
    expect(outcome).toEqual({ ok: true, value: { content, stopReason: 'calls', usage, model: 'gpt-test' } })
    expect(text).toBe(said)
  })
})

describe.each(OPENAI_WIRES)('an answer over %s', (_, connect) => {
  it('without content is empty and no error (B56)', async () => {
    await withTurns([{ answer: [], usage }], async (url) => {
      const value = { content: [], stopReason: 'end', usage, model: 'gpt-test' }
      expect((await ask(await connect(url))).outcome).toEqual({ ok: true, value })
    })
  })

  it('keeps nothing of blank text or of thinking that led to nothing', async () => {
    const blank: Turn = { answer: [{ text: ' \n' }, { thinking: 'hm' }], stopReason: 'max_tokens', usage }
    await withTurns([blank], async (url) => {
      const value = { content: [], stopReason: 'length', usage, model: 'gpt-test' }
      expect((await ask(await connect(url))).outcome).toEqual({ ok: true, value })
    })
  })

  it.each([
    ['a backslash that is no escape (B39)', '{"re":"\\d+"}'],
    ['an inner quote (B39)', '{"re":"say "hi""}'],
    ['two objects in a row', '{"path":"a.ts"}{"path":"b.ts"}'],
    ['a text that breaks off (B35)', '{"path":"a.t'],
    ['an array', '["a.ts"]'],
  ])('has the raw arguments where they are no JSON object: %s', async (_, raw) => {
    await withTurns([{ answer: [{ rawCall: 'editFile', arguments: raw }] }], async (url) => {
      const { outcome } = await ask(await connect(url))
      expect(outcome.ok && outcome.value.content).toEqual([
        {
          type: 'call',
          call: {
            id: 'call_simulated_1',
            name: 'editFile',
            input: { parsed: false, raw, error: expect.stringMatching(/./) },
            complete: true,
          },
        },
      ])
    })
  })

  it('that the token limit cut has an incomplete last call, also where its arguments look whole', async () => {
    const answer = ['a.ts', 'b.ts'].map((path) => ({ call: 'editFile', input: { path } }))
    await withTurns([{ answer, stopReason: 'max_tokens' }], async (url) => {
      const { outcome } = await ask(await connect(url))
      const complete = outcome.ok && outcome.value.content.map((block) => block.type === 'call' && block.call.complete)
      expect([complete, outcome.ok && outcome.value.stopReason]).toEqual([[true, false], 'length'])
    })
  })

  it('never has two calls of one id, nor one that the run had before (B42)', async () => {
    const answer = ['a.ts', 'b.ts'].map((path) => ({ call: 'editFile', input: { path } }))
    const call = {
      id: 'call_simulated_1',
      name: 'editFile',
      input: { parsed: true as const, value: {} },
      complete: true,
    }
    const messages: Message[] = [
      userSays('go'),
      { role: 'assistant', content: [{ type: 'call', call }] },
      { role: 'user', content: [{ type: 'result', callId: 'call_simulated_1', text: 'ok', failed: false }] },
    ]
    await withTurns([{ answer, fault: { duplicateIds: true } }], async (url) => {
      const { outcome } = await ask(await connect(url), request({ messages }))
      const ids = outcome.ok && outcome.value.content.map((block) => block.type === 'call' && block.call.id)
      expect(ids).toEqual(['call_simulated_1_2', 'call_simulated_1_3'])
    })
  })

  it('is not hurt by events and items of unknown kinds', async () => {
    await withTurns([{ answer: [{ text: 'fine' }], usage, fault: { badEvents: true } }], async (url) => {
      const value = { content: [{ type: 'text', text: 'fine' }], stopReason: 'end', usage, model: 'gpt-test' }
      expect((await ask(await connect(url))).outcome).toEqual({ ok: true, value })
    })
  })

  it('goes back with what follows it, and the server takes it', async () => {
    const turns: Turn[] = [
      { answer: [{ thinking: 'hm' }, { text: 'I try.' }, { rawCall: 'editFile', arguments: '{"path":"a.t' }] },
      { answer: [{ text: 'ok' }] },
    ]
    await withTurns(turns, async (url, requests) => {
      const model = await connect(url)
      const first = await ask(model)
      const content = first.outcome.ok ? first.outcome.value.content : []
      const result = { type: 'result' as const, callId: 'call_simulated_1', text: 'no JSON', failed: true }
      const messages: Message[] = [
        userSays('Mend it.'),
        { role: 'assistant', content },
        { role: 'user', content: [result, { type: 'text', text: 'Again.' }] },
      ]
      const second = await ask(model, request({ messages }))
      expect([second.outcome.ok, requests.map(({ rejected }) => rejected)]).toEqual([true, [undefined, undefined]])
      // What was sent before stays as it is, byte for byte: the provider's cache depends on it.
      const [before, after] = requests.map(({ body }) => JSON.stringify(body.input ?? body.messages).slice(0, -1))
      expect(after?.startsWith(before ?? '-')).toBe(true)
      expect(JSON.stringify(requests[1]?.body.tools)).toBe(JSON.stringify(requests[0]?.body.tools))
    })
  })
})
