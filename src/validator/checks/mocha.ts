import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckPlan, TestResult } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import type { InstalledPackage } from '../installed.ts'
import { mochaLoadFailure, parseMocha } from '../parse/mocha.ts'
import { startUpError } from '../parse/test-report.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, withoutOptions, word, words } from './check.ts'
import { afterLinks } from './links.ts'
import { judgedByReport, placeOf } from './reported.ts'
import { finished, unavailable, whyCut } from './result.ts'
import type { RunnerSettings } from './runner.ts'

const NOT_OURS =
  /^(?:-w|--watch|--watch-files|--watch-ignore|-R|--reporter|-O|--reporter-options?|-b|--bail|-c|--colors?|-C|--no-colors?|-G|--growl)(?:=.*)?$/
const WITH_VALUE = /^(?:--watch-files|--watch-ignore|-R|--reporter|-O|--reporter-options?)$/

export function mochaCheck(plan: CheckPlan, settings: RunnerSettings): Check {
  return { plan, run: afterLinks(plan, settings.before, (context) => run(context, plan, settings)) }
}

/** The script's words that choose what is tested: never watching, never reporting otherwise. */
export function mochaWords(given: readonly Word[]): Word[] {
  return withoutOptions(given, NOT_OURS, WITH_VALUE)
}

async function run(
  context: CheckContext,
  plan: CheckPlan,
  { installed, launch, given, env }: RunnerSettings,
): Promise<CheckRun> {
  const report = join(context.scratch, 'mocha.json')
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [
      ...launch,
      word(installed.entry),
      // Ours come first: an option of the script's that takes several values would swallow none of them.
      ...words('--no-watch', '--no-bail', '--no-color', '--reporter=json'),
      ...words(...(writesReports(installed) ? [`--reporter-option=output=${report}`] : [])),
      ...mochaWords(given),
    ],
    env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const place = placeOf(plan, context)
  const json = await readFile(report, 'utf8').catch(() => undefined)
  const tests = parseMocha(json ?? process.stdout, place)
  if (tests !== undefined)
    return judgedByReport(plan, process, { tests, output: shown(tests, json === undefined ? '' : process.output) })
  const printed = stripTerminalSequences(process.output)
  if (/^(?:Error|Warning): (?:No test files found|Cannot find any files matching)/m.test(printed))
    return finished(plan, process, {})
  const broken = mochaLoadFailure(process.output, place)
  if (broken !== undefined) return finished(plan, process, { tests: [broken] })
  return unavailable(plan, 'not-begun', `mocha could not start: ${startUpError(printed)}`, process)
}

/** The report says nothing to a person: what failed, after what the tests themselves printed. */
function shown(tests: readonly TestResult[], printed: string): string {
  const of = (status: TestResult['status']): readonly TestResult[] => tests.filter((test) => test.status === status)
  const failures = of('failed').map((test) => `FAIL ${test.id}\n${test.message ?? ''}`)
  return [printed, ...failures, `${of('passed').length} passing, ${of('failed').length} failing`].join('\n\n')
}

/** Older versions can only print the report, among what the tests print. */
function writesReports({ version }: InstalledPackage): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 9 || (major === 9 && minor >= 2)
}
