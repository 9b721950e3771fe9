import type { CheckPhase } from '../../core/event.ts'
import type { CheckPlan, CheckResult } from '../../core/verdict.ts'
import type { ProcessResult } from '../../lib/process.ts'
import type { Word } from '../script-steps.ts'

/** A command of the repository. */
export type Command =
  | { readonly kind: 'program'; readonly file: string; readonly words: readonly Word[]; readonly env: Env }
  /** The text of a script, for a shell; never text of a model. */
  | { readonly kind: 'shell'; readonly text: string; readonly env: Env }
export type Env = Readonly<Record<string, string>>

/** What a check needs for one run. */
export interface CheckContext {
  /** Absolute. */
  readonly root: string
  readonly phase: CheckPhase
  /** An empty folder outside of the tree, removed after the run. */
  readonly scratch: string
  /** For each command. */
  readonly deadlineMs: number
  /** Runs a command in the check's folder. Throws the signal's reason on an abort. */
  execute(command: Command): Promise<ProcessResult>
}

/**
 * A result, and for an unavailable one whether the run was cut (deadline, signal, memory), could not begin, or ended but
 * can't be told from the one before the first edit.
 */
export interface CheckRun {
  readonly result: CheckResult
  readonly cause?: 'interrupted' | 'not-begun' | 'indistinct'
}

/** A check with its commands, which stay as they were detected for the whole run. */
export interface Check {
  readonly plan: CheckPlan
  /** Found beside what the repository asks for: where it can't run before the first edit, it is no check. */
  readonly optional?: true
  run(context: CheckContext): Promise<CheckRun>
  /** Runs only the tests of these files (repository-relative), where the tool can do that. */
  again?(files: readonly string[], context: CheckContext): Promise<CheckRun>
}

/** A word that is given as it is. */
export function word(value: string): Word {
  return { raw: `'${value.replaceAll("'", `'\\''`)}'`, value, plain: true }
}

export function words(...values: readonly string[]): Word[] {
  return values.map(word)
}

/** Words without the options that `drop` names; `withValue` are those whose value is a word of its own. */
export function withoutOptions(all: readonly Word[], drop: RegExp, withValue: RegExp): Word[] {
  const kept: Word[] = []
  for (let index = 0; index < all.length; index += 1) {
    const current = all[index]
    if (current === undefined) continue
    if (!drop.test(current.value)) kept.push(current)
    else if (withValue.test(current.value)) index += 1
  }
  return kept
}
