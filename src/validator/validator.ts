import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckEvent, CheckPhase } from '../core/event.ts'
import type { Validator, WorkingTree } from '../core/ports.ts'
import type { Baseline, CheckKind, CheckPlan, CheckResult, Verdict } from '../core/verdict.ts'
import { compareCheck, hasNews, toVerdict } from './baseline.ts'
import type { Check, CheckContext, CheckRun } from './checks/check.ts'
import { execute } from './checks/execute.ts'
import { hitDeadline, toldApart } from './checks/result.ts'
import { concerned, type Detected, detect, inOrder } from './detect.ts'
import { checkEnvironment } from './environment.ts'
import { runAgain } from './flaky.ts'
import { runTogether } from './merge.ts'
import { reportProgress } from './progress.ts'
import { redacting } from './redacting.ts'

export interface ValidatorSettings {
  /** Absolute path of the repository. */
  readonly root: string
  readonly observe: WorkingTree['observe']
  /** Folder for the whole output of every run, outside of the tree: `<check>-<n>.log`. */
  readonly logDir?: string
  /** Which checks count; all by default. */
  readonly kinds?: readonly CheckKind[]
  /** For each command; ten minutes by default. */
  readonly deadlineMs?: number
  /** Merged over the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Takes secrets out of what checks print, before the model, a person or a log gets it. */
  readonly redact?: (text: string) => string
}

const DEADLINE_MS = 10 * 60 * 1000
/** Compiler and test runner take a core each. */
const AT_ONCE = 2

/**
 * The repository's own compiler, linter and tests. What is run is found once, at the first use, and stays the same for
 * the whole run. A repository without checks gets the verdict `pass` with no results: whoever asks decides what that is worth.
 */
export function createValidator(settings: ValidatorSettings): Validator & { checks(): Promise<readonly CheckPlan[]> } {
  let found: Promise<readonly Detected[]> | undefined
  // The tools print real paths; links in the root's own path would make them look foreign.
  const root = realpath(settings.root)
  root.catch(() => {})
  const environment = (cwd: string, base: string): Readonly<Record<string, string | undefined>> => ({
    ...settings.env,
    ...checkEnvironment({ ...process.env, ...settings.env }, cwd, base),
  })
  const detected = (): Promise<readonly Detected[]> =>
    (found ??= root.then((base) => detect(base, environment(base, base).PATH)).then(wanted))
  const redact = settings.redact ?? ((text: string) => text)
  const wanted = (all: readonly Detected[]): readonly Detected[] =>
    all.map(({ checks, ...of }) => ({
      ...of,
      checks: checks
        .filter(({ plan }) => settings.kinds?.includes(plan.kind) ?? true)
        .map((check) => redacting(check, redact)),
    }))
  const runs = new Map<string, number>()

  /** One run of a check, reported as it goes. */
  const runCheck = (check: Check, phase: CheckPhase, before?: CheckResult) => {
    return async (emit: (event: CheckEvent) => void, signal: AbortSignal): Promise<CheckRun> => {
      emit({ type: 'check.started', phase, check: check.plan })
      const number = (runs.get(check.plan.id) ?? 0) + 1
      runs.set(check.plan.id, number)
      const base = await root
      const scratch = await mkdtemp(join(tmpdir(), 'goatfied-check-'))
      const progress = reportProgress((line) => emit({ type: 'check.progress', phase, check: check.plan, line }))
      const deadlineMs = settings.deadlineMs ?? DEADLINE_MS
      const context: CheckContext = {
        root: base,
        phase,
        deadlineMs,
        scratch,
        execute: (command) => {
          const cwd = join(base, check.plan.cwd)
          return execute(command, {
            cwd,
            env: environment(cwd, base),
            deadlineMs,
            signal,
            observe: settings.observe,
            onLine: progress.line,
            redact,
            ...(settings.logDir === undefined
              ? {}
              : { logFile: join(settings.logDir, logName(check.plan.id, number)) }),
          })
        },
      }
      try {
        const run = toldApart(await runAgain(check, await check.run(context), before, context), before)
        emit({ type: 'check.ended', phase, result: run.result })
        return run
      } finally {
        progress.end()
        await rm(scratch, { recursive: true, force: true })
      }
    }
  }

  return {
    async checks() {
      return inOrder((await detected()).flatMap((one) => one.checks)).map((check) => check.plan)
    },

    async *baseline(signal): AsyncGenerator<CheckEvent, Baseline> {
      const checks = inOrder((await detected()).flatMap((one) => one.checks))
      const all = yield* runTogether(
        checks.map((check) => runCheck(check, 'baseline')),
        AT_ONCE,
        signal,
      )
      const optional = new Set(checks.filter((check) => check.optional).map((check) => check.plan.id))
      const results = all.map((run) => run.result)
      return { results: results.filter((one) => one.status !== 'unavailable' || !optional.has(one.check.id)) }
    },

    async *validate({ phase, baseline, changed }, signal): AsyncGenerator<CheckEvent, Verdict> {
      const before = new Map(baseline.results.map((result) => [result.check.id, result]))
      const judging = concerned(await detected(), changed, phase).filter(
        ({ optional, plan }) => optional !== true || before.has(plan.id),
      )
      const tasks = judging.map((check) => {
        const known = before.get(check.plan.id)
        // What hung before the first edit hangs again, for as long.
        if (known !== undefined && hitDeadline(known))
          return async (): Promise<CheckRun> => ({ result: known, cause: 'interrupted' })
        return runCheck(check, phase, known)
      })
      const enough = (run: CheckRun): boolean =>
        phase === 'attempt' && hasNews(compareCheck(before.get(run.result.check.id), run, changed))
      return toVerdict(baseline, yield* runTogether(tasks, AT_ONCE, signal, enough), changed)
    },
  }
}

function logName(id: string, number: number): string {
  return `${id.replaceAll(/[^\w.-]+/g, '-')}-${number}.log`
}
