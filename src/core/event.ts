import type { Constraint, ConstraintSet } from './constraint.ts'
import type { Decision } from './decision.ts'
import type { Failure } from './failure.ts'
import type { JsonSchema } from './json.ts'
import type { Message, ModelAnswer, ModelRole, Usage } from './message.ts'
import type { RunResult } from './outcome.ts'
import type { Plan, PlanStep, Task } from './plan.ts'
import type { RestoreReport, Snapshot } from './snapshot.ts'
import type { EditReport, ToolCall, ToolDefinition } from './tool.ts'
import type { Baseline, CheckPlan, CheckResult, Verdict } from './verdict.ts'
import type { RepositoryFacts } from './workspace.ts'

/** The rungs on which one failing call is recovered, from cheap to dear. */
export type Rung = 'repair' | 'scoped-replay' | 'overlay' | 'end-of-attempt'

/** A lossless change of a call's arguments, made without a model. */
export interface Repair {
  readonly pointer: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

/** What a rung took beyond the call that failed. */
export interface RungCost {
  readonly requests: number
  readonly usage: Usage
  readonly ms: number
}

/** How one parameter's schema changed when a guard fired. */
export interface SchemaChange {
  readonly tool: string
  readonly pointer: string
  readonly before: JsonSchema
  readonly after: JsonSchema
}

/** When a check runs: before the first edit, after an attempt, or on the end state. */
export type CheckPhase = 'baseline' | 'attempt' | 'proof'

/**
 * Everything that happens in a run, in order. UI, printers, run log and replay are folds over these and nothing else
 * carries state between them. An event that announces an act is yielded, and so logged, before the act.
 */
export type RunEvent =
  | {
      readonly type: 'run.started'
      readonly runId: string
      /** Absolute path of the run's log. */
      readonly runLog: string
      readonly version: string
      readonly root: string
      readonly task: Task
      readonly model: string
      readonly settings: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'facts.gathered'; readonly facts: RepositoryFacts }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'check.started'; readonly phase: CheckPhase; readonly check: CheckPlan }
  | { readonly type: 'check.progress'; readonly phase: CheckPhase; readonly check: CheckPlan; readonly line: string }
  | { readonly type: 'check.ended'; readonly phase: CheckPhase; readonly result: CheckResult }
  | { readonly type: 'baseline.taken'; readonly baseline: Baseline; readonly ms: number }
  /** `appended` are the messages that the conversation's previous request did not have; `system` and `tools` come with the first. */
  | {
      readonly type: 'model.requested'
      readonly request: number
      readonly conversation: string
      readonly role: ModelRole
      readonly system?: string
      readonly tools?: readonly ToolDefinition[]
      readonly appended: readonly Message[]
      readonly estimatedTokens: number
    }
  /** Streamed text; not kept in the run log, since `model.answered` has it whole. */
  | { readonly type: 'model.text'; readonly request: number; readonly text: string }
  | {
      readonly type: 'model.waiting'
      readonly request: number
      readonly failure: Failure
      readonly retry: number
      readonly limit: number
      readonly delayMs: number
    }
  | {
      readonly type: 'model.answered'
      readonly request: number
      readonly answer: ModelAnswer
      /** In US dollars; absent for a model whose prices are not known. */
      readonly costUsd?: number
      readonly ms: number
    }
  /** Results of old calls were shortened, since the conversation (in estimated tokens) does not fit the model's context. */
  | {
      readonly type: 'context.shrunk'
      readonly conversation: string
      readonly reason: 'nearly-full' | 'overflow'
      readonly results: number
      readonly before: number
      readonly after: number
    }
  | { readonly type: 'model.failed'; readonly request: number; readonly failure: Failure; readonly ms: number }
  | { readonly type: 'plan.accepted'; readonly plan: Plan; readonly revision: number }
  | { readonly type: 'step.started'; readonly index: number; readonly step: PlanStep }
  | { readonly type: 'step.passed'; readonly index: number; readonly attempt: number; readonly summary: string }
  | {
      readonly type: 'attempt.started'
      readonly attempt: number
      readonly parent?: number
      readonly step: number
      readonly limit: number
      readonly snapshot: Snapshot
      readonly constraints: ConstraintSet
    }
  | {
      readonly type: 'attempt.ended'
      readonly attempt: number
      readonly outcome: 'passed' | 'rejected' | 'abandoned'
      /** What the attempt changed, against its snapshot. */
      readonly patch: string
      readonly changed: readonly string[]
    }
  | { readonly type: 'call.started'; readonly call: ToolCall }
  | {
      readonly type: 'call.ended'
      readonly callId: string
      readonly tool: string
      /** What the model reads. */
      readonly text: string
      readonly edits: readonly EditReport[]
      readonly changed: readonly string[]
      /** Of a command. */
      readonly exitCode?: number
      readonly ms: number
    }
  | {
      readonly type: 'call.failed'
      readonly callId: string
      readonly tool: string
      readonly failure: Failure
      readonly executed: boolean
    }
  | {
      readonly type: 'call.repaired'
      readonly callId: string
      readonly tool: string
      readonly repairs: readonly Repair[]
    }
  | {
      readonly type: 'guard.fired'
      readonly guard: string
      readonly reason: string
      readonly failure: Failure
      readonly constraints: readonly Constraint[]
      readonly changes: readonly SchemaChange[]
    }
  | { readonly type: 'recovery.started'; readonly callId: string; readonly rung: Rung }
  | {
      readonly type: 'recovery.ended'
      readonly callId: string
      readonly rung: Rung
      readonly recovered: boolean
      readonly note: string
      readonly cost: RungCost
    }
  | { readonly type: 'approval.asked'; readonly callId: string; readonly action: string }
  | {
      readonly type: 'approval.answered'
      readonly callId: string
      readonly allowed: boolean
      readonly by: 'person' | 'settings'
    }
  | {
      readonly type: 'verdict'
      readonly phase: 'attempt' | 'proof'
      readonly attempt: number
      readonly verdict: Verdict
      readonly ms: number
    }
  | { readonly type: 'rollback.started'; readonly snapshot: Snapshot; readonly reason: string }
  | { readonly type: 'rollback.ended'; readonly snapshot: Snapshot; readonly report: RestoreReport }
  | {
      readonly type: 'decision'
      /** What is decided on: one request, one call, or a whole attempt. */
      readonly level: 'request' | 'call' | 'attempt'
      readonly failure: Failure
      readonly decision: Decision
      /** The how-manieth of its kind, and how many the policy allows. */
      readonly count: number
      readonly limit: number
      readonly reason: string
    }
  | { readonly type: 'run.ended'; readonly result: RunResult }

export type RunEventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** An event with its place in the run. `at` is milliseconds since the epoch. */
export type StampedEvent = RunEvent & { readonly seq: number; readonly at: number }

/** The events that a validator yields. */
export type CheckEvent = RunEventOf<'check.started' | 'check.progress' | 'check.ended'>
