import { setTimeout as sleepFor } from 'node:timers/promises'
import { failed, type ProviderFailure } from '../core/failure.ts'
import type { Model } from '../core/ports.ts'
import { abortFailure } from './aborted.ts'

/** Times in milliseconds. */
export interface RetryOptions {
  /** Requests in all, the first included. */
  readonly tries: number
  /** The longest wait after the first try; it doubles with each further one. */
  readonly baseMs: number
  readonly capMs: number
  /** A provider that asks to wait longer than this is not waited for. */
  readonly maxRetryAfterMs: number
  /** Waits; rejects when `signal` aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 (included) to 1 (excluded). */
  readonly random: () => number
}

export const DEFAULT_RETRY: RetryOptions = {
  tries: 5,
  baseMs: 1_000,
  capMs: 30_000,
  maxRetryAfterMs: 120_000,
  sleep: (ms, signal) => sleepFor(ms, undefined, { signal }),
  random: Math.random,
}

type Transient = Extract<ProviderFailure, { kind: 'provider.transient' }>

/**
 * The model, asked again after failures that may pass (`provider.transient`): exponential backoff with full jitter, or
 * what the provider asks for. Before each wait it yields `waiting` with the number of the try that comes (`retry`, from
 * 2) and of all tries (`limit`).
 *
 * A try that breaks off may have yielded text already. That text is no part of the answer: `waiting` says that the answer
 * starts over, and the answer returned is whole and of the last try alone.
 */
export function retrying(model: Model, options: RetryOptions): Model {
  const { tries, maxRetryAfterMs, sleep } = options
  return {
    id: model.id,
    schemas: model.schemas,
    async *answer(request, signal) {
      for (let next = 2; ; next++) {
        const outcome = yield* model.answer(request, signal)
        if (outcome.ok || outcome.failure.kind !== 'provider.transient') return outcome
        const { failure } = outcome
        if (next > tries) return failed(tries > 1 ? explained(failure, `gave up after ${tries} tries`) : failure)
        const asked = failure.retryAfterMs
        if (asked !== undefined && asked > maxRetryAfterMs)
          return failed(
            explained(
              failure,
              `it asks to wait ${seconds(asked)}, longer than the ${seconds(maxRetryAfterMs)} allowed`,
            ),
          )
        const delayMs = delayBefore(next, asked, options)
        yield { type: 'waiting', failure, retry: next, limit: tries, delayMs }
        try {
          await sleep(delayMs, signal)
        } catch (error) {
          if (!signal.aborted) throw error
        }
        if (signal.aborted) return failed(abortFailure(signal))
      }
    },
  }
}

/** What the provider asks for is a floor: the jitter on top keeps clients that were told the same from coming back at once. */
function delayBefore(next: number, asked: number | undefined, { baseMs, capMs, random }: RetryOptions): number {
  if (asked !== undefined) return asked + Math.round(random() * baseMs)
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (next - 2)))
}

function explained(failure: Transient, why: string): Transient {
  return { ...failure, reason: `${failure.reason}; ${why}` }
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`
}
