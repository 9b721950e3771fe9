import type { RunEvent, RungCost } from '../core/event.ts'
import { addUsage, NO_USAGE, subtractUsage, type Usage } from '../core/message.ts'
import type { RunTotals } from '../core/outcome.ts'

/** What a run had spent at some moment. */
export type Spent = Pick<RungCost, 'requests' | 'usage'>

/** What a run has spent so far: a fold over its own events, so that no part of the loop has to keep count. */
export class Tally {
  requests = 0
  attempts = 0
  /** Those that followed rejected attempts. */
  replans = 0
  /** Replans that followed failing calls, since a call last did something. */
  callReplans = 0
  /** Plans that the model changed while it was editing. */
  revisions = 0
  /** Paths that somebody else had changed when they were to be given back. */
  readonly conflicts = new Set<string>()
  #allReplans = 0
  #failedCalls = 0
  #recoveredCalls = 0
  #usage: Usage = NO_USAGE
  #costUsd: number | undefined = 0

  constructor(private readonly startedAt: number) {}

  see(event: RunEvent): void {
    switch (event.type) {
      case 'model.requested':
        this.requests += 1
        break
      case 'model.answered':
        this.#usage = addUsage(this.#usage, event.answer.usage)
        this.#costUsd =
          this.#costUsd === undefined || event.costUsd === undefined ? undefined : this.#costUsd + event.costUsd
        break
      case 'attempt.started':
        this.attempts += 1
        break
      case 'attempt.ended':
        this.revisions += event.outcome === 'abandoned' ? 1 : 0
        break
      case 'call.failed':
        // What was not even tried has not failed.
        this.#failedCalls += event.failure.kind === 'call.skipped' || event.failure.kind === 'call.denied' ? 0 : 1
        break
      case 'recovery.ended':
        this.#recoveredCalls += event.recovered ? 1 : 0
        break
      case 'rollback.ended':
        for (const path of event.report.conflicts) this.conflicts.add(path)
        break
      case 'decision':
        if (event.decision.kind !== 'replan') break
        this.#allReplans += 1
        if (event.level === 'call') this.callReplans += 1
        else this.replans += 1
        break
    }
  }

  /** What has been spent since `before`, an earlier `spent()`. */
  spentSince(before: Spent): Omit<RungCost, 'ms'> {
    return { requests: this.requests - before.requests, usage: subtractUsage(this.#usage, before.usage) }
  }

  spent(): Spent {
    return { requests: this.requests, usage: this.#usage }
  }

  /** Undefined once an answer came whose price is not known. */
  get costUsd(): number | undefined {
    return this.#costUsd
  }

  totals(now: number): RunTotals {
    return {
      requests: this.requests,
      attempts: this.attempts,
      replans: this.#allReplans,
      failedCalls: this.#failedCalls,
      recoveredCalls: this.#recoveredCalls,
      usage: this.#usage,
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
      ms: now - this.startedAt,
    }
  }
}
