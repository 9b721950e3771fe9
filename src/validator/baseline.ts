import {
  type Baseline,
  type CheckResult,
  type Diagnostic,
  type News,
  NO_NEWS,
  type TestResult,
  type Verdict,
} from '../core/verdict.ts'
import type { CheckRun } from './checks/check.ts'
import { distinct, EXIT_CODE } from './checks/result.ts'

/** What one check gives against its own result before the first edit. */
export interface Comparison extends News {
  /** It has no say: what it gives is worth no more than before the first edit, or it was cut. */
  readonly missing?: 'as-before' | 'cut'
}

/** `changed` are the paths that the run changed, repository-relative. */
export function compareCheck(before: CheckResult | undefined, run: CheckRun, changed: readonly string[]): Comparison {
  const now = run.result
  if (now.status === 'unavailable') {
    if (run.cause === 'indistinct') return { ...NO_NEWS, missing: 'as-before' }
    if (run.cause === 'interrupted')
      return { ...NO_NEWS, missing: before?.status === 'unavailable' ? 'as-before' : 'cut' }
    if (before === undefined || before.status === 'unavailable') return { ...NO_NEWS, missing: 'as-before' }
    return { ...NO_NEWS, newDiagnostics: [noLongerRuns(now)] }
  }
  // Whatever it complains about now may have been there before: nobody could look.
  if (before?.status === 'unavailable') {
    return {
      ...NO_NEWS,
      stillFailing: now.tests.filter((test) => test.status === 'failed').map((test) => test.id),
      preexisting: now.diagnostics.length,
    }
  }
  const newDiagnostics = isVague(before, now) ? [] : findNew(before?.diagnostics ?? [], now.diagnostics, changed)
  return {
    ...compareTests(before?.tests ?? [], now.tests),
    newDiagnostics,
    preexisting: now.diagnostics.length - newDiagnostics.length,
  }
}

/** The verdict over all checks that ran: fail outweighs unavailable, which outweighs pass. */
export function toVerdict(baseline: Baseline, runs: readonly CheckRun[], changed: readonly string[]): Verdict {
  const before = new Map(baseline.results.map((result) => [result.check.id, result]))
  const all = runs.map((run) => compareCheck(before.get(run.result.check.id), run, changed))
  const newDiagnostics = distinct(all.flatMap((one) => one.newDiagnostics))
  const newlyFailing = all.flatMap((one) => one.newlyFailing)
  const cut = all.some((one) => one.missing === 'cut')
  const noneRan = all.length > 0 && all.every((one) => one.missing !== undefined)
  const vanished = all.flatMap((one) => one.vanished)
  const failed = all.some(hasNews)
  return {
    status: failed ? 'fail' : cut || noneRan ? 'unavailable' : 'pass',
    results: runs.map((run) => run.result),
    newDiagnostics,
    newlyFailing,
    newlyPassing: all.flatMap((one) => one.newlyPassing),
    addedPassing: sum(all.map((one) => one.addedPassing)),
    vanished,
    stillFailing: all.flatMap((one) => one.stillFailing),
    stillPassing: sum(all.map((one) => one.stillPassing)),
    preexisting: sum(all.map((one) => one.preexisting)),
  }
}

/** Whether the check found something that was not there before, or misses a test that was. */
export function hasNews(one: Comparison): boolean {
  return one.newDiagnostics.length > 0 || one.newlyFailing.length > 0 || one.vanished.length > 0
}

function compareTests(before: readonly TestResult[], now: readonly TestResult[]) {
  const idsOf = (status: TestResult['status']): ReadonlySet<string> =>
    new Set(before.filter((test) => test.status === status).map((test) => test.id))
  const [failedBefore, passedBefore] = [idsOf('failed'), idsOf('passed')]
  const known = new Set(before.map((test) => test.id))
  const failing = now.filter((test) => test.status === 'failed')
  const passing = now.filter((test) => test.status === 'passed').map((test) => test.id)
  return {
    newlyFailing: failing.filter((test) => !failedBefore.has(test.id)),
    newlyPassing: passing.filter((id) => failedBefore.has(id)),
    addedPassing: Math.max(0, passing.filter((id) => !known.has(id)).length - gone(before, now).length),
    vanished: vanishedTests(before, now),
    stillFailing: failing.filter((test) => failedBefore.has(test.id)).map((test) => test.id),
    stillPassing: passing.filter((id) => passedBefore.has(id)).length,
  }
}

/** A renamed test leaves as many as there were, so only where fewer run is one missing. */
function vanishedTests(before: readonly TestResult[], now: readonly TestResult[]): readonly string[] {
  return new Set(idsThatRan(now)).size < new Set(idsThatRan(before)).size ? gone(before, now) : []
}

/** Ran before under a name that runs no more: renamed, deleted or skipped. */
function gone(before: readonly TestResult[], now: readonly TestResult[]): readonly string[] {
  const runsNow = new Set(idsThatRan(now))
  return idsThatRan(before).filter((id) => !runsNow.has(id))
}

function idsThatRan(tests: readonly TestResult[]): readonly string[] {
  return tests.filter((test) => test.status !== 'skipped').map((test) => test.id)
}

/** Failed before and fails now, and at least one of the reports could not be read: nobody can tell what is new. */
function isVague(before: CheckResult | undefined, now: CheckResult): boolean {
  if (before?.status !== 'failed' || now.status !== 'failed' || now.check.kind === 'tests') return false
  return [...before.diagnostics, ...now.diagnostics].some((one) => one.code === EXIT_CODE)
}

/**
 * Complaints that are there more often than before. Lines don't count, since an edit shifts them; they only tell which
 * of several equal complaints is the new one.
 */
function findNew(before: readonly Diagnostic[], now: readonly Diagnostic[], changed: readonly string[]): Diagnostic[] {
  const known = new Map<string, Diagnostic[]>()
  for (const one of before) known.set(identity(one), [...(known.get(identity(one)) ?? []), one])
  const equal = new Map<string, Diagnostic[]>()
  for (const one of now) equal.set(identity(one), [...(equal.get(identity(one)) ?? []), one])
  const fresh = new Set<Diagnostic>()
  for (const [key, group] of equal) {
    const old = known.get(key) ?? []
    const lines = new Set(old.map((one) => one.line))
    const unshifted = group.filter((one) => lines.has(one.line))
    const others = group.filter((one) => !lines.has(one.line))
    for (const one of [...unshifted, ...others].slice(old.length)) fresh.add(one)
  }
  const hidden = before.some(isSyntaxError)
  return now.filter((one) => fresh.has(one) && !(hidden && !isSyntaxError(one) && isElsewhere(one, changed)))
}

/** tsc does not look at types while a file can't be parsed: what it says once that is mended was there before. */
function isSyntaxError(one: Diagnostic): boolean {
  return /^(?:tsc|tsgo|vue-tsc)$/.test(one.source) && /^TS1\d{3}$/.test(one.code ?? '')
}

function isElsewhere(one: Diagnostic, changed: readonly string[]): boolean {
  return one.file !== undefined && !changed.includes(one.file)
}

function identity(one: Diagnostic): string {
  return JSON.stringify([one.source, one.file, one.code, one.code === EXIT_CODE ? '' : one.message])
}

function noLongerRuns(now: CheckResult): Diagnostic {
  return {
    source: now.check.tool,
    severity: 'error',
    code: 'no-longer-runs',
    message: `\`${now.check.command}\` ran before the first edit and can't any more: ${now.reason ?? 'unknown reason'}`,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
