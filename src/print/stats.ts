import type { Rung } from '../core/event.ts'
import type { Usage } from '../core/message.ts'
import type { Stats } from '../core/stats.ts'
import { compactNumber, count, duration, money, oneLine } from '../core/story/text.ts'

const GAP = '  '
const RESULTS = ['validated', 'unchanged', 'gave-up', 'stopped', 'unended'] as const
const RUNGS: readonly Rung[] = ['repair', 'scoped-replay', 'overlay', 'end-of-attempt']

/** The stats as text: what was spent, then a table each of failures, of rungs and of guards. Ends with a newline. */
export function renderStats(stats: Stats): string {
  if (stats.runs === 0) return 'no runs yet\n'
  const parts = [totals(stats), failures(stats), rungs(stats), guards(stats)].filter((lines) => lines.length > 0)
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function totals({ runs, results, requests, usage, recoveryUsage, costUsd, unpriced }: Stats): string[] {
  const ended = RESULTS.filter((result) => results[result] > 0).map((result) => `${results[result]} ${result}`)
  const unknown = unpriced === 0 ? '' : `, without ${count(unpriced, 'answer')} whose price is not known`
  return [
    `${count(runs, 'run')}: ${ended.join(', ')}`,
    `${count(requests, 'request')}, ${tokens(usage)}`,
    `of these on recoveries: ${tokens(recoveryUsage)}`,
    `cost: ${money(costUsd)}${unknown}`,
  ]
}

function tokens({ input, cacheRead, cacheWrite, output }: Usage): string {
  const sent = compactNumber(input + cacheWrite)
  return `${sent} tokens sent, ${compactNumber(cacheRead)} more from the cache, ${compactNumber(output)} received`
}

function failures({ failures: byKind }: Stats): string[] {
  const rows = Object.entries(byKind).sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1))
  if (rows.length === 0) return []
  return table([['failure', 'times'], ...rows.map(([kind, times]) => [oneLine(kind), String(times)])])
}

function rungs({ rungs: byRung }: Stats): string[] {
  const used = RUNGS.filter((rung) => byRung[rung].tried > 0)
  if (used.length === 0) return []
  const rows = used.map((rung) => {
    const { tried, recovered, requests, usage, ms } = byRung[rung]
    const spent = usage.input + usage.cacheRead + usage.cacheWrite + usage.output
    return [rung, String(tried), String(recovered), String(requests), compactNumber(spent), duration(ms)]
  })
  return table([['rung', 'tried', 'recovered', 'requests', 'tokens', 'time'], ...rows])
}

function guards({ guards: recoveries }: Stats): string[] {
  if (recoveries.length === 0) return []
  const rows = recoveries.map(({ guard = '-', rung, recovered, share }) => [
    oneLine(guard),
    rung,
    String(recovered),
    `${(share * 100).toFixed(0)} %`,
  ])
  return table([['guard', 'rung', 'recovered', 'share'], ...rows])
}

/** Columns of words to the left, of numbers to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const columns = (rows[0] ?? []).map((_, column) => {
    const cells = rows.map((row) => row[column] ?? '')
    return { width: Math.max(...cells.map((cell) => cell.length)), numeric: /^\d/.test(cells[1] ?? '') }
  })
  return rows.map((row) =>
    columns
      .map(({ width, numeric }, column) => {
        const cell = row[column] ?? ''
        return numeric ? cell.padStart(width) : cell.padEnd(width)
      })
      .join(GAP)
      .trimEnd(),
  )
}
