import { describe, expect, it } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { Message } from '../core/message.ts'
import type { Turn } from '../simulator/turn.ts'
import {
  ask,
  type Connect,
  connectChat,
  connectOpenAi,
  failureOf,
  OPENAI_WIRES,
  request,
  transient,
  userSays,
  withoutPort,
  withTurns,
} from './testing.ts'

const answer = [{ text: 'A text of several pieces, so that there is something to break.' }]
const call = { call: 'editFile', input: { path: 'a/long/path/to/a/file/in/the/repository.ts' } }

describe.each(OPENAI_WIRES)('over %s', (_, connect) => {
  const statuses: [string, Turn['fault'], object][] = [
    [
      '401',
      { status: 401, message: 'Incorrect API key provided: sk-secret' },
      {
        kind: 'provider.auth',
        reason: 'the provider does not accept the API key (HOST answered 401: Incorrect API key provided: [API key])',
      },
    ],
    [
      '429 for want of quota',
      { status: 429, errorType: 'insufficient_quota', message: 'You exceeded your current quota' },
      {
        kind: 'provider.quota',
        reason: 'the account has no credit or quota left (HOST answered 429: You exceeded your current quota)',
      },
    ],
    [
      '403',
      { status: 403, message: 'no access' },
      { kind: 'provider.auth', reason: 'the API key may not do this (HOST answered 403: no access)' },
    ],
    [
      '404',
      { status: 404, message: 'no such model' },
      {
        kind: 'provider.rejected',
        status: 404,
        reason: 'model "gpt-test" is not known there, or the base URL is wrong (HOST answered 404: no such model)',
      },
    ],
    [
      '400',
      { status: 400, message: 'wrong\n\u001b[31mred' },
      {
        kind: 'provider.rejected',
        status: 400,
        reason: 'the provider rejects the request (HOST answered 400: wrong red)',
      },
    ],
    [
      '400 for length (B58)',
      { status: 400, errorType: 'context_length_exceeded', message: 'Too long.' },
      {
        kind: 'provider.context-overflow',
        reason: 'the request is too long for the model (HOST answered 400: Too long.)',
      },
    ],
    [
      '400 for a prompt that may not be',
      { status: 400, errorType: 'content_policy_violation', message: 'Not this.' },
      { kind: 'provider.refused', reason: 'Not this.' },
    ],
    [
      '429 (B51)',
      { status: 429, retryAfter: 90 },
      transient('rate limited (HOST answered 429: simulated 429)', { status: 429, retryAfterMs: 90_000 }),
    ],
    [
      '503 with retry-after-ms',
      { status: 503, retryAfterMs: 250, retryAfter: 1 },
      transient('the provider has a fault (HOST answered 503: simulated 503)', { status: 503, retryAfterMs: 250 }),
    ],
    [
      '529 with a date that is past',
      { status: 529, retryAfter: 'Thu, 01 Jan 1970 00:00:00 GMT' },
      transient('the provider is overloaded (HOST answered 529: simulated 529)', { status: 529 }),
    ],
  ]
  it.each(statuses)('a status %s is told', async (_, fault, failure) => {
    expect(await failureOf({ ...(fault && { fault }) }, 5000, connect)).toEqual(failure)
  })

  const streams: [string, Turn, object][] = [
    [
      'with an error event (B50)',
      { answer, fault: { errorEvent: 'overloaded_error' } },
      transient('the provider is overloaded (HOST: simulated overloaded_error)'),
    ],
    [
      'with an error event of a new kind',
      { fault: { errorEvent: 'new_kind' } },
      transient('the provider has a fault (HOST: simulated new_kind)'),
    ],
    [
      'that ends amid a call',
      { answer: [call], fault: { endAfterDeltas: 2 } },
      transient('HOST ended its answer before it was complete'),
    ],
    [
      'that is garbled',
      { answer, fault: { garbledAfterDeltas: 2 } },
      transient('the answer of HOST is garbled: data that is not JSON'),
    ],
    [
      'that ends in a refusal',
      { answer, stopReason: 'refusal', stopExplanation: 'I can not help with that.' },
      { kind: 'provider.refused', reason: 'I can not help with that.' },
    ],
    [
      'that the content filter ends',
      { answer, stopReason: 'content_filter' },
      { kind: 'provider.refused', reason: "the provider's content filter ended the answer" },
    ],
    [
      'that breaks amid a call',
      { answer: [call], fault: { cutAfterDeltas: 2 } },
      transient(expect.stringMatching(/^HOST closed the connection \((ECONNRESET|UND_ERR_SOCKET)\)$/)),
    ],
    [
      'closed without a word',
      { fault: { reset: true } },
      transient(expect.stringMatching(/^HOST closed the connection \((ECONNRESET|UND_ERR_SOCKET)\)$/)),
    ],
  ]
  it.each(streams)('a stream %s fails as a whole', async (_, turn, failure) => {
    expect(await failureOf(turn, 5000, connect)).toEqual(failure)
  })

  it.each([
    ['without headers', { fault: { silence: true } }],
    ['after headers and a comment (B52)', { fault: { stallAfterHeaders: true } }],
    ['amid the answer', { answer, fault: { stallAfterDeltas: 2 } }],
  ] satisfies [string, Turn][])('a stream that falls silent %s is ended', async (_, turn) => {
    expect(await failureOf(turn, 300, connect)).toEqual(transient('HOST sent nothing for 0.3 s'))
  })

  it('a server that does not speak TLS, or is not there, is told', async () => {
    await withTurns([{ answer }], async (url) => {
      const { outcome } = await ask(await connect(url.replace('http:', 'https:')))
      const failure = outcome.ok ? undefined : withoutPort(outcome.failure)
      expect(failure).toEqual(transient(expect.stringMatching(/^no trusted TLS connection to HOST \(/)))
    })
    const { outcome } = await ask(await connect('http://goatfied.invalid'))
    const reason = outcome.ok ? '' : 'reason' in outcome.failure ? outcome.failure.reason : ''
    expect(reason).toMatch(/^the name of goatfied\.invalid can't be resolved \((ENOTFOUND|EAI_AGAIN)\)/)
  })

  it('a key that can not be one is not sent', async () => {
    await withTurns([{ answer }], async (url, requests) => {
      const { outcome } = await ask(await connect(url, { apiKey: 'sk-a\u00e9\nb' }))
      expect(outcome).toEqual({
        ok: false,
        failure: {
          kind: 'provider.auth',
          reason: expect.stringMatching(/^the API key has characters that no key has: set /),
        },
      })
      expect(requests).toEqual([])
    })
  })

  it('an abort before, during silence, and amid the answer gives the failure that it was made with', async () => {
    const reason = new FailureError({ kind: 'budget.time', limitMs: 5 }, 'out of time')
    const turns: Turn[] = [{ fault: { silence: true } }, { answer, fault: { stallAfterDeltas: 1 } }]
    await withTurns(turns, async (url, requests) => {
      const model = await connect(url)
      const aborted = { ok: false, failure: reason.failure }
      expect((await ask(model, request(), AbortSignal.abort(reason))).outcome).toEqual(aborted)
      const silent = new AbortController()
      const waiting = ask(model, request(), silent.signal)
      await expect.poll(() => requests.length).toBe(1)
      silent.abort(reason)
      expect((await waiting).outcome).toEqual(aborted)
      const amid = new AbortController()
      const answering = model.answer(request(), amid.signal)
      expect(await answering.next()).toEqual({ done: false, value: { type: 'text', text: 'A text of se' } })
      const rest = answering.next()
      amid.abort(reason)
      expect(await rest).toEqual({ done: true, value: aborted })
    })
  })

  it('a conversation with a call that has no result is a defect and is not sent (B41)', async () => {
    const open = { id: 'c1', name: 'editFile', input: { parsed: true as const, value: {} }, complete: true }
    const messages: Message[] = [
      userSays('go'),
      { role: 'assistant', content: [{ type: 'call', call: open }] },
      userSays('?'),
    ]
    await withTurns([{ answer }], async (url, requests) => {
      await expect(ask(await connect(url), request({ messages }))).rejects.toThrow(
        'messages[2]: results for [] where the calls are [c1]',
      )
      expect(requests).toEqual([])
    })
  })

  it.each(['localhost:8080', 'https://me:secret@host'])('the base URL %s is refused at once', async (url) => {
    await expect(connect(url)).rejects.toMatchObject({
      name: 'UserError',
      exitCode: 52,
      message: expect.stringMatching(/^the base URL (is no http|has a user)/),
    })
  })
})

it('a page of the simulator is told', async () => {
  const kinds = await Promise.all(
    [connectOpenAi, connectChat].map((connect: Connect) => failureOf({ fault: { html: true } }, 5000, connect)),
  )
  expect(kinds.map((failure) => failure?.kind)).toEqual(['provider.rejected', 'provider.rejected'])
})

it('an answer that runs into the end of the context window is too long', async () => {
  expect(await failureOf({ answer, stopReason: 'model_context_window_exceeded' }, 5000, connectOpenAi)).toEqual({
    kind: 'provider.context-overflow',
    reason: 'the request is too long for the model (HOST: the context window is full)',
  })
})
