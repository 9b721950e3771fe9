import type { Repair } from '../core/event.ts'
import type { Correctable, Outcome } from '../core/failure.ts'
import type { Json } from '../core/json.ts'
import { pointerTo } from '../core/json-pointer.ts'
import type { CheckedCall, PathIndex, ToolRunner, WorkingTree } from '../core/ports.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import type { SyntaxCheck } from '../core/syntax.ts'
import type { ToolCall, ToolDefinition, ToolResult } from '../core/tool.ts'
import { coerceArguments } from './coercion.ts'
import { createFileTool } from './create-file.ts'
import { deleteFileTool } from './delete-file.ts'
import { editFileTool } from './edit-file.ts'
import { faultOf, refusalOf } from './file-system-faults.ts'
import { finishStepTool } from './finish-step.ts'
import { interruption } from './interruption.ts'
import { createKnownTests } from './known-tests.ts'
import { listFilesTool } from './list-files.ts'
import { missingAttempt } from './missing-attempt.ts'
import { moveFileTool } from './move-file.ts'
import { nearestNames } from './nearest-names.ts'
import { MEANT_PATH, plainPaths, resolvePaths } from './path-arguments.ts'
import { pickCandidateTool } from './pick-candidate.ts'
import { readFileTool } from './read-file.ts'
import { resumeAttemptTool } from './resume-attempt.ts'
import { runCommandTool } from './run-command.ts'
import { readScripts } from './scripts.ts'
import { searchCodeTool } from './search-code.ts'
import { createSeenFiles } from './seen-files.ts'
import { showFiles } from './show-files.ts'
import { submitPlanTool } from './submit-plan.ts'
import type { AnyTool, ApplyEdits, CallName, ToolContext } from './tool.ts'
import { meantTool } from './tool-names.ts'
import type { Validate } from './validation.ts'

/** Reasons of repairs that the model is told. */
const MEANT_TOOL = 'the only tool that it can mean'

/** In the order in which the model sees them. */
const TOOLS: readonly AnyTool[] = [
  listFilesTool,
  searchCodeTool,
  readFileTool,
  editFileTool,
  createFileTool,
  deleteFileTool,
  moveFileTool,
  runCommandTool,
  submitPlanTool,
  resumeAttemptTool,
  pickCandidateTool,
  finishStepTool,
]
const byName = new Map<string, AnyTool>(TOOLS.map((tool) => [tool.spec.name, tool]))

export interface ToolRunnerOptions {
  /** The repository's root: absolute, links resolved. */
  readonly root: string
  readonly prompts: Prompts
  readonly tree: WorkingTree
  readonly index: PathIndex
  readonly applyEdits: ApplyEdits
  readonly checkSyntax: SyntaxCheck
  readonly resumeAttempt: ToolContext['resumeAttempt']
  /** `yolo`: no command needs a person's consent. */
  readonly approval: 'default' | 'yolo'
  readonly commandDeadlineMs: number
  /** The full output of commands is appended to this file. */
  readonly commandLog?: string
  /** Takes secrets out of what commands print, before the model, a person or the log gets it. */
  readonly redact?: (text: string) => string
}

type Checking = { ok: true; value: CheckedCall } | { ok: false; failure: Correctable }

