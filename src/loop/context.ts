import type { Prices } from '../core/cost.ts'
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
  /** The run ends before the request after which more than this has been spent. */
  readonly budgetUsd?: number
  /** Nearing so many tokens, results of old calls are shortened before a request. */
  readonly contextTokens: number
  readonly prices: Prices
  /** Without guards a failed call is only told of: for comparisons. */
  readonly guards: boolean
  /** Fail a change that makes no failing test pass. */
  readonly requireProof: boolean
}

/** What every part of the loop is given. */
export interface RunContext {
  readonly task: Task
  readonly ports: Ports
  readonly prompts: Prompts
  /** What the repository says of how to work in it (AGENTS.md); may be empty. */
  readonly instructions: string
  readonly policy: PolicyTable
  readonly settings: LoopSettings
  readonly signal: AbortSignal
  readonly tally: Tally
  readonly history: StepHistory
}
