import type { CheckPlan } from './verdict.ts'

/** What every run asks for first; goes into the first request. */
export interface RepositoryFacts {
  readonly platform: string
  readonly nodeVersion: string
  readonly packageManager: string
  readonly scripts: Readonly<Record<string, string>>
  readonly checks: readonly CheckPlan[]
  /** Top-level names, directories with a trailing slash. */
  readonly topLevel: readonly string[]
  /** All files that are not ignored, where they are few enough to be told; else none. */
  readonly files: readonly string[]
  /** Where the names are that the task puts in backticks. */
  readonly mentions: readonly Mention[]
  readonly git: GitState
}

/** A name of the task's, and where the repository has it: `src/a.ts:3,17`. */
export interface Mention {
  readonly name: string
  readonly places: readonly string[]
}

export type GitState =
  | { readonly kind: 'none' }
  | { readonly kind: 'unborn'; readonly branch: string }
  | { readonly kind: 'commit'; readonly head: string; readonly branch?: string; readonly dirty: readonly string[] }
