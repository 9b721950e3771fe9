import { assertNever, type Failure } from './failure.ts'
import type { Usage } from './message.ts'
import type { FileChange } from './snapshot.ts'
import type { Verdict } from './verdict.ts'

/** How a run ended. */
export type RunStatus = 'validated' | 'gave-up' | 'unchanged' | 'stopped'

export interface RunResult {
  readonly status: RunStatus
  readonly exitCode: ExitCode
  /** One sentence for a person. */
  readonly summary: string
  /** What ended a run that was not validated. */
  readonly failure?: Failure
  /** The change that stays in the tree: empty unless validated. */
  readonly changes: readonly FileChange[]
  /** The final proof, for a validated run. */
  readonly proof?: Verdict
  /** Paths that could not be given back because somebody else changed them meanwhile. */
  readonly conflicts: readonly string[]
  readonly totals: RunTotals
}

export interface RunTotals {
  readonly requests: number
  readonly attempts: number
  readonly replans: number
  /** Calls that failed, and of these the ones that were recovered without ending the attempt. */
  readonly failedCalls: number
  readonly recoveredCalls: number
  readonly usage: Usage
  /** In US dollars; absent when a model was used whose prices are not known. */
  readonly costUsd?: number
  readonly ms: number
}

export const EXIT = {
  validated: 0,
  gaveUp: 1,
  usage: 2,
  unchanged: 3,
  credentials: 41,
  provider: 51,
  configuration: 52,
  turns: 53,
  unavailable: 54,
  budget: 55,
  interrupted: 130,
  terminated: 143,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The exit code of a run that a failure ended. */
export function exitCodeOf(failure: Failure): ExitCode {
  switch (failure.kind) {
    case 'call.unknown-tool':
    case 'call.invalid-arguments':
    case 'call.truncated':
    case 'call.denied':
    case 'call.skipped':
    case 'target.not-found':
    case 'edit.no-match':
    case 'edit.ambiguous':
    case 'edit.stale':
    case 'edit.out-of-scope':
    case 'edit.syntax':
    case 'check.syntax':
    case 'check.types':
    case 'check.lint':
    case 'check.tests':
    case 'check.tampered':
    case 'progress.repeated':
    case 'io.transient':
    case 'internal.restore':
    case 'internal.defect':
      return EXIT.gaveUp
    case 'progress.none':
      return EXIT.unchanged
    case 'check.unavailable':
      return EXIT.unavailable
    case 'provider.auth':
      return EXIT.credentials
    case 'provider.transient':
    case 'provider.quota':
    case 'provider.refused':
    case 'provider.rejected':
    case 'provider.context-overflow':
      return EXIT.provider
    case 'budget.turns':
      return EXIT.turns
    case 'budget.time':
    case 'budget.money':
      return EXIT.budget
    case 'user.cancelled':
      return failure.signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
    default:
      return assertNever(failure)
  }
}
