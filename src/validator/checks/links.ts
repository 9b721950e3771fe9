import type { CheckPlan } from '../../core/verdict.ts'
import type { ProcessResult } from '../../lib/process.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import type { CheckContext, CheckRun, Env } from './check.ts'
import { unavailable, whyCut } from './result.ts'

/** What the repository's script runs before its tests: a build, usually. */
export interface Link {
  readonly text: string
  readonly env: Env
}

/**
 * Runs the links and then the tests, which would judge what was built before without them. A link that fails at the
 * baseline does not keep the tests from running, then or later: it says nothing about the edit. One that only fails
 * later leaves nothing to test.
 */
export function afterLinks(
  plan: CheckPlan,
  links: readonly Link[],
  run: (context: CheckContext) => Promise<CheckRun>,
): (context: CheckContext) => Promise<CheckRun> {
  const failedBefore = new Map<Link, 'failed' | 'cut'>()
  return async (context) => {
    const told: string[] = []
    for (const link of links) {
      // What hung once hangs again, for as long.
      if (failedBefore.get(link) === 'cut') continue
      const process = await context.execute({ kind: 'shell', ...link })
      const cut = whyCut(process, context)
      if (cut === undefined && process.exitCode === 0) continue
      const why = `\`${link.text}\` ${cut ?? `ended with exit code ${process.exitCode}:\n${lastLines(process)}`}`
      if (context.phase === 'baseline') failedBefore.set(link, cut === undefined ? 'failed' : 'cut')
      else if (!failedBefore.has(link))
        return unavailable(plan, cut === undefined ? 'not-begun' : 'interrupted', why, process)
      told.push(why)
    }
    const ran = await run(context)
    return told.length === 0 ? ran : withTold(ran, told.join('\n'))
  }
}

function withTold(run: CheckRun, told: string): CheckRun {
  const { result } = run
  const reason = result.reason === undefined ? {} : { reason: `${result.reason}\nBefore it, ${told}` }
  return { ...run, result: { ...result, ...reason, output: `Before the tests, ${told}\n\n${result.output}` } }
}

function lastLines(process: ProcessResult): string {
  return stripTerminalSequences(process.output).trim().split('\n').slice(-12).join('\n')
}
