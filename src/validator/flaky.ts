import type { CheckResult } from '../core/verdict.ts'
import { compareCheck } from './baseline.ts'
import type { Check, CheckContext, CheckRun } from './checks/check.ts'

/** More files than this don't fail by chance. */
const MOST_FILES = 5

/**
 * Runs tests that fail and did not before once more by themselves, where the tool can do that. A test that passes then is
 * no failure; the output says so. Without `before` there is nothing to compare with, and the run is what it is.
 */
export async function runAgain(
  check: Check,
  run: CheckRun,
  before: CheckResult | undefined,
  context: CheckContext,
): Promise<CheckRun> {
  if (before === undefined || check.again === undefined) return run
  const failing = compareCheck(before, run, []).newlyFailing
  const files = [...new Set(failing.map((test) => test.file).filter((file) => file !== undefined))]
  if (files.length === 0 || files.length > MOST_FILES) return run
  const second = await check.again(files, context)
  const passed = new Set(second.result.tests.filter((test) => test.status === 'passed').map((test) => test.id))
  const flaky = failing.filter((test) => passed.has(test.id)).map((test) => test.id)
  if (flaky.length === 0) return run
  const tests = run.result.tests.map((test) => {
    if (!flaky.includes(test.id)) return test
    const { message: _, ...rest } = test
    return { ...rest, status: 'passed' as const }
  })
  const failed = run.result.diagnostics.length > 0 || tests.some((test) => test.status === 'failed')
  const note = flaky.map((id) => `Flaky: ${id} failed once and passed when it was run again by itself.`).join('\n')
  return {
    ...run,
    result: { ...run.result, tests, status: failed ? 'failed' : 'passed', output: `${note}\n\n${run.result.output}` },
  }
}
