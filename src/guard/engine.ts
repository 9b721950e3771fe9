import type { Constraint, ConstraintSet, ConstraintTrace } from '../core/constraint.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { constrainTool } from './apply-constraints.ts'
import { enumExhaustion } from './enum-exhaustion.ts'
import type { Guard, History, HistoryEntry } from './guard.ts'
import { isOutdated } from './outdated.ts'
import { refuseArguments, refusedCall, rejectedEdit } from './refused-call.ts'
import { satisfiable } from './satisfiable.ts'
import { schemaTightening } from './schema-tightening.ts'
import { faultOf } from './well-formed.ts'

/** All guards, in the order in which they fire. */
const GUARDS: readonly Guard[] = [enumExhaustion, schemaTightening, refusedCall, rejectedEdit].sort(
  (a, b) => a.order - b.order,
)

/**
 * The constraints that follow from a history. Pure: the same history gives the same constraints, byte for byte.
 * A failure that a later change has outdated constrains nothing any more. Fails closed: a guard that throws, or whose
 * constraints no schema can hold, leaves the refusal of the call that failed, and its trace says why.
 */
export function constrain(
  history: History,
  tools: readonly ToolDefinition[],
  guards: readonly Guard[] = GUARDS,
): ConstraintSet {
  const trace: ConstraintTrace[] = []
  const constraints = new Map<string, Constraint>()
  history.failures.forEach((entry, index) => {
    if (isOutdated(entry, history, tools)) return
    for (const guard of guards) {
      const decision = decide(guard, entry, tools)
      if (decision === undefined) continue
      trace.push({ guard: guard.id, failure: index, ...decision })
      for (const constraint of decision.constraints) {
        // What binds one call is for the call that failed last; the recovery of earlier ones is over.
        if (constraint.lasts === 'call' && index !== history.failures.length - 1) continue
        constraints.set(canonicalJson(constraint as unknown as Json), constraint)
      }
    }
  })
  return { constraints: [...constraints.values()], trace }
}

type GuardDecision = Pick<ConstraintTrace, 'reason' | 'constraints'>

/** What one guard adds for one failure; undefined where it has nothing to add. */
function decide(guard: Guard, entry: HistoryEntry, tools: readonly ToolDefinition[]): GuardDecision | undefined {
  try {
    if (!guard.when(entry.failure)) return undefined
    const constraints = guard.constrain(entry, tools)
    const fault = faultIn(constraints, tools)
    if (fault !== undefined) return undecided(guard, entry, fault)
    return constraints.length === 0 ? undefined : { reason: guard.reason, constraints }
  } catch (error) {
    return undecided(guard, entry, error instanceof Error ? error.message : String(error))
  }
}

function undecided({ reason }: Guard, { failure, calls }: HistoryEntry, why: string): GuardDecision {
  const tool = 'tool' in failure ? failure.tool : undefined
  const [call, ...others] = calls
  const constraints = call === undefined || others.length > 0 ? [] : refuseArguments(call, tool)
  return { reason: `${reason}; the guard could not decide (${why}), so only this very call is refused`, constraints }
}

/** Why the constraints can't be built into the tools: an empty list, a schema that does not compile, nothing left to call. */
function faultIn(constraints: readonly Constraint[], tools: readonly ToolDefinition[]): string | undefined {
  for (const constraint of constraints) {
    if ('values' in constraint && constraint.values.length === 0) return 'a list without values'
    const fault = 'schema' in constraint ? faultOf(constraint.schema) : undefined
    if (fault !== undefined) return fault
  }
  const lost = tools.find((tool) => {
    const { inputSchema } = constrainTool(tool, constraints)
    return inputSchema !== tool.inputSchema && !satisfiable(inputSchema) && satisfiable(tool.inputSchema)
  })
  return lost === undefined ? undefined : `no call of ${lost.name} would be left`
}
