import type { Writable } from 'node:stream'
import type { StampedEvent } from '../core/event.ts'
import { NO_PROGRESS, progress, type RunProgress } from '../core/progress.ts'
import type { Printer } from './text.ts'
import { safeWriter } from './writer.ts'

/**
 * Prints a run for programs: `json` is one document when the run has ended, `stream-json` every event on a line of its own
 * (streamed text left out: `model.answered` has it whole). Nothing else is ever written to `stream`.
 */
export function createJsonPrinter(options: {
  readonly stream: Writable
  readonly format: 'json' | 'stream-json'
}): Printer {
  const writer = safeWriter(options.stream)
  let state = NO_PROGRESS
  return {
    event(event) {
      state = progress(state, event)
      if (options.format === 'json') {
        if (event.type === 'run.ended') writer.write(`${JSON.stringify(resultDocument(event, state), undefined, 2)}\n`)
      } else if (event.type !== 'model.text') {
        writer.write(`${JSON.stringify(event)}\n`)
      }
    },
    close: () => writer.flush(),
  }
}

/** The result with what identifies the run and what was tried. */
function resultDocument(event: StampedEvent & { readonly type: 'run.ended' }, state: RunProgress) {
  const { runId, runLog, task, model, plan, attempts } = state
  return {
    runId,
    runLog,
    task,
    model,
    ...event.result,
    plan,
    attempts: attempts.map(({ attempt, parent, step, outcome, changed, reasons }) => ({
      attempt,
      parent,
      step,
      outcome,
      changed,
      reasons,
    })),
  }
}
