import type { Writable } from 'node:stream'
import type { StampedEvent } from '../core/event.ts'
import { narrate } from '../core/narrate.ts'
import type { RunResult } from '../core/outcome.ts'
import { NO_PROGRESS, progress } from '../core/progress.ts'
import { activity, attemptText } from '../core/story/activity.ts'
import { proofLines, withoutText } from '../core/story/checks.ts'
import { line } from '../core/story/line.ts'
import { cleanText, oneLine } from '../core/story/text.ts'
import { renderLine } from './style.ts'
import type { WidthOf } from './width.ts'
import { safeWriter } from './writer.ts'

/** Silence after which a line says that the run is alive and what it does, in milliseconds. */
const HEARTBEAT_MS = 30_000

/** A fold over the events of a run that writes to a stream. */
export interface Printer {
  event(event: StampedEvent): void
  /** Stops the timer and resolves when everything has been written. */
  close(): Promise<void>
}

/**
 * Prints the story of a run as lines. The diff of the whole change is left to `renderResult`, which goes to stdout while
 * this goes to stderr. Lines are cut to the terminal where `stream` is one and `widthOf` is given.
 */
export function createTextPrinter(options: {
  readonly stream: Writable
  readonly color: boolean
  readonly widthOf?: WidthOf | undefined
}): Printer {
  const { stream, color, widthOf } = options
  const writer = safeWriter(stream)
  let state = NO_PROGRESS
  // The run's clock less ours: a run that is replayed has its own time.
  let ahead = 0
  const timer = setInterval(() => {
    const attempt = attemptText(state)
    const now = activity(state, Date.now() + ahead)
    print([line('dim', 1, attempt === '' ? `… ${now}` : `… ${attempt}: ${now}`)])
  }, HEARTBEAT_MS)
  timer.unref()

  function print(lines: ReturnType<typeof narrate>): void {
    if (lines.length === 0) return
    timer.refresh()
    const columns = columnsOf(stream)
    const style = { color, ...(columns && widthOf && { terminal: { columns, widthOf } }) }
    writer.write(lines.map((one) => `${renderLine(one, style)}\n`).join(''))
  }

  return {
    event(event) {
      print(narrate(withoutDiffs(event), state))
      state = progress(state, event)
      ahead = event.at - Date.now()
      if (event.type === 'run.ended') clearInterval(timer)
    },
    close() {
      clearInterval(timer)
      return writer.flush()
    },
  }
}

function withoutDiffs(event: StampedEvent): StampedEvent {
  if (event.type !== 'run.ended') return event
  const changes = event.result.changes.map((change) => ({ ...change, diff: '' }))
  return { ...event, result: { ...event.result, changes } }
}

/** The columns of a stream that is a terminal. */
function columnsOf(stream: Writable): number | undefined {
  return 'columns' in stream && typeof stream.columns === 'number' && stream.columns > 0 ? stream.columns : undefined
}

/** The result for stdout: one line that says how it ended, what is proven, and the diff of the whole change. Ends with a newline. */
export function renderResult(result: RunResult): string {
  const plain = { color: false }
  const proof = result.proof ? proofLines(result.proof, 1).map((one) => renderLine(one, plain)) : []
  const conflicts = result.conflicts.map((path) => `  not given back: ${oneLine(path)}`)
  const head = [`${result.status}${withoutText(result.proof)}: ${oneLine(result.summary)}`, ...proof, ...conflicts]
  const diffs = result.changes.map((change) => cleanText(change.diff).trimEnd()).filter((diff) => diff !== '')
  return `${[head.join('\n'), ...(diffs.length > 0 ? [diffs.join('\n')] : [])].join('\n\n')}\n`
}
