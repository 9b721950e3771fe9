import type { CheckPhase, StampedEvent } from './event.ts'
import type { Failure } from './failure.ts'
import { addUsage, type ModelRole, NO_USAGE, type Usage } from './message.ts'
import type { RunResult } from './outcome.ts'
import type { Plan } from './plan.ts'
import { callTarget } from './story/call.ts'
import { verdictReasons } from './story/checks.ts'
import { describeFailure } from './story/failure.ts'
import type { CheckPlan } from './verdict.ts'

export interface StepProgress {
  readonly goal: string
  readonly state: 'waiting' | 'working' | 'passed'
}

/** An attempt, begun or ended. `reasons` say in words why it was not taken. */
export interface AttemptProgress {
  readonly attempt: number
  readonly parent?: number
  readonly revision: number
  /** 0-based index of the plan step. */
  readonly step: number
  /** The how-manieth of its plan step, and how many the policy allows. */
  readonly ordinal: number
  readonly limit: number
  readonly outcome: 'running' | 'passed' | 'rejected' | 'abandoned'
  readonly changed: readonly string[]
  readonly reasons: readonly string[]
}

export interface CallProgress {
  readonly id: string
  readonly tool: string
  readonly target: string
  readonly state: 'running' | 'failed'
}

export interface CheckProgress {
  readonly phase: CheckPhase
  readonly check: CheckPlan
  readonly startedAt: number
}

/** A request that waits for its answer: `text` is the tail of what was streamed so far. */
export interface AnswerProgress {
  readonly request: number
  readonly role: ModelRole
  readonly since: number
  readonly text: string
}

/** Everything a screen needs to know of a run. Times are milliseconds since the epoch. */
export interface RunProgress {
  readonly runId?: string
  readonly runLog?: string
  readonly task?: string
  readonly model?: string
  readonly startedAt?: number
  readonly lastAt?: number
  readonly plan?: Plan
  /** 0 before the first plan; counts up with every new one. */
  readonly revision: number
  readonly steps: readonly StepProgress[]
  readonly attempts: readonly AttemptProgress[]
  readonly calls: readonly CallProgress[]
  readonly checks: readonly CheckProgress[]
  readonly answering?: AnswerProgress
  readonly waiting?: {
    readonly failure: Failure
    readonly retry: number
    readonly limit: number
    readonly until: number
  }
  readonly asking?: { readonly callId: string; readonly action: string }
  readonly restoring: boolean
  readonly requests: number
  readonly usage: Usage
  readonly failedCalls: number
  readonly guards: number
  readonly replans: number
  readonly result?: RunResult
}

export const NO_PROGRESS: RunProgress = {
  revision: 0,
  steps: [],
  attempts: [],
  calls: [],
  checks: [],
  restoring: false,
  requests: 0,
  usage: NO_USAGE,
  failedCalls: 0,
  guards: 0,
  replans: 0,
}

/** Characters kept of a streamed answer. */
const TEXT_TAIL = 400

