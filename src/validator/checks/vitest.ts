import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import type { InstalledPackage } from '../installed.ts'
import { parseVitest, vitestStartUpError, vitestUnhandledErrors } from '../parse/vitest.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, type Env, withoutOptions, word, words } from './check.ts'
import { afterLinks, type Link } from './links.ts'
import { EXIT_CODE, finished, unavailable, whyCut } from './result.ts'

const NOT_OURS =
  /^(?:run|watch|dev|-w|--watch|--no-watch|--run|--ui|--open|--coverage(?:\..+)?|--reporter|--outputFile(?:\..+)?|-u|--update)(?:=.*)?$/
const WITH_VALUE = /^(?:--reporter|--outputFile(?:\.\w+)?|--coverage\.\w+)$/

export interface VitestSettings {
  /** The words after `vitest` in the repository's own script. */
  readonly given: readonly Word[]
  readonly before: readonly Link[]
  readonly env: Env
}

export function vitestCheck(plan: CheckPlan, vitest: InstalledPackage, settings: VitestSettings): Check {
  const own = vitestWords(settings.given)
  return {
    plan,
    run: afterLinks(plan, settings.before, (context) => run(context, plan, vitest, own, settings.env)),
    again(files, context) {
      const filters = words(...files.map((file) => join(context.root, file)))
      return run(context, plan, vitest, [...own, ...filters], settings.env)
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
  vitest: InstalledPackage,
  own: readonly Word[],
  env: Env,
): Promise<CheckRun> {
  const report = join(context.scratch, 'vitest.json')
  // The second of two runs must not be judged by the first one's report.
  await rm(report, { force: true })
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [
      word(vitest.entry),
      word('run'),
      ...own,
      ...words('--reporter=default', '--reporter=json', `--outputFile.json=${report}`),
      ...words('--coverage.enabled=false', ...(knowsNoCache(vitest) ? ['--no-cache'] : [])),
    ],
    env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const place = { root: context.root, cwd: join(context.root, plan.cwd) }
  const printed = stripTerminalSequences(process.stdout + process.stderr)
  if (/^No test files found/m.test(printed)) return finished(plan, process, {})
  const tests = parseVitest(await readFile(report, 'utf8').catch(() => ''), printed, place)
  if (tests === undefined) {
    return unavailable(plan, 'not-begun', `vitest could not start: ${vitestStartUpError(process.output)}`, process)
  }
  const failed = tests.some((test) => test.status === 'failed')
  if (process.exitCode !== 0 && !failed && /heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(process.output)) {
    return unavailable(plan, 'interrupted', 'ran out of memory', process)
  }
  const diagnostics = vitestUnhandledErrors(printed, place)
  if (process.exitCode !== 0 && !failed && diagnostics.length === 0) {
    const message = `vitest ended with exit code ${process.exitCode} though no test failed`
    return finished(plan, process, {
      tests,
      diagnostics: [{ source: 'vitest', severity: 'error', code: EXIT_CODE, message }],
    })
  }
  return finished(plan, process, { tests, diagnostics })
}

/** Older versions stop at an option that they don't know. */
function knowsNoCache(vitest: InstalledPackage): boolean {
  return Number(vitest.version.split('.')[0]) >= 2
}
