import { join } from 'node:path'
import type { CheckPlan, Diagnostic, TestResult } from '../../core/verdict.ts'
import type { ProcessResult } from '../../lib/process.ts'
import type { Place } from '../parse/paths.ts'
import type { CheckContext, CheckRun } from './check.ts'
import { EXIT_CODE, finished, unavailable } from './result.ts'

/** What is known of a run of tests from the runner's own report. */
export interface Reported {
  readonly tests: readonly TestResult[]
  readonly diagnostics?: readonly Diagnostic[]
  readonly output?: string
}

/** The result of a run that came to its end with a report. That it failed must have a reason, or is one by itself. */
export function judgedByReport(plan: CheckPlan, process: ProcessResult, reported: Reported): CheckRun {
  const failed = reported.tests.some((test) => test.status === 'failed') || (reported.diagnostics ?? []).length > 0
  if (process.exitCode === 0 || failed) return finished(plan, process, reported)
  if (/heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(process.output))
    return unavailable(plan, 'interrupted', 'ran out of memory', process)
  const message = `${plan.tool} ended with exit code ${process.exitCode} though no test failed`
  const diagnostics = [{ source: plan.tool, severity: 'error', code: EXIT_CODE, message } as const]
  return finished(plan, process, { ...reported, diagnostics })
}

export function placeOf(plan: CheckPlan, context: CheckContext): Place {
  return { root: context.root, cwd: join(context.root, plan.cwd) }
}
