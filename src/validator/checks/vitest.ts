import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import type { InstalledPackage } from '../installed.ts'
import { parseVitest, vitestStartUpError, vitestUnhandledErrors } from '../parse/vitest.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, withoutOptions, word, words } from './check.ts'
import { afterLinks } from './links.ts'
import { judgedByReport, placeOf } from './reported.ts'
import { finished, unavailable, whyCut } from './result.ts'
import type { RunnerSettings } from './runner.ts'

const NOT_OURS =
  /^(?:run|watch|dev|-w|--watch|--no-watch|--run|--ui|--open|--coverage(?:\..+)?|--reporter|--outputFile(?:\..+)?|-u|--update)(?:=.*)?$/
const WITH_VALUE = /^(?:--reporter|--outputFile(?:\.\w+)?|--coverage\.\w+)$/

export function vitestCheck(plan: CheckPlan, settings: RunnerSettings): Check {
  const own = vitestWords(settings.given)
  return {
    plan,
    run: afterLinks(plan, settings.before, (context) => run(context, plan, settings, own)),
    again(files, context) {
      const filters = words(...files.map((file) => join(context.root, file)))
      return run(context, plan, settings, [...own, ...filters])
    },
  }
}

/** The script's words that choose what is tested: never watching, never writing reports, coverage or snapshots. */
export function vitestWords(given: readonly Word[]): Word[] {
  return withoutOptions(given, NOT_OURS, WITH_VALUE)
}

async function run(
  context: CheckContext,
  plan: CheckPlan,
  { installed, launch, env }: RunnerSettings,
  own: readonly Word[],
): Promise<CheckRun> {
  const report = join(context.scratch, 'vitest.json')
  // The second of two runs must not be judged by the first one's report.
  await rm(report, { force: true })
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [
      ...launch,
      word(installed.entry),
      word('run'),
      ...own,
      ...words('--reporter=default', '--reporter=json', `--outputFile.json=${report}`),
      ...words('--coverage.enabled=false', ...(knowsNoCache(installed) ? ['--no-cache'] : [])),
    ],
    env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const place = placeOf(plan, context)
  const printed = stripTerminalSequences(process.stdout + process.stderr)
  if (/^No test files found/m.test(printed)) return finished(plan, process, {})
  const tests = parseVitest(await readFile(report, 'utf8').catch(() => ''), printed, place)
  if (tests === undefined) {
    return unavailable(plan, 'not-begun', `vitest could not start: ${vitestStartUpError(process.output)}`, process)
  }
  return judgedByReport(plan, process, { tests, diagnostics: vitestUnhandledErrors(printed, place) })
}

/** Older versions stop at an option that they don't know. */
function knowsNoCache(vitest: InstalledPackage): boolean {
  return Number(vitest.version.split('.')[0]) >= 2
}