/** The progress of a run after one more of its events. Pure. */
export function progress(state: RunProgress, event: StampedEvent): RunProgress {
  const now = { ...state, startedAt: state.startedAt ?? event.at, lastAt: event.at }
  switch (event.type) {
    case 'run.started':
      return { ...now, runId: event.runId, runLog: event.runLog, task: event.task.text, model: event.model }
    case 'check.started': {
      const check = { phase: event.phase, check: event.check, startedAt: event.at }
      return { ...now, checks: [...without(state.checks, event.phase, event.check.id), check] }
    }
    case 'check.ended':
      return { ...now, checks: without(state.checks, event.phase, event.result.check.id) }
    case 'model.requested': {
      const answering = { request: event.request, role: event.role, since: event.at, text: '' }
      return { ...now, requests: state.requests + 1, waiting: undefined, answering }
    }
    case 'model.text': {
      if (state.answering?.request !== event.request) return now
      const text = (state.answering.text + event.text).slice(-TEXT_TAIL)
      return { ...now, waiting: undefined, answering: { ...state.answering, text } }
    }
    case 'model.waiting': {
      const { failure, retry, limit, delayMs } = event
      const answering = state.answering && { ...state.answering, text: '' }
      return { ...now, waiting: { failure, retry, limit, until: event.at + delayMs }, answering }
    }
    case 'model.answered':
      return { ...now, usage: addUsage(state.usage, event.answer.usage), waiting: undefined, answering: undefined }
    case 'model.failed':
      return { ...now, waiting: undefined, answering: undefined }
    case 'plan.accepted': {
      const steps = event.plan.steps.map(({ goal }) => ({ goal, state: 'waiting' as const }))
      return { ...now, plan: event.plan, revision: event.revision, steps, calls: [] }
    }
    case 'step.started':
      return { ...now, steps: withStep(state.steps, event.index, 'working'), calls: [] }
    case 'step.passed':
      return { ...now, steps: withStep(state.steps, event.index, 'passed') }
    case 'attempt.started':
      return { ...now, attempts: [...state.attempts, begun(state, event)], calls: [] }
    case 'attempt.ended':
      return {
        ...now,
        calls: [],
        attempts: state.attempts.map((attempt) =>
          attempt.attempt === event.attempt ? { ...attempt, outcome: event.outcome, changed: event.changed } : attempt,
        ),
      }
    case 'call.started': {
      const { id, name } = event.call
      const call = { id, tool: name, target: callTarget(event.call), state: 'running' as const }
      return { ...now, calls: [...state.calls.filter((other) => other.id !== id), call] }
    }
    case 'call.ended':
      return { ...now, calls: state.calls.filter((call) => call.id !== event.callId) }
    case 'call.failed': {
      // It stays known: what is told of its recovery later names what it was aimed at.
      const calls = state.calls.map((call) => (call.id === event.callId ? { ...call, state: 'failed' as const } : call))
      // What was not even tried has not failed.
      const tried = event.failure.kind !== 'call.skipped' && event.failure.kind !== 'call.denied'
      return { ...now, failedCalls: state.failedCalls + (tried ? 1 : 0), calls }
    }
    case 'guard.fired':
      return { ...now, guards: state.guards + 1 }
    case 'approval.asked':
      return { ...now, asking: { callId: event.callId, action: event.action } }
    case 'approval.answered':
      return { ...now, asking: undefined }
    case 'verdict':
      // A check that was cut short once another had found enough has no end of its own.
      return event.verdict.status === 'pass'
        ? { ...now, checks: [] }
        : { ...now, checks: [], attempts: withReasons(state.attempts, event.attempt, verdictReasons(event.verdict)) }
    case 'rollback.started':
      return { ...now, restoring: true }
    case 'rollback.ended':
      return { ...now, restoring: false }
    case 'decision':
      return decided(now, event)
    case 'run.ended': {
      const idle = {
        calls: [],
        checks: [],
        answering: undefined,
        waiting: undefined,
        asking: undefined,
        restoring: false,
      }
      return { ...now, ...idle, result: event.result }
    }
    case 'facts.gathered':
    case 'notice':
    case 'check.progress':
    case 'context.shrunk':
    case 'baseline.taken':
    case 'call.repaired':
    case 'recovery.started':
    case 'recovery.ended':
      return now
    default:
      // A log of another version may hold events that this one does not know.
      event satisfies never
      return now
  }
}

function without(checks: readonly CheckProgress[], phase: CheckPhase, id: string): readonly CheckProgress[] {
  return checks.filter((running) => running.phase !== phase || running.check.id !== id)
}

function withStep(
  steps: readonly StepProgress[],
  index: number,
  state: StepProgress['state'],
): readonly StepProgress[] {
  return steps.map((step, at) => (at === index ? { ...step, state } : step))
}

function begun(state: RunProgress, event: StampedEvent & { readonly type: 'attempt.started' }): AttemptProgress {
  const { attempt, parent, step, limit } = event
  const before = state.attempts.filter((other) => other.revision === state.revision && other.step === step).length
  return {
    attempt,
    ...(parent === undefined ? {} : { parent }),
    revision: state.revision,
    step,
    ordinal: before + 1,
    limit,
    outcome: 'running',
    changed: [],
    reasons: [],
  }
}

function withReasons(attempts: readonly AttemptProgress[], number: number, reasons: readonly string[]) {
  return attempts.map((attempt) =>
    attempt.attempt === number ? { ...attempt, reasons: [...new Set([...attempt.reasons, ...reasons])] } : attempt,
  )
}

/** A decision against the last attempt gives the reason where no verdict has: the attempt did not get as far as the checks. */
function decided(state: RunProgress, event: StampedEvent & { readonly type: 'decision' }): RunProgress {
  const { kind } = event.decision
  const replans = state.replans + (kind === 'replan' ? 1 : 0)
  const last = state.attempts.at(-1)
  const ends = kind !== 'repeat' && kind !== 'retry'
  if (!ends || last === undefined || last.outcome === 'passed' || last.reasons.length > 0) return { ...state, replans }
  return { ...state, replans, attempts: withReasons(state.attempts, last.attempt, [describeFailure(event.failure)]) }
}
