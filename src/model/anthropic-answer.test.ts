import { describe, expect, it } from 'vitest'
import type { Message } from '../core/message.ts'
import type { Turn } from '../simulator/turn.ts'
import { ask, connect, request, userSays, withTurns } from './testing.ts'

const usage = { input: 100, cacheRead: 20, cacheWrite: 3, output: 7 }

describe('an answer', () => {
  it('is put together from its pieces, thinking untouched', async () => {
    const turn: Turn = {
      answer: [
        { thinking: 'Let me see what the file says about it.' },
        { redactedThinking: 'b3BhcXVl' },
        { text: 'Ich sehe es: die Stra\u00dfe, \u{1F600} und mehr.' },
        { call: 'editFile', input: { path: 'a.ts', edits: [{ oldText: '"\\d+"\n', newText: '\u{1F600}' }] } },
        { call: 'editFile', input: {} },
      ],
      usage,
    }
    await withTurns([turn], async (url) => {
      const { outcome, text } = await ask(await connect(url))
      expect(outcome).toEqual({
        ok: true,
        value: {
          content: [
            {
              type: 'thinking',
              text: 'Let me see what the file says about it.',
              payload: {
                type: 'thinking',
                thinking: 'Let me see what the file says about it.',
                signature: Buffer.from('Let me see what the file says about it.').toString('base64'),
              },
            },
            { type: 'thinking', text: '', payload: { type: 'redacted_thinking', data: 'b3BhcXVl' } },
            { type: 'text', text: 'Ich sehe es: die Stra\u00dfe, \u{1F600} und mehr.' },
            {
              type: 'call',
              call: {
                id: 'toolu_simulated_1',
                name: 'editFile',
                input: {
                  parsed: true,
                  value: { path: 'a.ts', edits: [{ oldText: '"\\d+"\n', newText: '\u{1F600}' }] },
                },
                complete: true,
              },
            },
            {
              type: 'call',
              call: { id: 'toolu_simulated_2', name: 'editFile', input: { parsed: true, value: {} }, complete: true },
            },
          ],
          stopReason: 'calls',
          usage,
          model: 'claude-test',
        },
      })
      expect(text).toBe('Ich sehe es: die Stra\u00dfe, \u{1F600} und mehr.')
    })
  })

  it('without content is empty and no error (B56)', async () => {
    await withTurns([{ answer: [], usage }], async (url) => {
      const { outcome } = await ask(await connect(url))
      expect(outcome).toEqual({ ok: true, value: { content: [], stopReason: 'end', usage, model: 'claude-test' } })
    })
  })

  it('keeps nothing of blank text or of thinking that led to nothing', async () => {
    await withTurns(
      [{ answer: [{ text: ' \n' }, { thinking: 'hm' }], stopReason: 'max_tokens', usage }],
      async (url) => {
        const { outcome } = await ask(await connect(url))
        expect(outcome).toEqual({ ok: true, value: { content: [], stopReason: 'length', usage, model: 'claude-test' } })
      },
    )
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
      const call = outcome.ok && outcome.value.content[0]?.type === 'call' ? outcome.value.content[0].call : undefined
      expect(call).toEqual({
        id: 'toolu_simulated_1',
        name: 'editFile',
        input: { parsed: false, raw, error: expect.stringMatching(/./) },
        complete: true,
      })
    })
  })

  it('that the token limit cut has an incomplete last call, also where its arguments look whole', async () => {
    const answer = [
      { call: 'editFile', input: { path: 'a.ts' } },
      { call: 'editFile', input: { path: 'b.ts' } },
    ]
    await withTurns([{ answer, stopReason: 'max_tokens' }], async (url) => {
      const { outcome } = await ask(await connect(url))
      const complete = outcome.ok && outcome.value.content.map((block) => block.type === 'call' && block.call.complete)
      expect(complete).toEqual([true, false])
    })
  })

  it('never has two calls of one id, nor one that the run had before (B42)', async () => {
    const answer = [
      { call: 'editFile', input: { path: 'a.ts' } },
      { call: 'editFile', input: { path: 'b.ts' } },
    ]
    await withTurns([{ answer, fault: { duplicateIds: true } }], async (url) => {
      const history: Message[] = [
        userSays('go'),
        {
          role: 'assistant',
          content: [
            {
              type: 'call',
              call: { id: 'toolu_simulated_1', name: 'editFile', input: { parsed: true, value: {} }, complete: true },
            },
          ],
        },
        { role: 'user', content: [{ type: 'result', callId: 'toolu_simulated_1', text: 'ok', failed: false }] },
      ]
      const { outcome } = await ask(await connect(url), request({ messages: history }))
      const ids = outcome.ok && outcome.value.content.map((block) => block.type === 'call' && block.call.id)
      expect(ids).toEqual(['toolu_simulated_1_2', 'toolu_simulated_1_3'])
    })
  })

  it('is not hurt by events, blocks and deltas of unknown kinds', async () => {
    await withTurns([{ answer: [{ text: 'fine' }], usage, fault: { badEvents: true } }], async (url) => {
      const { outcome } = await ask(await connect(url))
      expect(outcome).toEqual({
        ok: true,
        value: { content: [{ type: 'text', text: 'fine' }], stopReason: 'end', usage, model: 'claude-test' },
      })
    })
  })
})
