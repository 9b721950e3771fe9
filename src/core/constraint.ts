import type { JsonSchema } from './json.ts'
import type { ArgumentKind } from './tool.ts'

/** Which arguments a constraint narrows: all of one kind across tools, or one place of one tool. */
export type ArgumentScope =
  | { readonly by: 'kind'; readonly kind: ArgumentKind }
  | { readonly by: 'place'; readonly tool: string; readonly pointer: string }

/**
 * One narrowing as plain JSON.
 * `lasts: 'call'` binds the recovery of the call that failed; `lasts: 'step'` binds every call until the step passes.
 */
export type Constraint =
  /** The way out `__none__` is added when it is built into a schema that is sent. */
  | {
      readonly kind: 'enum'
      readonly scope: ArgumentScope
      readonly values: readonly string[]
      readonly lasts: 'call' | 'step'
    }
  | {
      readonly kind: 'exclude'
      readonly scope: ArgumentScope
      readonly values: readonly string[]
      readonly lasts: 'step'
    }
  /** Keywords to be met in addition: pattern, bounds, type, required, closed objects. */
  | {
      readonly kind: 'narrow'
      readonly tool: string
      readonly pointer: string
      readonly schema: JsonSchema
      readonly lasts: 'step'
    }
  /** Arguments of the tool that match `schema` are refused. */
  | { readonly kind: 'refuse'; readonly tool: string; readonly schema: JsonSchema; readonly lasts: 'step' }
  | { readonly kind: 'strict'; readonly tool: string; readonly lasts: 'call' | 'step' }
  | { readonly kind: 'hide'; readonly tool: string; readonly lasts: 'step' }
  | { readonly kind: 'hint'; readonly text: string; readonly lasts: 'call' | 'step' }

/** Which guard added which constraint, and for which failure. */
export interface ConstraintTrace {
  readonly guard: string
  /** Index into the history of failures. */
  readonly failure: number
  readonly reason: string
  readonly constraints: readonly Constraint[]
}

/** All constraints in force. Only narrows; cleared when the step passes. */
export interface ConstraintSet {
  readonly constraints: readonly Constraint[]
  readonly trace: readonly ConstraintTrace[]
}

/** The way out of every enum: "none of these is what I mean". */
export const NONE_OF_THESE = '__none__'

/** Bounds of an enum parameter whatever the size of the repository. */
export const ENUM_LIMITS = { usual: 20, most: 64, mostBytes: 8192 } as const
