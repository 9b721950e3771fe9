import type { ModelEvent } from '../core/ports.ts'
import { plainJson, type Redact } from './cassette-format.ts'

/**
 * The events without secrets. Pieces of text that follow one another are looked at as one, since a secret may be spread
 * over several; where it is, they become one piece.
 */
export function redactEvents(events: readonly ModelEvent[], redact: Redact): readonly ModelEvent[] {
  return runs(events).flatMap((run): readonly ModelEvent[] => {
    const text = textOf(run)
    if (text === undefined) return redact(plainJson(run)) as unknown as readonly ModelEvent[]
    const clean = redact(text)
    return clean === text ? run : [{ type: 'text', text: String(clean) }]
  })
}

/** The text of each run of pieces, as one. */
export function joinedTexts(events: readonly ModelEvent[]): readonly string[] {
  return runs(events).flatMap((run) => textOf(run) ?? [])
}

/** The events in groups: pieces of text that follow one another together, any other event by itself. */
function runs(events: readonly ModelEvent[]): readonly (readonly ModelEvent[])[] {
  const groups: ModelEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (event.type === 'text' && last?.[0]?.type === 'text') last.push(event)
    else groups.push([event])
  }
  return groups
}

/** Undefined for what is no text. */
function textOf(run: readonly ModelEvent[]): string | undefined {
  const pieces = run.flatMap((event) => (event.type === 'text' ? [event.text] : []))
  return pieces.length === 0 ? undefined : pieces.join('')
}
