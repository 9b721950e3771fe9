import type { CheckEvent, Repair } from './event.ts'
import type { Correctable, Failure, Outcome } from './failure.ts'
import type { ModelAnswer, ModelRequest } from './message.ts'
import type { SchemaSupport } from './provider.ts'
import type { FileChange, RestoreReport, Snapshot } from './snapshot.ts'
import type { ToolCall, ToolDefinition, ToolResult } from './tool.ts'
import type { Baseline, Verdict } from './verdict.ts'
import type { RepositoryFacts } from './workspace.ts'

/** What comes out of a model while it answers. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'waiting'
      readonly failure: Failure
      readonly retry: number
      readonly limit: number
      readonly delayMs: number
    }

/**
 * A model behind a provider.
 * `answer` never throws: a fault of the provider, and an abort through `signal`, are returned as a failure. What it
 * returns is whole: nothing of a stream that broke off is in it. It never changes the request.
 */
export interface Model {
  /** `provider/model`. */
  readonly id: string
  readonly schemas: SchemaSupport
  answer(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, Outcome<ModelAnswer>>
}

declare const checked: unique symbol
/** A call that the runner has checked against the constrained schema: the only thing it executes. */
export interface CheckedCall {
  readonly [checked]: true
  readonly call: ToolCall
  readonly arguments: Readonly<Record<string, unknown>>
  /** What was mended without loss before the check. */
  readonly repairs: readonly Repair[]
  /** Set when the call needs a person's consent: what it would do, in words. */
  readonly needsApproval?: string
}

/** A file to be shown: of a long one only what stands around `lines` (1-based), where they are given. */
export interface ShownFile {
  readonly path: string
  readonly lines?: readonly number[]
  /** Texts whose lines are among those in question. */
  readonly texts?: readonly string[]
}

/**
 * The tools. No method throws for anything the model can cause; a defect does throw, and an abort ends `execute`
 * with `user.cancelled`.
 */
export interface ToolRunner {
  readonly definitions: readonly ToolDefinition[]
  /** Begins to load what the first call needs, so that it need not wait; returns at once. May be left out. */
  prepare(): void
  /**
   * Mends without loss, then checks `call` against `tools`, the definitions in force (already constrained). Fails closed:
   * a schema that does not compile refuses the call. Touches nothing.
   */
  check(
    call: ToolCall,
    tools: readonly ToolDefinition[],
  ): Promise<{ ok: true; value: CheckedCall } | { ok: false; failure: Correctable }>
  /** Executes it. A call that fails has changed nothing. */
  execute(call: CheckedCall, signal: AbortSignal): Promise<Outcome<ToolResult>>
  /** Tells the repository's tests by their ids, once the baseline has them: a command may name one. */
  learnTests(ids: readonly string[]): void
  /** Files as numbered text for a prompt, within `budgetBytes`; counts as having read those shown whole. Missing files are left out. */
  show(files: readonly ShownFile[], budgetBytes: number): Promise<string>
}

/**
 * Snapshots of the tree. Taking one never touches working tree, index, HEAD or `refs/stash`. Paths are repository-relative.
 * `restore` gives back, byte for byte, every path that the run changed since the snapshot was taken, and nothing else.
 * All throw on a failure that leaves the promise in doubt (`FailureError` with `internal.restore` or `io.transient`).
 */
export interface Snapshots {
  take(label: string): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<RestoreReport>
  /** What the run changed since the snapshot. */
  changes(snapshot: Snapshot): Promise<readonly FileChange[]>
  /** Keeps the present state of the paths changed since the snapshot under `name`, for `reapply`. */
  keep(name: string, since: Snapshot): Promise<void>
  /** Puts what was kept under `name` into the tree again: the paths it changed. Undefined when nothing was kept under it. */
  reapply(name: string): Promise<readonly string[] | undefined>
}

/** The repository's own compiler, linter and tests. Faults of the checks themselves are verdicts (`unavailable`), never exceptions. */
export interface Validator {
  baseline(signal: AbortSignal): AsyncGenerator<CheckEvent, Baseline>
  /**
   * Judges the tree as it is against the baseline. `attempt` may leave out what `changed` can't have broken and stops at
   * the first check that fails; `proof` runs everything.
   */
  validate(
    input: { readonly phase: 'attempt' | 'proof'; readonly baseline: Baseline; readonly changed: readonly string[] },
    signal: AbortSignal,
  ): AsyncGenerator<CheckEvent, Verdict>
}

/** Facts about the repository. */
export interface Workspace {
  /** `task` may name things: where they are is one of the facts. */
  facts(task: string): Promise<RepositoryFacts>
}

/** Whoever can be asked. Without a person every question is answered with no, at once. */
export interface Person {
  approve(
    action: string,
    signal: AbortSignal,
  ): Promise<{ readonly allowed: boolean; readonly by: 'person' | 'settings' }>
}

/** Time and chance, so that a run can be replayed. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>
}

/** Everything the loop needs of the world. */
export interface Ports {
  /** `escalate`, where there is one, plans and edits once the others have failed. */
  readonly models: { readonly plan: Model; readonly edit: Model; readonly repair: Model; readonly escalate?: Model }
  readonly tools: ToolRunner
  readonly snapshots: Snapshots
  readonly validator: Validator
  readonly workspace: Workspace
  readonly person: Person
  readonly clock: Clock
}

/** Bytes of a file and their SHA-256 in hex. */
export interface FileContent {
  readonly bytes: Uint8Array
  readonly hash: string
}

/**
 * The only way by which the run changes files. Paths are repository-relative, already confined (see `PathIndex.confine`).
 * The former bytes, mode and link target of a path are on disk in the journal before it is touched, so that a run killed
 * at any moment can be given back. A link is written through to its target. Mode and missing parent directories are taken care of.
 */
export interface WorkingTree {
  /** Undefined where there is no regular file (links followed). */
  read(path: string): Promise<FileContent | undefined>
  write(path: string, bytes: Uint8Array): Promise<void>
  remove(path: string): Promise<void>
  move(from: string, to: string): Promise<void>
  /**
   * Runs a command of the repository's (a check, a script) and notes which files changed meanwhile, so that these too can
   * be given back. `created: 'ours'` lets new files be removed again on restore; `'kept'` leaves them alone.
   */
  observe<T>(
    created: 'ours' | 'kept',
    run: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly changed: readonly string[] }>
}

/** Where it was seen that a file matters: the task names it, the model read or changed it, a search for the task's words found it, a recent commit changed it. */
export type EvidenceSource = 'task' | 'conversation' | 'search' | 'history'

/** A path that resembles a query; `score` is 1 for the same path and falls towards 0. */
export interface RankedPath {
  readonly path: string
  readonly score: number
}

/** The files that the model may know of: tracked and untracked, not ignored. Repository-relative, with `/`. */
export interface PathIndex {
  /** Sorted. */
  files(): Promise<readonly string[]>
  directories(): Promise<readonly string[]>
  /**
   * A path as a model wrote it (absolute, `./`, backslashes, doubled slashes) to a repository-relative one whose real location,
   * links resolved, is inside of the real root and not in `.git`.
   */
  confine(
    path: string,
  ): Promise<{ readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string }>
  /**
   * Existing ones that resemble `query`, best first. Where scores differ little, files that were `mentioned` come before
   * others: the first score is not always the highest.
   */
  rank(query: string, kind: 'file' | 'directory', limit: number): Promise<readonly RankedPath[]>
  /** Tells of files that the run made or removed. */
  changed(paths: readonly string[]): void
  /** Tells of files that are more likely to be meant than others: paths, or ends of paths. */
  mentioned(names: readonly string[], source: EvidenceSource): void
}
