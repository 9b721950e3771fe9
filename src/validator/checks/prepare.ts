import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import type { CheckContext, CheckRun, Env } from './check.ts'
import { unavailable, whyCut } from './result.ts'

/** What the repository's script runs before its tests (a build, usually): without it they would judge what was built before. */
export async function prepare(
  context: CheckContext,
  plan: CheckPlan,
  steps: readonly string[],
  env: Env,
): Promise<CheckRun | undefined> {
  for (const text of steps) {
    const process = await context.execute({ kind: 'shell', text, env })
    const cut = whyCut(process, context)
    if (cut !== undefined) return unavailable(plan, 'interrupted', `\`${text}\` ${cut}`, process)
    if (process.exitCode !== 0) {
      const said = stripTerminalSequences(process.output).trim().split('\n').slice(-12).join('\n')
      return unavailable(plan, 'not-begun', `\`${text}\` ended with exit code ${process.exitCode}:\n${said}`, process)
    }
  }
  return undefined
}
