import type { Constraint } from '../core/constraint.ts'
import type { Failure } from '../core/failure.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'

/** A failure with the call that failed, or the calls whose changes a check rejected. */
export interface HistoryEntry {
  readonly failure: Failure
  readonly calls: readonly ToolCall[]
  /** How many times the run had changed a file when it happened. */
  readonly changesBefore: number
}

/** What happened so far in the step, in order; the only thing that guards look at. */
export interface History {
  readonly failures: readonly HistoryEntry[]
  /** Paths changed by the run, in order, one entry a change. */
  readonly changes: readonly string[]
}

/** A pure rule that looks at a failure and yields constraints. */
export interface Guard {
  readonly id: string
  readonly order: number
  readonly reason: string
  readonly when: (failure: Failure) => boolean
  readonly constrain: (entry: HistoryEntry, tools: readonly ToolDefinition[]) => readonly Constraint[]
}
