import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { parseReport, startUpError } from '../parse/test-report.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, withoutOptions, word, words } from './check.ts'
import { JEST_REPORTER } from './jest-reporter.ts'
import { afterLinks } from './links.ts'
import { judgedByReport, placeOf } from './reported.ts'
import { finished, unavailable, whyCut } from './result.ts'
import type { RunnerSettings } from './runner.ts'

const NOT_OURS =
  /^(?:--watch|--watchAll|--no-watch|--watchman|-u|--updateSnapshot|--ci|--json|--outputFile|--reporters|--testResultsProcessor|--coverage|--collectCoverage|--no-coverage|--coverage[A-Z]\w*|--collectCoverage\w+|-b|--bail|--notify|--notifyMode|-o|--onlyChanged|-f|--onlyFailures|--lastCommit|--changedSince|--changedFilesWithAncestor)(?:=.*)?$/
const WITH_VALUE =
  /^(?:--outputFile|--reporters|--testResultsProcessor|--coverage[A-Z]\w*|--collectCoverageFrom|--notifyMode|--changedSince)$/
/** `--watchAll false`: where the option goes, its value would be taken for a pattern. */
const SWITCH = /^(?:--watch|--watchAll|--ci|--json|--coverage|--collectCoverage|-b|--bail|--notify)$/
const SWITCHED = /^(?:true|false|\d+)$/

export function jestCheck(plan: CheckPlan, settings: RunnerSettings): Check {
  const own = jestWords(settings.given)
  return {
    plan,
    run: afterLinks(plan, settings.before, (context) => run(context, plan, settings, own)),
    again(files, context) {
      const patterns = files.map((file) => `/${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
      // Patterns come first: after an option that takes several values they would be taken for one.
      return run(context, plan, settings, [...words(...patterns), ...own])
    },
  }
}

/** The script's words that choose what is tested: never watching, never writing reports, coverage or snapshots. */
export function jestWords(given: readonly Word[]): Word[] {
  const own = given.filter(({ value }, index) => !(SWITCHED.test(value) && SWITCH.test(given[index - 1]?.value ?? '')))
  return withoutOptions(own, NOT_OURS, WITH_VALUE)
}

async function run(
  context: CheckContext,
  plan: CheckPlan,
  { installed, launch, env }: RunnerSettings,
  own: readonly Word[],
): Promise<CheckRun> {
  const reporter = join(context.scratch, 'jest-reporter.cjs')
  const report = join(context.scratch, 'jest.json')
  await writeFile(reporter, JEST_REPORTER)
  // The second of two runs must not be judged by the first one's report.
  await rm(report, { force: true })
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [
      ...launch,
      word(installed.entry),
      ...own,
      ...words('--ci', '--coverage=false', '--bail=0', '--reporters=default', `--reporters=${reporter}`),
    ],
    env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const tests = parseReport(await readFile(report, 'utf8').catch(() => ''), placeOf(plan, context))
  if (tests !== undefined) return judgedByReport(plan, process, { tests })
  const printed = stripTerminalSequences(process.output)
  if (/^No tests found/m.test(printed)) return finished(plan, process, {})
  return unavailable(plan, 'not-begun', `jest could not start: ${startUpError(printed)}`, process)
}
