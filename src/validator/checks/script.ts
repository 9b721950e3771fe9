import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import type { Check, CheckContext, CheckRun, Env } from './check.ts'
import { prepare } from './prepare.ts'
import { EXIT_CODE, finished, unavailable, whyCut } from './result.ts'

/** A script of the repository that no known tool is found in: judged by its exit code, as one test or one complaint. */
export function scriptCheck(plan: CheckPlan, text: string, before: readonly string[], env: Env): Check {
  return {
    plan,
    run: async (context) => (await prepare(context, plan, before, env)) ?? run(context, plan, text, env),
  }
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
  const message = `\`${plan.command}\` ended with exit code ${process.exitCode}:\n${said.slice(-1800)}`
  if (plan.kind === 'tests') {
    return finished(plan, process, {
      tests: [passed ? { id: plan.command, status: 'passed' } : { id: plan.command, status: 'failed', message }],
    })
  }
  return finished(plan, process, {
    diagnostics: passed ? [] : [{ source: plan.tool, severity: 'error', code: EXIT_CODE, message }],
  })
}
