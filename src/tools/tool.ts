import type { Correctable, Outcome, Region } from '../core/failure.ts'
import type { PathIndex, WorkingTree } from '../core/ports.ts'
import type { SyntaxCheck } from '../core/syntax.ts'
import type { EditReport, ToolDefinition, ToolName, ToolResult } from '../core/tool.ts'
import type { KnownTests } from './known-tests.ts'
import type { SeenFiles } from './seen-files.ts'

/** A definition whose description is still in `prompts/tools/<name>.md`. */
export type ToolSpec = Omit<ToolDefinition, 'description' | 'name'> & { readonly name: ToolName }

export interface TextEdit {
  readonly oldText: string
  readonly newText: string
}

/** What the editor makes of a file's bytes and edits: all of them, or none and what is wrong with one. */
export type EditOutcome =
  | {
      readonly ok: true
      readonly bytes: Uint8Array
      readonly strategy?: EditReport['strategy']
      readonly diff: string
      readonly added: number
      readonly removed: number
      /** The new text was in place before. */
      readonly already: boolean
      /** The changed lines of the new content. */
      readonly changed: readonly Region[]
    }
  | {
      readonly ok: false
      readonly problem:
        | 'no-match'
        | 'ambiguous'
        | 'overlap'
        | 'not-utf8'
        | 'binary'
        | 'empty-old-text'
        | 'no-change'
        | 'decorated'
      readonly edit: number
      readonly tried: readonly string[]
      readonly regions: readonly Region[]
      readonly lines: readonly number[]
    }

export type ApplyEdits = (bytes: Uint8Array, edits: readonly TextEdit[]) => EditOutcome

/** What the tools need of the world. `root` is absolute and real. */
export interface ToolContext {
  readonly root: string
  readonly tree: WorkingTree
  readonly index: PathIndex
  readonly seen: SeenFiles
  readonly tests: KnownTests
  readonly applyEdits: ApplyEdits
  readonly checkSyntax: SyntaxCheck
  readonly commandDeadlineMs: number
  /** The full output of commands is appended to this file. */
  readonly commandLog?: string
  /** Takes secrets out of what commands print. */
  readonly redact: (text: string) => string
  /** Puts the patch of an attempt into the tree: the paths it changed, undefined when no such attempt was kept. */
  readonly resumeAttempt: (attempt: number) => Promise<readonly string[] | undefined>
  /** The root package.json's scripts as they were when the run began. */
  readonly initialScripts: Promise<Readonly<Record<string, string>>>
}

/** Names the call in failures. */
export interface CallName {
  readonly callId: string
  readonly tool: string
}

/** What a look at the arguments found, beyond what the schema can say. */
export type Inspection =
  | { readonly ok: true; readonly needsApproval?: string }
  | { readonly ok: false; readonly failure: Correctable }

export interface Tool<Arguments> {
  readonly spec: ToolSpec
  /** Paths of this tool may be globs: one that matches nothing is an answer, not a failure. */
  readonly acceptsGlobs?: true
  /** Looks and changes nothing. The arguments satisfy the schema; paths in them are plain, and exist where they have to. */
  inspect?(args: Arguments, context: ToolContext, call: CallName): Promise<Inspection>
  execute(args: Arguments, context: ToolContext, call: CallName, signal: AbortSignal): Promise<Outcome<ToolResult>>
}

/** A tool whose argument type is forgotten: the runner calls it only with arguments that satisfied the schema. */
export type AnyTool = Tool<Readonly<Record<string, unknown>>>

/** Ties a tool's schema to the type its arguments then have. */
export function defineTool<Arguments>(tool: Tool<Arguments>): AnyTool {
  return tool as unknown as AnyTool
}

/** A result that changed nothing. */
export function answer(text: string, more: Partial<ToolResult> = {}): Outcome<ToolResult> {
  return { ok: true, value: { text, edits: [], changed: [], ...more } }
}

/** A failure that says why a path may not be touched so. */
export function outOfScope(call: CallName, path: string, reason: string) {
  return { ok: false, failure: { ...call, kind: 'edit.out-of-scope', path, reason } } as const
}
