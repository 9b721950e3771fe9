/** What a check judges, cheapest first. */
export const CHECK_KINDS = ['types', 'lint', 'tests'] as const
export type CheckKind = (typeof CHECK_KINDS)[number]

/** One complaint of a compiler, linter or test runner. Lines and columns are 1-based; `file` is repository-relative. */
export interface Diagnostic {
  readonly source: string
  readonly severity: 'error' | 'warning'
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly code?: string
  readonly message: string
}

/** A test by its full name, prefixed by its file: `src/a.test.ts > suite > name`. */
export interface TestResult {
  readonly id: string
  readonly file?: string
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Failure text, stripped of terminal sequences and capped. */
  readonly message?: string
}

/** A check as found in the repository. `command` is what a person would type; `cwd` is repository-relative (`.` for the root). */
export interface CheckPlan {
  readonly id: string
  readonly kind: CheckKind
  readonly tool: string
  readonly command: string
  readonly cwd: string
}

/** What one run of a check gave. */
export interface CheckResult {
  readonly check: CheckPlan
  readonly status: 'passed' | 'failed' | 'unavailable'
  readonly diagnostics: readonly Diagnostic[]
  readonly tests: readonly TestResult[]
  readonly exitCode?: number
  readonly ms: number
  /** Head and tail of the output, stripped and capped; the whole text is in the run log's folder. */
  readonly output: string
  /** Why it could not run. */
  readonly reason?: string
}

/** The state before the first edit; only what is new against it counts. */
export interface Baseline {
  readonly results: readonly CheckResult[]
}

/** What a change brought about, held against the baseline. */
export interface News {
  readonly newDiagnostics: readonly Diagnostic[]
  /** Tests that fail now and did not before. */
  readonly newlyFailing: readonly TestResult[]
  readonly newlyPassing: readonly string[]
  /** How many tests pass that nobody knew before the first edit; a renamed one is no more than there was. */
  readonly addedPassing: number
  /** Ran before and don't any more, where fewer tests run than before: deleted or skipped, not renamed. */
  readonly vanished: readonly string[]
  /** Failed before and fail still. */
  readonly stillFailing: readonly string[]
  readonly stillPassing: number
  /** Complaints that were there before the first edit. */
  readonly preexisting: number
}

export const NO_NEWS: News = {
  newDiagnostics: [],
  newlyFailing: [],
  newlyPassing: [],
  addedPassing: 0,
  vanished: [],
  stillFailing: [],
  stillPassing: 0,
  preexisting: 0,
}

export interface Verdict extends News {
  readonly status: 'pass' | 'fail' | 'unavailable'
  readonly results: readonly CheckResult[]
}
