import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckPlan } from '../../core/verdict.ts'
import type { InstalledPackage } from '../installed.ts'
import { eslintCrash, parseEslint } from '../parse/eslint.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, type Env, withoutOptions, word, words } from './check.ts'
import { describeDiagnostic, finished, unavailable, whyCut } from './result.ts'

/** Options that write files, or that choose another form of the report. */
const NOT_OURS =
  /^(?:--fix(?:-dry-run|-type)?|--cache|--cache-(?:file|location|strategy)|-f|--format|-o|--output-file|--color|--no-color|--max-warnings)(?:=.*)?$/
const WITH_VALUE = /^(?:--fix-type|--cache-(?:file|location|strategy)|-f|--format|-o|--output-file|--max-warnings)$/

/** `given` are the words after `eslint` in the repository's own script. */
export function eslintCheck(plan: CheckPlan, eslint: InstalledPackage, given: readonly Word[], env: Env): Check {
  const own = eslintWords(given)
  const text = given.map((one) => one.value).join(' ')
  const warnings = /(?:^| )--max-warnings[= ]0(?: |$)/.test(text)
  return { plan, run: (context) => run(context, plan, eslint, own, warnings, env) }
}

/** The script's words that choose what is linted; the whole folder where it names no file. */
export function eslintWords(given: readonly Word[]): Word[] {
  const own = withoutOptions(given, NOT_OURS, WITH_VALUE)
  return own.some((one) => !one.value.startsWith('-')) ? own : [...own, word('.')]
}

async function run(
  context: CheckContext,
  plan: CheckPlan,
  eslint: InstalledPackage,
  own: readonly Word[],
  warnings: boolean,
  env: Env,
): Promise<CheckRun> {
  const report = join(context.scratch, 'eslint.json')
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [word(eslint.entry), ...own, ...words('--format', 'json', '--output-file', report)],
    env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const place = { root: context.root, cwd: join(context.root, plan.cwd) }
  const diagnostics =
    process.exitCode === 2
      ? undefined
      : parseEslint(await readFile(report, 'utf8').catch(() => ''), place, { warnings })
  if (diagnostics === undefined) {
    return unavailable(plan, 'not-begun', `eslint can't lint: ${eslintCrash(process.output)}`, process)
  }
  const output = [...diagnostics.map(describeDiagnostic), process.output].join('\n')
  return finished(plan, process, { diagnostics, output })
}
