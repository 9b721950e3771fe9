import { describe, expect, it } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { ModelEvent } from '../core/ports.ts'
import type { Turn } from '../simulator/turn.ts'
import { DEFAULT_RETRY, type RetryOptions, retrying } from './retrying.ts'
import { ask, connect, request, withTurns } from './testing.ts'

/** Retries that take no time; the waits asked for are in `slept`. */
function unhurried(changes: Partial<RetryOptions> = {}): RetryOptions & { slept: number[] } {
  const slept: number[] = []
  return {
    tries: 5,
    baseMs: 1000,
    capMs: 3000,
    maxRetryAfterMs: 120_000,
    sleep: async (ms) => slept.push(ms),
    random: () => 0.5,
    ...changes,
    slept,
  }
}

function waits(events: readonly ModelEvent[]) {
  return events.flatMap((event) => (event.type === 'waiting' ? [{ ...event, failure: event.failure.kind }] : []))
}

describe('failures that may pass', () => {
  it.each([
    ['overloaded', { fault: { status: 529 } }],
    ['overloaded inside of the stream (B50)', { fault: { errorEvent: 'overloaded_error' } }],
    ['closed', { fault: { reset: true } }],
    ['garbled', { answer: [{ text: 'lost' }], fault: { garbledAfterDeltas: 0 } }],
  ] satisfies [string, Turn][])('%s: asked again', async (_, turn) => {
    await withTurns([turn, { answer: [{ text: 'there' }] }], async (url, requests) => {
      const { outcome, text } = await ask(retrying(await connect(url), unhurried()))
      expect(outcome.ok && outcome.value.content).toEqual([{ type: 'text', text: 'there' }])
      expect(text).toBe('there')
      expect(requests).toHaveLength(2)
    })
  })

  it('that do not pass: five requests in all, ever longer waits up to the cap (B55)', async () => {
    await withTurns([{ fault: { status: 529 } }], async (url, requests) => {
      const options = unhurried()
      const { outcome, events } = await ask(retrying(await connect(url), options))
      expect(requests).toHaveLength(5)
      expect(options.slept).toEqual([500, 1000, 1500, 1500])
      expect(waits(events)).toEqual(
        [500, 1000, 1500, 1500].map((delayMs, index) => ({
          type: 'waiting',
          failure: 'provider.transient',
          retry: index + 2,
          limit: 5,
          delayMs,
        })),
      )
      expect(outcome.ok ? undefined : outcome.failure).toEqual({
        kind: 'provider.transient',
        reason: expect.stringMatching(/^the provider is overloaded .*; gave up after 5 tries$/),
        status: 529,
      })
    })
  })

  it('start the answer over: the broken text is streamed, and not part of what is returned', async () => {
    const turns: Turn[] = [
      { answer: [{ text: 'The first tr' }], fault: { endAfterDeltas: 1 } },
      { answer: [{ text: 'The second.' }] },
    ]
    await withTurns(turns, async (url) => {
      const { outcome, events } = await ask(retrying(await connect(url), unhurried()))
      expect(events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual([
        'The first tr',
        'waiting',
        'The second.',
      ])
      expect(outcome.ok && outcome.value.content).toEqual([{ type: 'text', text: 'The second.' }])
    })
  })
})

describe('what the provider asks to wait', () => {
  it('is waited, with jitter on top (B51)', async () => {
    await withTurns([{ fault: { status: 429, retryAfter: 90 } }, { answer: [] }], async (url) => {
      const options = unhurried()
      const { outcome } = await ask(retrying(await connect(url), options))
      expect(outcome.ok).toBe(true)
      expect(options.slept).toEqual([90_500])
    })
  })

  it('is not waited when it is too long', async () => {
    await withTurns([{ fault: { status: 429, retryAfter: 3600 } }], async (url, requests) => {
      const options = unhurried()
      const { outcome } = await ask(retrying(await connect(url), options))
      expect(outcome.ok ? undefined : outcome.failure).toEqual({
        kind: 'provider.transient',
        reason: expect.stringMatching(/; it asks to wait 3600 s, longer than the 120 s allowed$/),
        status: 429,
        retryAfterMs: 3_600_000,
      })
      expect(options.slept).toEqual([])
      expect(requests).toHaveLength(1)
    })
  })
})

it.each([401, 402, 400, 404])('a %i is not asked again', async (status) => {
  await withTurns([{ fault: { status } }], async (url, requests) => {
    const { outcome } = await ask(retrying(await connect(url), unhurried()))
    expect(outcome.ok).toBe(false)
    expect(requests).toHaveLength(1)
  })
})

it('an abort ends the wait', async () => {
  await withTurns([{ fault: { status: 529, retryAfter: 60 } }], async (url, requests) => {
    const stop = new AbortController()
    const reason = new FailureError({ kind: 'user.cancelled', signal: 'SIGTERM' }, 'terminated')
    const answering = retrying(await connect(url), DEFAULT_RETRY).answer(request(), stop.signal)
    expect((await answering.next()).done).toBe(false)
    const rest = answering.next()
    stop.abort(reason)
    expect(await rest).toEqual({ done: true, value: { ok: false, failure: reason.failure } })
    expect(requests).toHaveLength(1)
  })
})
