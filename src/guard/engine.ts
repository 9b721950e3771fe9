import type { Constraint, ConstraintSet, ConstraintTrace } from '../core/constraint.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { enumExhaustion } from './enum-exhaustion.ts'
import type { Guard, History, HistoryEntry } from './guard.ts'
import { refusedCall, rejectedEdit } from './refused-call.ts'
import { schemaTightening } from './schema-tightening.ts'

/** All guards, in the order in which they fire. */
const GUARDS: readonly Guard[] = [enumExhaustion, schemaTightening, refusedCall, rejectedEdit].sort(
  (a, b) => a.order - b.order,
)

/**
 * The constraints that follow from a history. Pure: the same history gives the same constraints, byte for byte.
 * A failure that a later change of its file has outdated constrains nothing any more.
 */
export function constrain(
  history: History,
  tools: readonly ToolDefinition[],
  guards: readonly Guard[] = GUARDS,
): ConstraintSet {
  const trace: ConstraintTrace[] = []
  const constraints = new Map<string, Constraint>()
  history.failures.forEach((entry, index) => {
    if (outdated(entry, history)) return
    for (const guard of guards) {
      if (!guard.when(entry.failure)) continue
      const added = guard.constrain(entry, tools)
      if (added.length === 0) continue
      trace.push({ guard: guard.id, failure: index, reason: guard.reason, constraints: added })
      for (const constraint of added) {
        // What binds one call is for the call that failed last; the recovery of earlier ones is over.
        if (constraint.lasts === 'call' && index !== history.failures.length - 1) continue
        constraints.set(canonicalJson(constraint as unknown as Json), constraint)
      }
    }
  })
  return { constraints: [...constraints.values()], trace }
}

/** The path whose later change makes a failure say nothing any more. */
function outdated({ failure, changesBefore }: HistoryEntry, history: History): boolean {
  const path = failure.kind === 'target.not-found' ? failure.value : 'path' in failure ? failure.path : undefined
  return path !== undefined && history.changes.slice(changesBefore).includes(path)
}
