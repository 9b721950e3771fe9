import type { RunEvent, RunEventOf, Rung } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import { addUsage, NO_USAGE } from '../core/message.ts'
import type { GuardStats, RungStats, Stats } from '../core/stats.ts'
import { listRuns } from './list.ts'
import { readRunLog } from './read.ts'

const NOTHING: RungStats = { tried: 0, recovered: 0, requests: 0, usage: NO_USAGE, ms: 0 }

export const NO_STATS: Stats = {
  runs: 0,
  results: { validated: 0, unchanged: 0, 'gave-up': 0, stopped: 0, unended: 0 },
  failures: {},
  rungs: { repair: NOTHING, 'scoped-replay': NOTHING, overlay: NOTHING, 'end-of-attempt': NOTHING },
  guards: [],
  requests: 0,
  usage: NO_USAGE,
  recoveryUsage: NO_USAGE,
  costUsd: 0,
  unpriced: 0,
}

/** What has to be remembered of a run while its events are folded. */
interface Remembered {
  /** By call id: the first guard that fired and changed a schema, or else the first that fired. */
  readonly guards: Map<string, { readonly guard: string; readonly changed: boolean }>
  /** As JSON: a run is often ended by a failure that was told before. */
  readonly counted: Set<string>
}

/** The stats with one more run, given by its events in order. Pure. */
export function withRun(stats: Stats, events: Iterable<RunEvent>): Stats {
  const remembered: Remembered = { guards: new Map(), counted: new Set() }
  let current: Stats = { ...stats, runs: stats.runs + 1 }
  let status: keyof Stats['results'] = 'unended'
  for (const event of events) {
    current = withEvent(current, event, remembered)
    if (event.type === 'run.ended') status = event.result.status
  }
  return { ...current, results: { ...current.results, [status]: current.results[status] + 1 } }
}

function withEvent(stats: Stats, event: RunEvent, remembered: Remembered): Stats {
  switch (event.type) {
    case 'model.requested':
      return { ...stats, requests: stats.requests + 1 }
    case 'model.answered':
      return {
        ...stats,
        usage: addUsage(stats.usage, event.answer.usage),
        costUsd: stats.costUsd + (event.costUsd ?? 0),
        unpriced: stats.unpriced + (event.costUsd === undefined ? 1 : 0),
      }
    case 'model.waiting':
    case 'model.failed':
      return withFailure(stats, event.failure, remembered)
    case 'call.failed':
      // What was not even tried has not failed.
      return event.failure.kind === 'call.skipped' ? stats : withFailure(stats, event.failure, remembered)
    case 'decision':
      // Those of calls and requests are told by events of their own.
      if ('callId' in event.failure || event.failure.kind.startsWith('provider.')) return stats
      return withFailure(stats, event.failure, remembered)
    case 'run.ended': {
      const { failure } = event.result
      const known = failure === undefined || remembered.counted.has(JSON.stringify(failure))
      return known ? stats : withFailure(stats, failure, remembered)
    }
    case 'guard.fired': {
      const callId = 'callId' in event.failure ? event.failure.callId : undefined
      const changed = event.changes.length > 0
      const before = callId === undefined ? undefined : remembered.guards.get(callId)
      if (callId !== undefined && (before === undefined || (changed && !before.changed)))
        remembered.guards.set(callId, { guard: event.guard, changed })
      return stats
    }
    case 'call.repaired':
      return withRecovery(withRung(stats, 'repair', { tried: 1, recovered: 1 }), undefined, 'repair')
    case 'recovery.ended':
      return withRungEnd(stats, event, remembered)
    default:
      return stats
  }
}

function withFailure(stats: Stats, failure: Failure, { counted }: Remembered): Stats {
  counted.add(JSON.stringify(failure))
  return { ...stats, failures: { ...stats.failures, [failure.kind]: (stats.failures[failure.kind] ?? 0) + 1 } }
}

function withRungEnd(stats: Stats, event: RunEventOf<'recovery.ended'>, { guards }: Remembered): Stats {
  // Logs of earlier versions have no cost.
  const cost: Partial<RunEventOf<'recovery.ended'>['cost']> = event.cost ?? {}
  const added = withRung(stats, event.rung, { tried: 1, recovered: event.recovered ? 1 : 0, ...cost })
  const spent = { ...added, recoveryUsage: addUsage(added.recoveryUsage, cost.usage ?? NO_USAGE) }
  return event.recovered ? withRecovery(spent, guards.get(event.callId)?.guard, event.rung) : spent
}

function withRung(stats: Stats, rung: Rung, more: Partial<RungStats>): Stats {
  const before = stats.rungs[rung]
  const { tried = 0, recovered = 0, requests = 0, usage = NO_USAGE, ms = 0 } = more
  const after: RungStats = {
    tried: before.tried + tried,
    recovered: before.recovered + recovered,
    requests: before.requests + requests,
    usage: addUsage(before.usage, usage),
    ms: before.ms + ms,
  }
  return { ...stats, rungs: { ...stats.rungs, [rung]: after } }
}

function withRecovery(stats: Stats, guard: string | undefined, rung: Rung): Stats {
  const isSame = (one: GuardStats) => one.guard === guard && one.rung === rung
  const { recovered = 0 } = stats.guards.find(isSame) ?? {}
  const one = { ...(guard === undefined ? {} : { guard }), rung, recovered: recovered + 1, share: 0 }
  const all = [...stats.guards.filter((other) => !isSame(other)), one]
  const sum = all.reduce((total, each) => total + each.recovered, 0)
  const guards = all.map((each) => ({ ...each, share: each.recovered / sum })).sort(byRecovered)
  return { ...stats, guards }
}

const byRecovered = (a: GuardStats, b: GuardStats): number =>
  b.recovered - a.recovered || nameOf(a).localeCompare(nameOf(b), 'en')
const nameOf = ({ guard = '', rung }: GuardStats): string => `${guard} ${rung}`

export interface CollectedStats {
  readonly stats: Stats
  /** What could not be counted, each with the reason in words. */
  readonly notes: readonly string[]
}

/**
 * The stats of all runs below `runsDir`. A log that is not one, or is damaged, is left out and noted; of one whose last line
 * is cut the rest counts. `now` is milliseconds since the epoch.
 */
export async function collectStats(runsDir: string, now: number): Promise<CollectedStats> {
  const { runs, unreadable } = await listRuns(runsDir, now)
  const notes = unreadable.map(({ id, problem }) => `${id}: ${problem}`)
  let stats = NO_STATS
  for (const { id, path } of [...runs].reverse()) {
    const log = await readRunLog(path)
    if (!log.ok) {
      notes.push(`${id}: ${log.problem}`)
      continue
    }
    if (log.torn) notes.push(`${id}: the last line of the log is cut, as when the run was killed; the rest is counted.`)
    try {
      stats = withRun(stats, log.events)
    } catch {
      notes.push(`${id}: ${path} can't be counted: its events are not those of Goatfied.`)
    }
  }
  return { stats, notes }
}
