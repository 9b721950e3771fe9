import { failed, type Outcome } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import type { Model, ModelEvent } from '../core/ports.ts'
import { abortFailure } from './aborted.ts'
import { recordedRequest } from './cassette-format.ts'
import type { CassetteWriter } from './cassette-writer.ts'

/**
 * The model, with every request and its outcome recorded on the cassette. It belongs around `retrying`: what a replay
 * gives is then what the run saw, waits included. An answer that was aborted is not recorded, since it was not the model
 * that ended it. A cassette that can't be written changes nothing for the run (see `CassetteWriter.problem`).
 */
export function recording(model: Model, cassette: CassetteWriter): Model {
  return {
    id: model.id,
    schemas: model.schemas,
    async *answer(request, signal) {
      // Taken before it is sent: whoever asks may go on to write to the same conversation.
      const recorded = recordedRequest(request, cassette.redact)
      const events: ModelEvent[] = []
      const answering = model.answer(request, signal)
      let outcome: Outcome<ModelAnswer> | undefined
      try {
        for (;;) {
          const next = await answering.next()
          if (next.done) {
            outcome = next.value
            break
          }
          events.push(next.value)
          yield next.value
        }
      } finally {
        // Whoever asked has gone before the answer was whole.
        if (outcome === undefined) await answering.return(failed(abortFailure(signal)))
      }
      if (outcome.ok || !signal.aborted) cassette.write({ request: recorded, events, outcome })
      return outcome
    },
  }
}
