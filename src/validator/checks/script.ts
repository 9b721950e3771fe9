import { join } from 'node:path'
import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { parsePlaced } from '../parse/placed.ts'
import type { Check, CheckContext, CheckRun, Env } from './check.ts'
import { afterLinks, type Link } from './links.ts'
import { finished, judgedByExitCode, unavailable, wholeTest, whyCut } from './result.ts'

/** A script of the repository that no known tool is found in: judged by its exit code, as one test or by its complaints. */
export function scriptCheck(plan: CheckPlan, text: string, before: readonly Link[], env: Env): Check {
  return { plan, run: afterLinks(plan, before, (context) => run(context, plan, text, env)) }
}

async function run(context: CheckContext, plan: CheckPlan, text: string, env: Env): Promise<CheckRun> {
  const process = await context.execute({ kind: 'shell', text, env })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const said = stripTerminalSequences(process.output).trim()
  if (process.exitCode === 127 || process.exitCode === 126) {
    return unavailable(plan, 'not-begun', said.split('\n').at(-1) ?? 'a command was not found', process)
  }
  const passed = process.exitCode === 0
  if (plan.kind === 'tests') {
    const message = `\`${plan.command}\` ended with exit code ${process.exitCode}:\n${said.slice(-1800)}`
    return finished(plan, process, { tests: [passed ? wholeTest(plan, 'passed') : wholeTest(plan, 'failed', message)] })
  }
  const place = { root: context.root, cwd: join(context.root, plan.cwd) }
  const diagnostics = passed ? [] : parsePlaced(process.output, plan.tool, place)
  return diagnostics.length > 0 ? finished(plan, process, { diagnostics }) : judgedByExitCode(plan, process)
}
