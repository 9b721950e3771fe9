import type { PolicyTable } from '../core/decision.ts'
import type { Task } from '../core/plan.ts'
import type { Ports } from '../core/ports.ts'
import type { Prompts } from '../core/prompts.ts'
import type { StepHistory } from './step-history.ts'
import type { Tally } from './tally.ts'

export interface LoopSettings {
  /** Model requests a run, retries of broken ones not counted. */
  readonly maxTurns: number
  /** Attempts at a step under one plan. */
  readonly maxAttempts: number
  readonly maxReplans: number
  readonly maxOutputTokens: number
  /** Fail a change that makes no failing test pass. */
  readonly requireProof: boolean
}

/** What every part of the loop is given. */
export interface RunContext {
  readonly task: Task
  readonly ports: Ports
  readonly prompts: Prompts
  readonly policy: PolicyTable
  readonly settings: LoopSettings
  readonly signal: AbortSignal
  readonly tally: Tally
  readonly history: StepHistory
}
