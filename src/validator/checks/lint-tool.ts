import { join } from 'node:path'
import type { CheckPlan } from '../../core/verdict.ts'
import type { InstalledPackage } from '../installed.ts'
import type { LintTool } from '../lint-tools.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, type Env, withoutOptions, word, words } from './check.ts'
import { describeDiagnostic, finished, judgedByExitCode, unavailable, whyCut } from './result.ts'

export interface LintToolCall {
  readonly tool: LintTool
  readonly installed: InstalledPackage
  /** The words after its name in the repository's own script. */
  readonly given: readonly Word[]
  readonly env: Env
}

export function lintToolCheck(plan: CheckPlan, call: LintToolCall): Check {
  return { plan, run: (context) => run(context, plan, call) }
}

/** The script's words without those that write or choose the report. */
export function lintToolWords(tool: LintTool, given: readonly Word[]): Word[] {
  return withoutOptions(given, tool.notOurs, tool.withValue)
}

/** It did not get as far as the code. */
const CRASH = /Cannot find (?:module|package|native binding)|ERR_MODULE_NOT_FOUND|ERR_REQUIRE_ESM/

async function run(
  context: CheckContext,
  plan: CheckPlan,
  { tool, installed, given, env }: LintToolCall,
): Promise<CheckRun> {
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [word(installed.entry), ...lintToolWords(tool, given), ...words(...tool.report(installed.version))],
    env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  if (process.exitCode === 0) return finished(plan, process, {})
  const place = { root: context.root, cwd: join(context.root, plan.cwd) }
  const diagnostics = tool.parse({ stdout: process.stdout, all: process.output }, place)
  if (diagnostics.length > 0)
    return finished(plan, process, { diagnostics, output: diagnostics.map(describeDiagnostic).join('\n') })
  const crash = process.output.split('\n').find((line) => CRASH.test(line))
  return crash === undefined
    ? judgedByExitCode(plan, process)
    : unavailable(plan, 'not-begun', `${tool.name} could not start: ${crash.trim()}`, process)
}
