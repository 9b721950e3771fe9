import type { Decision, PolicyRow, PolicyTable } from '../core/decision.ts'
import type { FailureKind } from '../core/failure.ts'

const row = (
  first: PolicyRow['first'],
  limit: number,
  then: PolicyRow['then'],
  countsAsAttempt = false,
): PolicyRow => ({ first, limit, then, countsAsAttempt })

/** What follows each failure. The limits can be set; what follows can't. */
export const POLICY: PolicyTable = {
  'call.unknown-tool': row('replan', 3, 'give-up', true),
  'call.invalid-arguments': row('retry', 1, 'replan', true),
  'call.truncated': row('retry', 2, 'end-of-attempt', true),
  'call.denied': row('retry', 3, 'end-of-attempt'),
  'call.skipped': row('retry', 64, 'end-of-attempt'),
  'target.not-found': row('retry', 1, 'replan', true),
  'edit.no-match': row('retry', 2, 'end-of-attempt', true),
  'edit.ambiguous': row('retry', 2, 'end-of-attempt', true),
  'edit.stale': row('retry', 2, 'end-of-attempt', true),
  'edit.out-of-scope': row('retry', 2, 'end-of-attempt', true),
  'edit.syntax': row('retry', 2, 'end-of-attempt', true),
  'check.syntax': row('retry', 3, 'replan', true),
  'check.types': row('retry', 3, 'replan', true),
  'check.lint': row('retry', 3, 'replan', true),
  'check.tests': row('retry', 3, 'replan', true),
  'check.tampered': row('retry', 1, 'give-up', true),
  'check.unavailable': row('stop', 0, 'stop'),
  'provider.transient': row('repeat', 5, 'stop'),
  'provider.auth': row('stop', 0, 'stop'),
  'provider.quota': row('stop', 0, 'stop'),
  'provider.refused': row('stop', 0, 'stop'),
  'provider.rejected': row('stop', 0, 'stop'),
  'provider.context-overflow': row('repeat', 1, 'stop'),
  'io.transient': row('repeat', 5, 'stop'),
  'progress.repeated': row('next-rung', 1, 'end-of-attempt'),
  'progress.none': row('next-rung', 1, 'give-up'),
  'budget.turns': row('stop', 0, 'stop'),
  'budget.time': row('stop', 0, 'stop'),
  'budget.money': row('stop', 0, 'stop'),
  'user.cancelled': row('stop', 0, 'stop'),
  'internal.defect': row('stop', 0, 'stop'),
  'internal.restore': row('stop', 0, 'stop'),
}

/** The limits that settings may change; a kind left out keeps the table's. */
export type PolicyLimits = Readonly<Partial<Record<FailureKind, number>>>

export function withLimits(table: PolicyTable, limits: PolicyLimits): PolicyTable {
  const entries = Object.entries(table).map(([kind, entry]) => [
    kind,
    { ...entry, limit: limits[kind as FailureKind] ?? entry.limit },
  ])
  return Object.fromEntries(entries) as PolicyTable
}

/** What follows the `count`-th failure of its kind (1-based). `end-of-attempt` is a decision to retry with a fresh attempt. */
export function follows(
  row: PolicyRow,
  count: number,
): 'repeat' | 'retry' | 'end-of-attempt' | Exclude<Decision['kind'], 'repeat' | 'retry' | 'escalate' | 'ask'> {
  if (count <= row.limit) return row.first === 'next-rung' ? 'retry' : row.first
  return row.then
}
