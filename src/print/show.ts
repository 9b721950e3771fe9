import type { StampedEvent } from '../core/event.ts'
import { narrate } from '../core/narrate.ts'
import { NO_PROGRESS, progress } from '../core/progress.ts'
import { type PrintStyle, renderLine } from './style.ts'

/** The story of a logged run as lines, each with its newline. A log that breaks off gives the story so far. */
export function* renderStory(events: Iterable<StampedEvent>, style: PrintStyle): Generator<string> {
  let state = NO_PROGRESS
  for (const event of events) {
    for (const line of narrate(event, state)) yield `${renderLine(line, style)}\n`
    state = progress(state, event)
  }
}
