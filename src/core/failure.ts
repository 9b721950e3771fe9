import type { Diagnostic } from './verdict.ts'

/** A target that a call named and that is not there. */
export type TargetKind = 'path' | 'directory' | 'script' | 'symbol' | 'test' | 'attempt' | 'region'

/** One reason why arguments don't satisfy a schema, as ajv reports it. `pointer` is a JSON pointer into the arguments. */
export interface ArgumentError {
  readonly pointer: string
  readonly keyword: string
  readonly message: string
  /** The keyword's own facts: `allowedValues`, `missingProperty`, `additionalProperty`, `limit`, `type`. */
  readonly params: Readonly<Record<string, unknown>>
}

interface OfCall {
  readonly callId: string
  readonly tool: string
}

/** A numbered stretch of a file, as shown to the model. Lines are 1-based and inclusive. */
export interface Region {
  readonly startLine: number
  readonly endLine: number
  readonly text: string
}

export type CallFailure =
  | (OfCall & { readonly kind: 'call.unknown-tool'; readonly known: readonly string[]; readonly notNow: boolean })
  | (OfCall & {
      readonly kind: 'call.invalid-arguments'
      readonly errors: readonly ArgumentError[]
      /** The raw argument text where it is not JSON. */
      readonly malformed?: string
    })
  | (OfCall & { readonly kind: 'call.truncated' })
  /** Not executed because a person or the settings said no, or because an earlier call of the same answer failed. */
  | (OfCall & { readonly kind: 'call.denied'; readonly by: 'person' | 'settings' })
  | (OfCall & { readonly kind: 'call.skipped'; readonly because: 'earlier-failure' | 'step-finished' })

export type TargetFailure = OfCall & {
  readonly kind: 'target.not-found'
  readonly target: TargetKind
  /** JSON pointer to the argument. */
  readonly pointer: string
  readonly value: string
  /** Valid members, best first. May be empty. */
  readonly candidates: readonly string[]
  /** True when `candidates` are all members there are. */
  readonly exhaustive: boolean
  /** How far the first candidate stands before the second, 0 to 1. Repair without a model asks for much of it. */
  readonly lead: number
}

export type EditFailure = OfCall & { readonly path: string } & (
    | {
        readonly kind: 'edit.no-match'
        /** 0-based index into `edits`. */
        readonly edit: number
        readonly tried: readonly string[]
        readonly nearest: readonly Region[]
      }
    | {
        readonly kind: 'edit.ambiguous'
        readonly edit: number
        /** First lines of all matches. */
        readonly lines: readonly number[]
        /** The matches, in order, with the lines around them that tell them apart: the old text of a region occurs once. */
        readonly regions: readonly Region[]
      }
    /** The file is not what the model last saw; `content` is what it is now. */
    | { readonly kind: 'edit.stale'; readonly content: string }
    | { readonly kind: 'edit.out-of-scope'; readonly reason: string }
    /** With the edit the file would not parse any more. `line` and `column` are 1-based, in the content as it would be. */
    | {
        readonly kind: 'edit.syntax'
        readonly line: number
        readonly column: number
        readonly message: string
        /** The lines around, numbered, as they would be. */
        readonly shown: string
      }
  )

export type CheckFailure =
  | { readonly kind: 'check.syntax'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'check.types'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'check.lint'; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: 'check.tests'
      readonly diagnostics: readonly Diagnostic[]
      readonly failing: readonly string[]
    }
  | { readonly kind: 'check.tampered'; readonly paths: readonly string[]; readonly reason: string }
  | { readonly kind: 'check.unavailable'; readonly check: string; readonly reason: string }

export type ProviderFailure =
  | {
      readonly kind: 'provider.transient'
      readonly reason: string
      readonly status?: number
      /** What the provider asked to wait, in milliseconds. */
      readonly retryAfterMs?: number
    }
  | { readonly kind: 'provider.auth'; readonly reason: string }
  | { readonly kind: 'provider.quota'; readonly reason: string }
  | { readonly kind: 'provider.refused'; readonly reason: string }
  /** The request itself is at fault (400 and its like): repeating it can't help. */
  | { readonly kind: 'provider.rejected'; readonly reason: string; readonly status?: number }
  | { readonly kind: 'provider.context-overflow'; readonly reason: string }

export type OtherFailure =
  | { readonly kind: 'io.transient'; readonly reason: string }
  | { readonly kind: 'progress.repeated'; readonly what: string; readonly callId?: string; readonly tool?: string }
  | { readonly kind: 'progress.none'; readonly reason: string }
  | { readonly kind: 'budget.turns'; readonly limit: number }
  | { readonly kind: 'budget.time'; readonly limitMs: number }
  | { readonly kind: 'budget.money'; readonly limitUsd: number }
  | { readonly kind: 'user.cancelled'; readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }
  /** `stack` is for the run log, never for a person's eyes. */
  | { readonly kind: 'internal.defect'; readonly reason: string; readonly stack?: string }
  | { readonly kind: 'internal.restore'; readonly reason: string; readonly paths: readonly string[] }

/** Everything that can go wrong, named `origin.reason`. Closed: a switch over it has no default. */
export type Failure = CallFailure | TargetFailure | EditFailure | CheckFailure | ProviderFailure | OtherFailure

export type FailureKind = Failure['kind']

/** A failure of one call, which the model can correct. */
export type Correctable = CallFailure | TargetFailure | EditFailure | (OtherFailure & { kind: 'progress.repeated' })

/** A value, or the failure that stands in its place. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export const success = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const failed = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })

/** Thrown where no result type can carry a failure, e.g. through a library's callback; caught at the port. */
export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
  ) {
    super(message)
    this.name = 'FailureError'
  }
}

export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
