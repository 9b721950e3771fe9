import type { ConstraintSet } from '../core/constraint.ts'
import type { Rung, RungCost } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import type { FileChange } from '../core/snapshot.ts'
import type { ArgumentKind, ToolCall, ToolDefinition } from '../core/tool.ts'
import { constrain } from '../guard/engine.ts'
import type { History } from '../guard/guard.ts'
import type { StandingChoice } from './choice.ts'

const NO_CONSTRAINTS: ConstraintSet = { constraints: [], trace: [] }

/** Tool, kind and target of a failure: what varies beside them is no progress. */
function keyOf(failure: Failure): string {
  const place = 'pointer' in failure ? failure.pointer : 'path' in failure ? failure.path : ''
  return [failure.kind, 'tool' in failure ? failure.tool : '', place].join(' ')
}

/** A rung that has been taken and whose outcome shows later: with the next calls, or with the next attempt. */
export interface PendingRung {
  readonly callId: string
  readonly tool: string
  readonly rung: Extract<Rung, 'overlay' | 'end-of-attempt'>
  readonly failure: Failure
  /** The attempt in which it was taken. */
  readonly attempt: number
  readonly cost: () => RungCost
}

/** A rejected attempt that can be taken up again. */
export interface RejectedAttempt {
  readonly number: number
  readonly patch: string
  readonly changes: readonly FileChange[]
  readonly failure: Failure
}

/** What happened in the step so far. Kept over retries and replans, since the tree is the same again; cleared when the step passes. */
export class StepHistory {
  #history: History = { failures: [], changes: [] }
  #counts = new Map<string, number>()
  #rejected: RejectedAttempt[] = []
  #changing: ToolCall[] = []
  #corrections = new Map<string, string>()
  /** The rungs whose outcome is still open. */
  readonly pending: PendingRung[] = []
  /** What `pickCandidate` would choose from. */
  choice: StandingChoice | undefined

  constructor(private readonly guards = true) {}

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
    const key = keyOf(failure)
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }

  /** A failure of this kind and place has been overcome: the next one is a first one again. */
  overcome(failure: Failure): void {
    this.#counts.delete(keyOf(failure))
  }

  /** How often the run has changed a file in this step. */
  get changes(): number {
    return this.#history.changes.length
  }

  /** Remembers what the model meant by a value that is no member of its kind. */
  correct(kind: ArgumentKind, value: string, meant: string): void {
    this.#corrections.set(`${kind} ${value}`, meant)
  }

  /** What the model meant by the value before; undefined when it never said so, or the value has come to be since. */
  meant(kind: ArgumentKind, value: string): string | undefined {
    return this.#history.changes.includes(value) ? undefined : this.#corrections.get(`${kind} ${value}`)
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
    return this.guards ? constrain(this.#history, tools) : NO_CONSTRAINTS
  }

  /** What one of the failures would constrain by itself. */
  constraintsOf(index: number, tools: readonly ToolDefinition[]): ConstraintSet {
    if (!this.guards) return NO_CONSTRAINTS
    return constrain({ failures: this.#history.failures.slice(index, index + 1), changes: [] }, tools)
  }

  startAttempt(): void {
    this.#changing = []
    this.choice = undefined
    this.#counts.clear()
  }

  clear(): void {
    this.#history = { failures: [], changes: [] }
    this.#counts.clear()
    this.#rejected = []
    this.#changing = []
    this.#corrections.clear()
    this.choice = undefined
  }
}
