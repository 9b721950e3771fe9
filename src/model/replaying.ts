import { failed } from '../core/failure.ts'
import type { Model } from '../core/ports.ts'
import { schemaSupport } from '../core/provider.ts'
import { abortFailure } from './aborted.ts'
import type { Cassette } from './cassette-reader.ts'

/**
 * A model that answers from the cassette, at once: each request with what was recorded for exactly this request, equal
 * ones in their order. `id` is the model's, as `provider/model`. All models that replay one run share its cassette. A
 * request that was not recorded is a `provider.rejected` which says how it differs from the nearest one that was.
 */
export function replaying(cassette: Cassette, id: string): Model {
  return {
    id,
    schemas: schemaSupport(id),
    async *answer(request, signal) {
      if (signal.aborted) return failed(abortFailure(signal))
      const taken = cassette.take(request)
      if (!taken.ok) return failed({ kind: 'provider.rejected', reason: taken.reason })
      for (const event of taken.step.events) {
        yield event
        if (signal.aborted) return failed(abortFailure(signal))
      }
      return taken.step.outcome
    },
  }
}