/** The tools over a working tree. One a run: it remembers what the model has read. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const tests = createKnownTests()
  const context: ToolContext = {
    redact: (text) => text,
    ...options,
    seen: createSeenFiles((file) => options.index.mentioned([file], 'conversation')),
    tests,
    initialScripts: readScripts(options.root),
  }
  let validating: Promise<Validate> | undefined
  const validator = () => (validating ??= loadValidator())
  const definitions = TOOLS.map(({ spec }) => ({ ...spec, description: prompt(options.prompts, `tools/${spec.name}`) }))
  return {
    definitions,
    learnTests: (ids) => tests.learn(ids),
    prepare() {
      // What fails here fails again, and is told, at the first call.
      validator().catch(() => {})
    },
    async check(call, tools) {
      const validate = await validator()
      try {
        return await check(call, tools, context, validate, options.approval)
      } catch (error) {
        const failure = refusalOf(error, call, namedPath(call.input.parsed ? call.input.value : {}))
        if (failure === undefined) throw error
        return { ok: false, failure }
      }
    },
    execute: (checked, signal) => execute(checked, context, signal),
    show: (files, budgetBytes) => showFiles(files, budgetBytes, context),
  }
}

async function loadValidator(): Promise<Validate> {
  const { createValidate } = await import('./validation.ts')
  return createValidate()
}

async function check(
  call: ToolCall,
  tools: readonly ToolDefinition[],
  context: ToolContext,
  validate: Validate,
  approval: ToolRunnerOptions['approval'],
): Promise<Checking> {
  const failure = (kind: Correctable): Checking => ({ ok: false, failure: kind })
  const { tool, repair } = toolOf(call)
  const name: CallName = { callId: call.id, tool: tool?.spec.name ?? call.name }
  const definition = tools.find((each) => each.name === name.tool)
  if (tool === undefined || definition === undefined) {
    const known = nearestNames(
      call.name,
      tools.map((each) => each.name),
    ).map((each) => each.name)
    return failure({ callId: call.id, tool: call.name, kind: 'call.unknown-tool', known, notNow: tool !== undefined })
  }
  if (!call.complete) return failure({ ...name, kind: 'call.truncated' })

  const repairs: Repair[] = [...repair]
  const written = call.input.parsed ? call.input.value : await mend(call.input.raw)
  if (written === undefined || !call.input.parsed) {
    const raw = call.input.parsed ? '' : call.input.raw
    if (written === undefined) return failure({ ...name, kind: 'call.invalid-arguments', errors: [], malformed: raw })
    repairs.push({ pointer: '', from: raw, to: JSON.stringify(written), reason: 'malformed JSON' })
  }
  const schema = definition.inputSchema
  // What is refused is a call as it was written, which the repairs below would make another one.
  const refused = schema.not === undefined ? [] : await validate({ not: schema.not }, written)
  if (refused.length > 0) return failure({ ...name, kind: 'call.invalid-arguments', errors: refused })
  const typed = coerceArguments(written, schema)
  const plain = await plainPaths(typed.value, tool, context.index)
  // An enum can hold the member in other letters, which shows only once the path is plain.
  const member = coerceArguments(plain.value, schema)
  const errors = await validate(schema, member.value)
  if (errors.length > 0) {
    const attempt = missingAttempt(errors, tool, member.value)
    if (attempt !== undefined) return failure({ ...name, ...attempt })
    const leadsOut =
      plain.misplaced.length > 0 &&
      errors.every((error) => plain.misplaced.some(({ place }) => error.pointer === pointerTo(place)))
    if (!leadsOut) return failure({ ...name, kind: 'call.invalid-arguments', errors })
  }
  const resolved = await resolvePaths({ ...plain, value: member.value }, tool, context, name)
  if (!resolved.ok) return resolved
  const stillWrong = await validate(schema, resolved.value)
  if (stillWrong.length > 0) return failure({ ...name, kind: 'call.invalid-arguments', errors: stillWrong })

  const inspection = (await tool.inspect?.(resolved.value, context, name)) ?? { ok: true }
  if (!inspection.ok) return inspection
  repairs.push(...typed.repairs, ...plain.repairs, ...member.repairs, ...resolved.repairs)
  const asks = approval === 'yolo' ? undefined : inspection.needsApproval
  return { ok: true, value: checkedCall({ ...call, name: name.tool }, resolved.value, repairs, asks) }
}

/** The tool that a call names, also when it names it otherwise than it is called. */
function toolOf({ name }: ToolCall): { readonly tool: AnyTool | undefined; readonly repair: readonly Repair[] } {
  const meant = meantTool(
    name,
    TOOLS.map(({ spec }) => spec),
  )
  if (meant === undefined) return { tool: byName.get(name), repair: [] }
  return { tool: byName.get(meant.name), repair: [{ pointer: '', from: name, to: meant.name, reason: MEANT_TOOL }] }
}

async function mend(raw: string) {
  const { mendJson } = await import('./malformed-json.ts')
  return mendJson(raw)
}

/** The one place where a call becomes a checked one. */
function checkedCall(
  call: ToolCall,
  args: Readonly<Record<string, Json>>,
  repairs: readonly Repair[],
  needsApproval: string | undefined,
): CheckedCall {
  const checked = { call, arguments: args, repairs, ...(needsApproval === undefined ? {} : { needsApproval }) }
  return checked as unknown as CheckedCall
}

async function execute(checked: CheckedCall, context: ToolContext, signal: AbortSignal): Promise<Outcome<ToolResult>> {
  const { call } = checked
  if (signal.aborted) return interruption(signal)
  const tool = byName.get(call.name)
  if (tool === undefined) throw new Error(`no tool ${call.name}: a call that was not checked`)
  try {
    const outcome = await tool.execute(checked.arguments, context, { callId: call.id, tool: call.name }, signal)
    if (outcome.ok) context.tests.changed(outcome.value.changed)
    return outcome.ok ? { ok: true, value: tellRepairs(outcome.value, checked.repairs, tool) } : outcome
  } catch (error) {
    if (signal.aborted) return interruption(signal)
    const failure = faultOf(error, call, namedPath(checked.arguments))
    if (failure === undefined) throw error
    return { ok: false, failure }
  }
}

/** The file that arguments are about. */
function namedPath({ path, from }: Readonly<Record<string, unknown>>): string {
  return String(path ?? from ?? '.')
}

/** A model that is not told of a corrected path or name goes on to write the wrong one. */
function tellRepairs(result: ToolResult, repairs: readonly Repair[], tool: AnyTool): ToolResult {
  const guessed = repairs.filter(({ reason }) => reason === MEANT_PATH || reason === MEANT_TOOL)
  if (tool.spec.effect === 'control' || guessed.length === 0) return result
  const told = guessed.map(({ from, to }) => `(${from} does not exist: taken for ${to})`)
  return { ...result, text: [...told, result.text].join('\n') }
}
