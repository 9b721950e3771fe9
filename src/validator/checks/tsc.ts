import type { CheckPlan, Diagnostic } from '../../core/verdict.ts'
import type { ProcessResult } from '../../lib/process.ts'
import type { InstalledPackage } from '../installed.ts'
import { parseTsc } from '../parse/tsc.ts'
import { type Check, type CheckContext, type CheckRun, type Env, word, words } from './check.ts'
import { describeDiagnostic, distinct, finished, unavailable, whyCut } from './result.ts'

/** Nothing is written: neither output nor build information. */
const CHECK_ONLY = ['--noEmit', '--pretty', 'false', '--composite', 'false', '--incremental', 'false']

export interface TscProjects {
  /** Configurations that check files themselves, relative to the check's folder. */
  readonly projects: readonly string[]
  /** Projects build on each other and the repository builds them: only `tsc -b` sees the same types. */
  readonly build?: string
}

/** By tsc or a compiler that takes the same words. */
export function tscCheck(plan: CheckPlan, tsc: InstalledPackage, what: TscProjects, env: Env): Check {
  const runs =
    what.build === undefined
      ? what.projects.map((project) => [...CHECK_ONLY, '-p', project])
      : [['-b', what.build, '--pretty', 'false']]
  return { plan, run: (context) => run(context, plan, tsc, runs, env) }
}

async function run(
  context: CheckContext,
  plan: CheckPlan,
  tsc: InstalledPackage,
  runs: readonly (readonly string[])[],
  env: Env,
): Promise<CheckRun> {
  const place = { root: context.root, cwd: `${context.root}/${plan.cwd}` }
  const all: ProcessResult[] = []
  const diagnostics: Diagnostic[] = []
  for (const args of runs) {
    const process = await context.execute({
      kind: 'program',
      file: globalThis.process.execPath,
      words: [word(tsc.entry), ...words(...args)],
      env,
    })
    all.push(process)
    const cut = whyCut(process, context)
    if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
    const found = parseTsc(process.stdout, place, plan.tool)
    // Without a place a complaint is about the configuration: the compiler has then not looked at the files.
    const configuration = found.find((one) => one.file === undefined)
    if (configuration !== undefined) {
      return unavailable(
        plan,
        'not-begun',
        `${plan.tool} checks nothing: ${describeDiagnostic(configuration)}`,
        process,
      )
    }
    if (process.exitCode !== 0 && found.length === 0) {
      return unavailable(
        plan,
        'not-begun',
        `${plan.tool} ended with exit code ${process.exitCode} and no diagnostics`,
        process,
      )
    }
    diagnostics.push(...found)
  }
  return finished(plan, joined(all), { diagnostics: distinct(diagnostics) })
}

function joined(all: readonly ProcessResult[]): ProcessResult {
  const [first] = all
  if (first === undefined) throw new Error('a types check without a project')
  return {
    ...first,
    exitCode: Math.max(...all.map((one) => one.exitCode ?? 0)),
    output: all.map((one) => one.output).join(''),
    ms: all.reduce((sum, one) => sum + one.ms, 0),
  }
}
