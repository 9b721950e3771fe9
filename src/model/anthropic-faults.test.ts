import { describe, expect, it } from 'vitest'
import type { Failure } from '../core/failure.ts'
import type { Turn } from '../simulator/turn.ts'
import { ask, connect, failureOf, request, transient, withTurns } from './testing.ts'

describe('a status', () => {
  const cases: [string, Turn['fault'], object][] = [
    [
      '401',
      { status: 401, message: 'invalid x-api-key: sk-secret' },
      {
        kind: 'provider.auth',
        reason: 'the provider does not accept the API key (HOST answered 401: invalid x-api-key: [API key])',
      },
    ],
    [
      '403',
      { status: 403, message: 'no access' },
      { kind: 'provider.auth', reason: 'the API key may not do this (HOST answered 403: no access)' },
    ],
    [
      '402',
      { status: 402, message: 'pay first' },
      { kind: 'provider.quota', reason: 'the account has no credit or quota left (HOST answered 402: pay first)' },
    ],
    [
      '400 for want of credit',
      { status: 400, message: 'Your credit balance is too low' },
      {
        kind: 'provider.quota',
        reason: 'the account has no credit or quota left (HOST answered 400: Your credit balance is too low)',
      },
    ],
    [
      '404',
      { status: 404, message: 'model: claude-test' },
      {
        kind: 'provider.rejected',
        status: 404,
        reason:
          'model "claude-test" is not known there, or the base URL is wrong (HOST answered 404: model: claude-test)',
      },
    ],
    [
      '400',
      { status: 400, message: 'messages.0: wrong\n\u001b[31mred' },
      {
        kind: 'provider.rejected',
        status: 400,
        reason: 'the provider rejects the request (HOST answered 400: messages.0: wrong red)',
      },
    ],
    [
      '400 for length (B58)',
      { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      {
        kind: 'provider.context-overflow',
        reason:
          'the request is too long for the model (HOST answered 400: prompt is too long: 210000 tokens > 200000 maximum)',
      },
    ],
    [
      '413',
      { status: 413, message: 'Request exceeds the maximum size' },
      {
        kind: 'provider.context-overflow',
        reason: 'the request is too long for the model (HOST answered 413: Request exceeds the maximum size)',
      },
    ],
    ['408', { status: 408 }, transient('the provider timed out (HOST answered 408: simulated 408)', { status: 408 })],
    [
      '409',
      { status: 409 },
      transient('the provider is busy with a conflicting request (HOST answered 409: simulated 409)', { status: 409 }),
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
      '529',
      { status: 529, retryAfter: 'Thu, 01 Jan 1970 00:00:00 GMT' },
      transient('the provider is overloaded (HOST answered 529: simulated 529)', { status: 529 }),
    ],
  ]
  it.each(cases)('%s', async (_, fault, failure) => {
    expect(await failureOf({ ...(fault && { fault }) })).toEqual(failure)
  })

  it('may ask to wait until a date', async () => {
    const failure = await failureOf({
      fault: { status: 429, retryAfter: new Date(Date.now() + 3_600_000).toUTCString() },
    })
    const { retryAfterMs, ...rest } = failure as Extract<Failure, { kind: 'provider.transient' }>
    expect(rest).toEqual(transient('rate limited (HOST answered 429: simulated 429)', { status: 429 }))
    expect(Math.round((retryAfterMs ?? 0) / 600_000)).toBe(6)
  })
})

describe('a stream', () => {
  const answer = [{ text: 'A text of several pieces, so that there is something to break.' }]
  const cases: [string, Turn, object][] = [
    [
      'with an error event (B50)',
      { answer, fault: { errorEvent: 'overloaded_error' } },
      transient('the provider is overloaded (HOST: simulated overloaded_error)'),
    ],
    [
      'with an error event of an unknown type',
      { fault: { errorEvent: 'new_kind_of_error' } },
      transient('the provider has a fault (HOST: simulated new_kind_of_error)'),
    ],
    [
      'with an error event about the request',
      { fault: { errorEvent: 'invalid_request_error' } },
      { kind: 'provider.rejected', reason: 'the provider rejects the request (HOST: simulated invalid_request_error)' },
    ],
    [
      'that ends early',
      { answer, fault: { endAfterDeltas: 2 } },
      transient('HOST ended its answer before it was complete'),
    ],
    [
      'that is garbled',
      { answer, fault: { garbledAfterDeltas: 2 } },
      transient('the answer of HOST is garbled: data that is not JSON'),
    ],
    [
      'that ends in a refusal',
      { answer, stopReason: 'refusal', stopExplanation: 'Not this.' },
      { kind: 'provider.refused', reason: 'Not this.' },
    ],
    [
      'that runs into the end of the context window',
      { answer, stopReason: 'model_context_window_exceeded' },
      { kind: 'provider.context-overflow', reason: 'the answer ran into the end of the context window' },
    ],
    [
      'that is a page',
      { fault: { html: true } },
      {
        kind: 'provider.rejected',
        status: 200,
        reason: 'HOST answers with an HTML page: not an Anthropic endpoint? Check the base URL',
      },
    ],
  ]
  it.each(cases)('%s', async (_, turn, failure) => {
    expect(await failureOf(turn)).toEqual(failure)
  })

  it.each([
    ['without headers', { fault: { silence: true } }],
    ['after headers and a comment (B52)', { fault: { stallAfterHeaders: true } }],
    ['amid the answer', { answer, fault: { stallAfterDeltas: 2 } }],
  ] satisfies [string, Turn][])('that falls silent %s', async (_, turn) => {
    expect(await failureOf(turn, 300)).toEqual(transient('HOST sent nothing for 0.3 s'))
  })

  it('that is slow but never silent is waited for', async () => {
    await withTurns([{ answer, delayMs: 150 }], async (url) => {
      const { outcome, text } = await ask(await connect(url, { idleMs: 600 }))
      expect(outcome.ok).toBe(true)
      expect(text).toBe(answer[0]?.text)
    })
  })

  it('is not called silent while whoever reads it takes their time', async () => {
    await withTurns([{ answer }], async (url) => {
      const answering = (await connect(url, { idleMs: 400 })).answer(request(), new AbortController().signal)
      let next = await answering.next()
      await new Promise((resolve) => setTimeout(resolve, 900))
      while (!next.done) next = await answering.next()
      expect(next.value.ok).toBe(true)
    })
  })
})

it.each([
  ['', 'there is no API key: set ANTHROPIC_API_KEY'],
  ['sk-a\u00e9\nb', 'the API key has characters that no key has: set ANTHROPIC_API_KEY'],
])('a key that can not be one is not sent: %j', async (apiKey, reason) => {
  await withTurns([{ answer: [] }], async (url, requests) => {
    const { outcome } = await ask(await connect(url, { apiKey }))
    expect(outcome).toEqual({ ok: false, failure: { kind: 'provider.auth', reason } })
    expect(requests).toEqual([])
  })
})
