import type { CheckPlan, CheckResult, Diagnostic, TestResult } from '../../core/verdict.ts'
import type { ProcessResult } from '../../lib/process.ts'
import { headAndTail, stripTerminalSequences } from '../../lib/text.ts'
import type { CheckContext, CheckRun } from './check.ts'

/** The code of a complaint that stands for a whole run; its message is the run's output, which differs from run to run. */
export const EXIT_CODE = 'exit-code'

const MESSAGE_BYTES = 2000
const OUTPUT_BYTES = 16_000
const FAILURES_BYTES = 7000

interface Findings {
  readonly diagnostics?: readonly Diagnostic[]
  readonly tests?: readonly TestResult[]
  /** What to show where the tool printed nothing that a person reads. */
  readonly output?: string
}

/** The result of a check that ran: failed when something is wrong, whatever the exit code. */
export function finished(check: CheckPlan, process: ProcessResult, findings: Findings): CheckRun {
  const diagnostics = (findings.diagnostics ?? []).map((one) => ({ ...one, message: cap(one.message) }))
  const tests = (findings.tests ?? []).map((one) =>
    one.message === undefined ? one : { ...one, message: cap(one.message) },
  )
  const failed = diagnostics.length > 0 || tests.some((test) => test.status === 'failed')
  const failures = [
    ...tests.filter((test) => test.status === 'failed').map((test) => `FAIL ${test.id}\n${test.message ?? ''}`),
    ...diagnostics.map(describeDiagnostic),
  ]
  return {
    result: {
      check,
      status: failed ? 'failed' : 'passed',
      diagnostics,
      tests,
      ...(process.exitCode === undefined ? {} : { exitCode: process.exitCode }),
      ms: process.ms,
      output: summarise(findings.output ?? process.output, failures),
    },
  }
}

/** What a check says that is known by its exit code alone: nothing, or one complaint whose message is the end of the output. */
export function judgedByExitCode(check: CheckPlan, process: ProcessResult): CheckRun {
  if (process.exitCode === 0) return finished(check, process, {})
  const said = stripTerminalSequences(process.output).trim()
  const message = `\`${check.command}\` ended with exit code ${process.exitCode}:\n${said.slice(-1800)}`
  return finished(check, process, {
    diagnostics: [{ source: check.tool, severity: 'error', code: EXIT_CODE, message }],
  })
}

/** The result of a check that could not run or did not come to its end. Never the edit's fault by itself. */
export function unavailable(
  check: CheckPlan,
  cause: NonNullable<CheckRun['cause']>,
  reason: string,
  process?: ProcessResult,
): CheckRun {
  return {
    result: {
      check,
      status: 'unavailable',
      diagnostics: [],
      tests: [],
      ...(process?.exitCode === undefined ? {} : { exitCode: process.exitCode }),
      ms: process?.ms ?? 0,
      output: summarise(process?.output ?? '', []),
      reason: cap(reason),
    },
    cause,
  }
}

/** A run of tests of which only the exit code is known: one test that has the command's name. */
export function wholeTest(check: CheckPlan, status: 'passed' | 'failed', message?: string): TestResult {
  return { id: check.command, status, ...(message === undefined ? {} : { message }) }
}

/** Tests that failed as a whole before and do so again: nobody can tell whether for the same reason. */
export function toldApart(run: CheckRun, before: CheckResult | undefined): CheckRun {
  const { result } = run
  if (!failedAsAWhole(result) || before === undefined || !failedAsAWhole(before)) return run
  const reason = 'failed before the change too, and does not tell its tests apart'
  return { result: { ...result, status: 'unavailable', tests: [], diagnostics: [], reason }, cause: 'indistinct' }
}

function failedAsAWhole({ check, status, tests }: CheckResult): boolean {
  return check.kind === 'tests' && status === 'failed' && tests.every((test) => test.id === check.command)
}

/** Exit codes by which a shell says that the command died by a signal. */
const DIED: Readonly<Record<number, string>> = { 134: 'SIGABRT', 137: 'SIGKILL', 139: 'SIGSEGV', 143: 'SIGTERM' }

/** Why the process has no say in the matter, in words; undefined when it ended by itself. */
export function whyCut(process: ProcessResult, limits: Pick<CheckContext, 'deadlineMs'>): string | undefined {
  const signal = process.signalName ?? DIED[process.exitCode ?? 0]
  switch (process.status) {
    case 'deadline':
      return `did not end within ${readableTime(limits.deadlineMs)}`
    case 'killed':
    case 'exited':
      if (signal === undefined && process.status === 'exited') return undefined
      return /heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(process.output)
        ? 'ran out of memory'
        : `was killed by ${signal ?? 'a signal'}`
    case 'aborted':
      return 'was stopped'
    case 'not-started':
      return process.reason ?? 'could not be started'
  }
}

/** Ran into its deadline before: it would again. */
export function hitDeadline(result: CheckResult): boolean {
  return result.status === 'unavailable' && result.reason?.startsWith('did not end within ') === true
}

function readableTime(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

export function describeDiagnostic(one: Diagnostic): string {
  const place = [one.file, one.line, one.column].filter((part) => part !== undefined).join(':')
  return `${place === '' ? one.source : place}: ${one.severity}${one.code === undefined ? '' : ` ${one.code}`}: ${one.message}`
}

/** A file that two projects include is complained about twice. */
export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()]
}

function cap(text: string): string {
  return headAndTail(text, MESSAGE_BYTES).text
}

/** Head and tail of what was printed, and the failures where the cut may have taken them. */
function summarise(output: string, failures: readonly string[]): string {
  const plain = stripTerminalSequences(output).trim()
  if (Buffer.byteLength(plain) <= OUTPUT_BYTES) return plain
  const blocks = headAndTail(failures.join('\n\n'), FAILURES_BYTES).text
  const room = OUTPUT_BYTES - Buffer.byteLength(blocks) - 4
  return [headAndTail(plain, room).text, ...(blocks === '' ? [] : [blocks])].join('\n\n')
}
