import type { Rung } from './event.ts'
import type { FailureKind } from './failure.ts'
import type { Usage } from './message.ts'
import type { RunStatus } from './outcome.ts'

/** Recoveries of failing calls on one rung. */
export interface RungStats {
  readonly tried: number
  readonly recovered: number
  /** Model requests beyond the calls that failed. */
  readonly requests: number
  readonly usage: Usage
  readonly ms: number
}

/** How many calls one guard recovered on one rung. */
export interface GuardStats {
  /** The first guard that fired for the call and changed a schema, or else the first that fired; absent where none did, as for a repair without a model. */
  readonly guard?: string
  readonly rung: Rung
  readonly recovered: number
  /** Of all recovered calls, 0 to 1. */
  readonly share: number
}

/** What past runs tell together. This is what `goatfied stats --json` prints. */
export interface Stats {
  readonly runs: number
  /** `unended`: the log has no end, as of a run that goes on or was killed. */
  readonly results: Readonly<Record<RunStatus | 'unended', number>>
  /** Calls that failed, attempts that were rejected, requests that failed and what ended a run; kinds that never came are left out. */
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>
  readonly rungs: Readonly<Record<Rung, RungStats>>
  /** The most recoveries first. */
  readonly guards: readonly GuardStats[]
  readonly requests: number
  readonly usage: Usage
  /** The part of `usage` that went into recoveries. */
  readonly recoveryUsage: Usage
  /** In US dollars, of the answers whose price is known. */
  readonly costUsd: number
  /** Answers whose price is not known: `costUsd` is without them. */
  readonly unpriced: number
}
