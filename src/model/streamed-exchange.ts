import { type Failure, failed, type Outcome } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import type { ModelEvent } from '../core/ports.ts'
import { abortFailure } from './aborted.ts'
import type { Endpoint } from './provider-failure.ts'
import { serverSentEvents } from './server-sent-events.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { unstreamedFailure } from './unstreamed-failure.ts'

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

/** Sends and reads to the end, or to the failure; never throws. An abort of `signal` ends it with what it stands for. */
export async function* streamedAnswer(
  { endpoint, idleMs, drainMs = DRAIN_MS, accumulator, post, failureOfError }: StreamedExchange,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>> {
  if (signal.aborted) return failed(abortFailure(signal))
  const connection = new AbortController()
  const abort = () => connection.abort()
  signal.addEventListener('abort', abort, { once: true })
  let silent = false
  const watch = createSilenceWatch(() => {
    silent = true
    connection.abort()
  })
  try {
    watch.wait(idleMs)
    const response = await post(connection.signal)
    const unstreamed = await unstreamedFailure(response, endpoint)
    if (unstreamed) return failed(unstreamed)
    const events = serverSentEvents(response, watch.touch)
    for (;;) {
      watch.wait(accumulator.settled ? drainMs : idleMs)
      const next = await events.next()
      watch.stop()
      if (next.done) break
      const text = accumulator.take(next.value.event, next.value.data)
      if (text) yield { type: 'text', text }
    }
  } catch (error) {
    if (signal.aborted) return failed(abortFailure(signal))
    if (!accumulator.settled) {
      if (!silent) return failed(failureOfError(error))
      return failed({ kind: 'provider.transient', reason: `${endpoint.host} sent nothing for ${idleMs / 1000} s` })
    }
  } finally {
    watch.stop()
    signal.removeEventListener('abort', abort)
    connection.abort()
  }
  return accumulator.answer()
}
