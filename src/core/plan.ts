/** What the user asked for. */
export interface Task {
  readonly text: string
}

/** One sub-goal. `files` exist already; `newFiles` are to be made. Paths are repository-relative. */
export interface PlanStep {
  readonly goal: string
  readonly files: readonly string[]
  readonly newFiles: readonly string[]
}

export interface Plan {
  readonly summary: string
  readonly steps: readonly PlanStep[]
  /** `implied`: the model went straight to an edit, so the task itself is the only step. */
  readonly origin: 'submitted' | 'implied'
}
