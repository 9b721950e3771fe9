import type { FailureKind } from './failure.ts'

/** What follows a failure. */
export type Decision =
  | { readonly kind: 'repeat'; readonly delayMs: number }
  | { readonly kind: 'retry' }
  | { readonly kind: 'replan' }
  | { readonly kind: 'escalate' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'give-up' }
  | { readonly kind: 'stop' }

/** A row of the policy table. `limit` counts how often `first` may follow before `then` does. */
export interface PolicyRow {
  readonly first: 'repeat' | 'retry' | 'replan' | 'next-rung' | 'stop'
  readonly limit: number
  readonly then: 'replan' | 'end-of-attempt' | 'give-up' | 'stop'
  readonly countsAsAttempt: boolean
}

export type PolicyTable = Readonly<Record<FailureKind, PolicyRow>>
