import { type Failure, failed, type Outcome } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import type { ModelEvent } from '../core/ports.ts'
import { abortFailure } from './aborted.ts'
import { type AnswerBody, answerBody } from './answer-body.ts'
import type { Endpoint } from './provider-failure.ts'
import { EndlessStream, serverSentEvents } from './server-sent-events.ts'
import { createSilenceWatch } from './silence-watch.ts'

/** Puts an answer together from the events of one wire format. */
export interface Accumulator {
  /** Whatever comes or breaks from here on, the answer stands; what comes may still add to it (its usage). */
  readonly settled: boolean
  /** Takes one server-sent event; gives back the piece of answer text in it. */
  take(event: string | null, data: string): string | undefined
  /** The whole answer, once `settled`; before that, the failure of a stream that broke off. */
  answer(): Outcome<ModelAnswer>
}

/** One request and its streamed answer. */
export interface StreamedExchange {
  readonly endpoint: Endpoint
  /** How long the provider may send nothing at all, headers included, in milliseconds. */
  readonly idleMs: number
  /**
   * How long a stream gets after the answer is settled, in milliseconds: to end by itself, so that its connection can be
   * used again, and to say what comes last.
   */
  readonly drainMs?: number
  readonly accumulator: Accumulator
  /** Sends the request; resolves with the headers of a response that has a good status, and throws else. */
  post(signal: AbortSignal): Promise<Response>
  /** What an error that `post` or the reading of the body threw stands for. */
  failureOfError(error: unknown): Failure
}

const DRAIN_MS = 250
/** Text is passed on no more often than a screen can show it. */
const FRAME_MS = 16

/** Sends and reads to the end, or to the failure; never throws. An abort of `signal` ends it with what it stands for. */
export async function* streamedAnswer(
  { endpoint, idleMs, drainMs = DRAIN_MS, accumulator, post, failureOfError }: StreamedExchange,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>> {
  if (signal.aborted) return failed(abortFailure(signal))
  const connection = new AbortController()
  const abort = () => connection.abort()
  signal.addEventListener('abort', abort, { once: true })
  let draining: NodeJS.Timeout | undefined
  let silence: string | undefined
  let text = ''
  let shownAt = Number.NEGATIVE_INFINITY
  const watch = createSilenceWatch((alive) => {
    silence ??= alive ? 'nothing but signs of life for too long' : `nothing for ${idleMs / 1000} s`
    connection.abort()
  })
  const interrupted = (): Failure | undefined => {
    if (signal.aborted) return abortFailure(signal)
    if (silence === undefined || accumulator.settled) return undefined
    return { kind: 'provider.transient', reason: `${endpoint.host} sent ${silence}` }
  }
  try {
    watch.wait(idleMs)
    const response = await post(connection.signal)
    const body = await answerBody(response, endpoint)
    const interruption = interrupted()
    if (interruption) return failed(interruption)
    if (body.kind !== 'stream') return yield* unstreamedAnswer(body, accumulator)
    const events = serverSentEvents(body, watch.touch)
    for (;;) {
      // What comes after the answer may go on for ever.
      if (accumulator.settled) draining ??= setTimeout(abort, drainMs)
      else watch.wait(idleMs)
      const next = await events.next()
      watch.pause()
      const cutShort = next.done ? interrupted() : undefined
      if (cutShort) return failed(cutShort)
      if (next.done) break
      text += accumulator.take(next.value.event, next.value.data) ?? ''
      const now = performance.now()
      if (text === '' || now - shownAt < FRAME_MS) continue
      yield { type: 'text', text }
      text = ''
      shownAt = now
    }
  } catch (error) {
    const interruption = interrupted()
    if (interruption) return failed(interruption)
    if (!accumulator.settled)
      return failed(error instanceof EndlessStream ? endless(error, endpoint) : failureOfError(error))
  } finally {
    watch.stop()
    clearTimeout(draining)
    signal.removeEventListener('abort', abort)
    connection.abort()
  }
  if (text !== '') yield { type: 'text', text }
  return accumulator.answer()
}

/** What a body stands for that is no stream: the answer, all at once, from a server that does not stream. */
async function* unstreamedAnswer(
  body: Exclude<AnswerBody, { kind: 'stream' }>,
  accumulator: Accumulator,
): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>> {
  if (body.kind === 'failure') return failed(body.failure)
  const text = accumulator.take(null, JSON.stringify(body.body))
  if (!accumulator.settled) return failed(body.failure)
  if (text) yield { type: 'text', text }
  return accumulator.answer()
}

/** A server that knows no end has none the next time either. */
function endless({ what }: EndlessStream, { host }: Endpoint): Failure {
  return { kind: 'provider.rejected', reason: `${host} sends without an end: ${what}` }
}
