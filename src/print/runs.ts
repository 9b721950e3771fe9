import stringWidth from 'string-width'
import { compactNumber, duration, fit, oneLine } from '../core/story/text.ts'

/** A run in a list. `startedAt` is milliseconds since the epoch, `tokens` all that were sent and received. */
export interface RunSummary {
  readonly id: string
  readonly startedAt: number
  readonly status: string
  readonly task: string
  readonly model: string
  readonly attempts: number
  readonly requests: number
  readonly tokens: number
  readonly ms: number
}

const GAP = '  '
/** The task is shown with at least so many columns, also where the line gets longer than the terminal. */
const LEAST_TASK = 12

const HEADINGS = ['run', 'when', 'status', 'attempts', 'tokens', 'time', 'task']

/** The runs as a table, the task cut so that a row fits `columns`. Ends with a newline. Times are local. */
export function renderRuns(runs: readonly RunSummary[], options: { readonly columns: number }): string {
  if (runs.length === 0) return 'no runs yet\n'
  const rows = runs.map((run) => [
    oneLine(run.id),
    localTime(run.startedAt),
    oneLine(run.status),
    String(run.attempts),
    compactNumber(run.tokens),
    duration(run.ms),
    oneLine(run.task),
  ])
  const table = [HEADINGS, ...rows]
  const last = HEADINGS.length - 1
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => stringWidth(row[column] ?? ''))))
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0)
  const task = Math.max(LEAST_TASK, options.columns - before)
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === last ? fit(cell, task, stringWidth) : pad(cell, widths[column] ?? 0)))
      .join(GAP)
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - stringWidth(text)))

function localTime(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
