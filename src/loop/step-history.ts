import type { ConstraintSet } from '../core/constraint.ts'
import type { Failure } from '../core/failure.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { constrain } from '../guard/engine.ts'
import type { History } from '../guard/guard.ts'

/** A rejected attempt that can be taken up again. */
export interface RejectedAttempt {
  readonly number: number
  readonly patch: string
  readonly failure: Failure
}

/** What happened in the step so far. Kept over retries and replans, since the tree is the same again; cleared when the step passes. */
export class StepHistory {
  #history: History = { failures: [], changes: [] }
  #counts = new Map<string, number>()
  #rejected: RejectedAttempt[] = []
  #changing: ToolCall[] = []

  get rejected(): readonly RejectedAttempt[] {
    return this.#rejected
  }

  /** The calls of this attempt that changed a file. */
  get changing(): readonly ToolCall[] {
    return this.#changing
  }

  /** The failures so far, oldest first. */
  get failures(): readonly Failure[] {
    return this.#history.failures.map((entry) => entry.failure)
  }

  record(failure: Failure, calls: readonly ToolCall[]): void {
    const entry = { failure, calls, changesBefore: this.#history.changes.length }
    this.#history = { ...this.#history, failures: [...this.#history.failures, entry] }
  }

  /** Counts one more failure of its kind and place, and gives the count. */
  count(failure: Failure): number {
    const place = 'pointer' in failure ? failure.pointer : 'path' in failure ? failure.path : ''
    const key = [failure.kind, 'tool' in failure ? failure.tool : '', place].join(' ')
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }

  changed(call: ToolCall, paths: readonly string[]): void {
    if (paths.length === 0) return
    this.#history = { ...this.#history, changes: [...this.#history.changes, ...paths] }
    this.#changing.push(call)
  }

  reject(attempt: RejectedAttempt): void {
    this.#rejected.push(attempt)
  }

  constraints(tools: readonly ToolDefinition[]): ConstraintSet {
    return constrain(this.#history, tools)
  }

  /** What one of the failures would constrain by itself. */
  constraintsOf(index: number, tools: readonly ToolDefinition[]): ConstraintSet {
    return constrain({ failures: this.#history.failures.slice(index, index + 1), changes: [] }, tools)
  }

  startAttempt(): void {
    this.#changing = []
    this.#counts.clear()
  }

  clear(): void {
    this.#history = { failures: [], changes: [] }
    this.#counts.clear()
    this.#rejected = []
    this.#changing = []
  }
}
