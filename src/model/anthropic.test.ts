import { describe, expect, it } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { Message } from '../core/message.ts'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import type { Turn } from '../simulator/turn.ts'
import { ask, connect, editFile, request, userSays, withTurns } from './testing.ts'

describe('the history', () => {
  it('sends a malformed call back as an empty object, so that the next request is valid (B35)', async () => {
    const turns: Turn[] = [
      { answer: [{ rawCall: 'editFile', arguments: '{"path":"a.t' }] },
      { answer: [{ text: 'ok' }] },
    ]
    await withTurns(turns, async (url, requests) => {
      const model = await connect(url)
      const first = await ask(model)
      const content = first.outcome.ok ? first.outcome.value.content : []
      const messages: Message[] = [
        userSays('Mend it.'),
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'result', callId: 'toolu_simulated_1', text: 'no JSON', failed: true }] },
      ]
      const second = await ask(model, request({ messages }))
      expect(second.outcome.ok).toBe(true)
      expect(requests[1]?.body.messages).toEqual([
        { role: 'user', content: [{ type: 'text', text: 'Mend it.', cache_control: { type: 'ephemeral' } }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_simulated_1', name: 'editFile', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_simulated_1',
              content: 'no JSON',
              is_error: true,
              cache_control: { type: 'ephemeral' },
            },
          ],
        },
      ])
    })
  })

  it('with a call that has no result is a defect and is not sent (B41)', async () => {
    await withTurns([{ answer: [] }], async (url, requests) => {
      const call = { id: 'c1', name: 'editFile', input: { parsed: true as const, value: {} }, complete: true }
      const messages: Message[] = [
        userSays('go'),
        { role: 'assistant', content: [{ type: 'call', call }] },
        userSays('and?'),
      ]
      await expect(ask(await connect(url), request({ messages }))).rejects.toThrow(
        'messages[2]: results for [] where the calls are [c1]',
      )
      expect(requests).toEqual([])
    })
  })
})

describe('strict tools', () => {
  const strictTool = { ...editFile, strict: true }

  it('go without strict once the provider rejects it, and stay so', async () => {
    const rejected = { status: 400, message: 'tools.0: the compiled grammar is too large, reduce strict tools' }
    const turns: Turn[] = [{ fault: rejected }, { answer: [{ text: 'ok' }] }]
    await withTurns(turns, async (url, requests) => {
      const model = await connect(url)
      const asked = request({ tools: [strictTool] })
      expect((await ask(model, asked)).outcome.ok).toBe(true)
      expect((await ask(model, asked)).outcome.ok).toBe(true)
      const strict = requests.map(({ body }) => JSON.stringify(body.tools).includes('"strict":true'))
      expect(strict).toEqual([true, false, false])
    })
  })

  it('are sent again once only', async () => {
    await withTurns([{ fault: { status: 400, message: 'tools.0: invalid schema' } }], async (url, requests) => {
      const { outcome } = await ask(await connect(url), request({ tools: [strictTool] }))
      expect(outcome.ok ? undefined : outcome.failure.kind).toBe('provider.rejected')
      expect(requests).toHaveLength(2)
    })
  })
})

describe('an abort', () => {
  it('before, during silence, and amid the answer gives the failure that it was made with', async () => {
    const reason = new FailureError({ kind: 'budget.time', limitMs: 5 }, 'out of time')
    const turns: Turn[] = [
      { fault: { silence: true } },
      { answer: [{ text: 'some text here' }], fault: { stallAfterDeltas: 1 } },
    ]
    await withTurns(turns, async (url, requests) => {
      const model = await connect(url)
      expect((await ask(model, request(), AbortSignal.abort(reason))).outcome).toEqual({
        ok: false,
        failure: reason.failure,
      })
      const silent = new AbortController()
      const waiting = ask(model, request(), silent.signal)
      await expect.poll(() => requests.length).toBe(1)
      silent.abort(reason)
      expect((await waiting).outcome).toEqual({ ok: false, failure: reason.failure })

      const amid = new AbortController()
      const answering = model.answer(request(), amid.signal)
      expect(await answering.next()).toEqual({ done: false, value: { type: 'text', text: 'some text he' } })
      const rest = answering.next()
      amid.abort()
      expect(await rest).toEqual({
        done: true,
        value: { ok: false, failure: { kind: 'user.cancelled', signal: 'SIGINT' } },
      })
    })
  })

  it('leaves no listener on the signal', async () => {
    await withTurns([{ answer: [{ text: 'ok' }] }], async (url) => {
      const { signal } = new AbortController()
      let listeners = 0
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners++
        add(...args)
      }
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners--
        remove(...args)
      }
      await ask(await connect(url), request(), signal)
      expect(listeners).toBe(0)
    })
  })
})

it.each([
  ['localhost:8080', 'the base URL is no http or https address; give one like https://host:port'],
  ['http://', 'the base URL is no http or https address; give one like https://host:port'],
  ['https://me:secret@host', 'the base URL has a user or password in it, which is not supported; leave it out'],
])('the base URL %s is refused at once', async (url, message) => {
  await expect(connect(url)).rejects.toThrow(new UserError(message, EXIT.configuration))
})
