import type { JsonObject, JsonSchema } from './json.ts'

export const TOOL_NAMES = [
  'listFiles',
  'searchCode',
  'readFile',
  'editFile',
  'createFile',
  'deleteFile',
  'moveFile',
  'runCommand',
  'submitPlan',
  'resumeAttempt',
  'pickCandidate',
  'finishStep',
] as const
export type ToolName = (typeof TOOL_NAMES)[number]

/** What a call does to the world; `control` speaks to the loop only. */
export type ToolEffect = 'read' | 'write' | 'run' | 'control'

/**
 * What an argument *is*. Constraints are keyed by it and not by the tool, so that a mistake can't come back through
 * another tool.
 */
export type ArgumentKind = 'existing-path' | 'new-path' | 'directory' | 'command' | 'attempt' | 'symbol'

/** A tool as the model sees it and as a call is checked. The schema's root is a plain object. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly effect: ToolEffect
  readonly inputSchema: JsonSchema
  /** JSON pointer into the arguments, `*` for any array index, to the kind of the argument there. */
  readonly argumentKinds: Readonly<Record<string, ArgumentKind>>
  /** Ask the provider to enforce the schema while decoding. Set by guards, since providers limit how many tools may be strict. */
  readonly strict?: boolean
}

/** The arguments of a call: parsed JSON, or the raw text that is not JSON. */
export type CallInput =
  | { readonly parsed: true; readonly value: JsonObject }
  | { readonly parsed: false; readonly raw: string; readonly error: string }

/** A tool call as the model made it. `id` is unique in the run; `complete` is false when the token limit cut it. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: CallInput
  readonly complete: boolean
}

/** What one edit of a file did. Lines are 1-based and refer to the file after the edit. */
export interface EditReport {
  readonly path: string
  readonly action: 'edited' | 'created' | 'deleted' | 'moved' | 'already-applied'
  /** How the old text was found; absent for whole-file actions. */
  readonly strategy?:
    | 'exact'
    | 'line-endings'
    | 'trailing-blanks'
    | 'indentation'
    | 'quotes'
    /** Composed or not, and the kinds of quotes, blanks, dashes and of what is invisible. */
    | 'unicode'
    /** How many blanks of which kind stand within a line. */
    | 'blanks'
    /** Without the line numbers or marks that the old text was copied with. */
    | 'decorations'
  /** Unified diff of the file, without a file header. */
  readonly diff: string
  readonly added: number
  readonly removed: number
}

/** What a control tool asks of the loop. */
export type ControlRequest =
  | { readonly kind: 'plan'; readonly summary: string; readonly steps: readonly ProposedStep[] }
  | { readonly kind: 'resume'; readonly attempt: number }
  /** The candidate of the call that failed last, 1-based; undefined for none of them. */
  | { readonly kind: 'pick'; readonly choice?: number }
  | { readonly kind: 'finish'; readonly summary: string }

export interface ProposedStep {
  readonly goal: string
  readonly files: readonly string[]
  readonly newFiles: readonly string[]
}

/** The result of an executed call. `text` is what the model reads. */
export interface ToolResult {
  readonly text: string
  readonly edits: readonly EditReport[]
  /** Paths that the call changed, repository-relative. */
  readonly changed: readonly string[]
  readonly control?: ControlRequest
  /** `readFile` shows the whole file or a part; edits of unread files can be told apart by it. */
  readonly read?: { readonly path: string; readonly hash: string }
  readonly exitCode?: number
}
