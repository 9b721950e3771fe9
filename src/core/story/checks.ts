import type { CheckPhase } from '../event.ts'
import type { Baseline, CheckKind, CheckResult, Diagnostic, TestResult, Verdict } from '../verdict.ts'
import type { RepositoryFacts } from '../workspace.ts'
import { capped, cutLine, line, type StoryLine } from './line.ts'
import { cleanLines, count, duration, oneLine, shortList } from './text.ts'

const MOST_DIAGNOSTICS = 8
const MOST_TESTS = 6
const MOST_MESSAGE_LINES = 3

/** `src/a.ts:3:5 TS2322 message` as one clean line. */
function describeDiagnostic({ file, line: row, column, code, message }: Diagnostic): string {
  const place = file === undefined ? '' : [file, row, column].filter((part) => part !== undefined).join(':')
  return oneLine([place, code ?? '', message].join(' '))
}

/** The repository as found, and the checks that will judge the change. */
export function factsLines({
  platform,
  nodeVersion,
  packageManager,
  checks,
  git,
}: RepositoryFacts): readonly StoryLine[] {
  const found = checks.map((check) =>
    cutLine('dim', 1, oneLine(`${check.kind}: ${check.command}${check.cwd === '.' ? '' : ` (in ${check.cwd})`}`)),
  )
  return [
    line('dim', 0, oneLine(`${platform}, Node ${nodeVersion.replace(/^v/, '')}, ${packageManager}, ${gitText(git)}`)),
    ...(found.length > 0 ? found : [line('warn', 1, 'no checks found: nothing here can prove a change')]),
  ]
}

function gitText(git: RepositoryFacts['git']): string {
  switch (git.kind) {
    case 'none':
      return 'no git'
    case 'unborn':
      return `git ${git.branch}, no commit yet`
    case 'commit': {
      const at = `git ${git.branch ?? 'detached'} at ${git.head.slice(0, 9)}`
      return git.dirty.length === 0 ? at : `${at}, ${count(git.dirty.length, 'uncommitted file')}`
    }
    default:
      git satisfies never
      return ''
  }
}

/** What failed before the first edit. */
export function baselineLines(baseline: Baseline, ms: number): readonly StoryLine[] {
  if (baseline.results.length === 0) return []
  return [
    line('plain', 0, `before the first edit (${duration(ms)})`),
    ...baseline.results.flatMap((result) => [
      line(result.status === 'unavailable' ? 'warn' : 'dim', 1, baselineText(result)),
      ...capped(
        failedTests(result).map((test) => cutLine('dim', 2, oneLine(test.id))),
        MOST_TESTS,
        'tests',
      ),
    ]),
  ]
}

const failedTests = (result: CheckResult) => result.tests.filter((test) => test.status === 'failed')

function baselineText(result: CheckResult): string {
  const { kind } = result.check
  if (result.status === 'unavailable') return oneLine(`${kind} could not run: ${result.reason ?? 'no reason given'}`)
  if (kind === 'tests') {
    const passed = result.tests.filter((test) => test.status === 'passed').length
    const failing = failedTests(result).length
    if (failing === 0 && result.status === 'failed') return 'tests: fail as a whole'
    return failing === 0 ? `tests: ${passed} pass` : `tests: ${failing} fail, ${passed} pass`
  }
  const complaints = count(result.diagnostics.length, 'complaint')
  return result.status === 'passed' ? `${kind}: clean` : `${kind}: ${complaints}`
}

/** One line for a check that ended after the first edit; what is new comes with the verdict. */
export function checkLine(result: CheckResult, phase: CheckPhase): StoryLine {
  const { kind, tool } = result.check
  const name = oneLine(`${phase === 'proof' ? 'proof: ' : ''}${kind}${kind === tool ? '' : ` (${tool})`}`)
  switch (result.status) {
    case 'passed':
      return line('good', 2, `✓ ${name} in ${duration(result.ms)}`)
    case 'failed':
      return line('plain', 2, `✗ ${name} in ${duration(result.ms)}, compared with before`)
    case 'unavailable':
      return line('warn', 2, `! ${name} could not run: ${oneLine(result.reason ?? 'no reason given')}`)
    default:
      result.status satisfies never
      return line('warn', 2, name)
  }
}

/** Why a change was not taken, each reason with its first place: `2 new complaints (tsc): src/a.ts:3:5 TS2322 ...`. */
export function verdictReasons(verdict: Verdict): readonly string[] {
  const [diagnostic] = verdict.newDiagnostics
  const [failing] = verdict.newlyFailing
  return [
    ...(diagnostic ? [`${complaintCount(verdict)}: ${describeDiagnostic(diagnostic)}`] : []),
    ...(failing ? [oneLine(`${failingCount(verdict)}: ${failing.id}`)] : []),
    ...(verdict.vanished.length > 0 ? [oneLine(`${goneCount(verdict)}: ${verdict.vanished[0]}`)] : []),
    ...unavailableReasons(verdict),
  ]
}

/** ` (without tests)`: which kinds of checks no part of the verdict comes from. Empty where all could judge. */
export function withoutText(verdict: Verdict | undefined): string {
  const results = verdict?.results ?? []
  const judged = new Set(results.flatMap(({ status, check }) => (status === 'unavailable' ? [] : [check.kind])))
  const missing = [...new Set(results.map(({ check }) => check.kind))].filter((kind) => !judged.has(kind))
  return missing.length === 0 ? '' : ` (without ${missing.join(', ')})`
}

function unavailableReasons({ results }: Verdict): readonly string[] {
  return results
    .filter((result) => result.status === 'unavailable')
    .map(({ check, reason }) => oneLine(`${check.kind} could not run: ${reason ?? 'no reason given'}`))
}

function complaintCount({ newDiagnostics }: Verdict): string {
  const sources = [...new Set(newDiagnostics.map((diagnostic) => diagnostic.source))]
  return `${count(newDiagnostics.length, 'new complaint')} (${shortList(sources, 4)})`
}

const failingCount = ({ newlyFailing }: Verdict) => `${count(newlyFailing.length, 'test')} newly failing`

const goneCount = ({ vanished }: Verdict) => `${count(vanished.length, 'test')} gone`

/** A verdict: what is new against the baseline, or what is proven. */
export function verdictLines(verdict: Verdict, phase: 'attempt' | 'proof', ms: number): readonly StoryLine[] {
  const name = phase === 'proof' ? 'final proof' : 'checks'
  switch (verdict.status) {
    case 'pass':
      return [
        line('good', 1, `✓ ${name} passed in ${duration(ms)}${beforeText(verdict.preexisting)}`),
        ...proofLines(verdict, 2),
      ]
    case 'unavailable':
      return [
        line('warn', 1, `! ${name} could not be completed`),
        ...unavailableReasons(verdict).map((reason) => line('warn', 2, reason)),
      ]
    case 'fail': {
      const counts = [
        ...(verdict.newDiagnostics.length > 0 ? [complaintCount(verdict)] : []),
        ...(verdict.newlyFailing.length > 0 ? [failingCount(verdict)] : []),
        ...(verdict.vanished.length > 0 ? [goneCount(verdict)] : []),
      ]
      const what = counts.length > 0 ? `: ${counts.join(', ')}` : ''
      return [line('bad', 1, `✗ ${name} failed in ${duration(ms)}${what}`), ...newLines(verdict)]
    }
    default:
      verdict.status satisfies never
      return []
  }
}

function beforeText(preexisting: number): string {
  return preexisting === 0 ? '' : `, ${count(preexisting, 'complaint')} as before`
}

function newLines(verdict: Verdict): readonly StoryLine[] {
  const diagnostics = verdict.newDiagnostics.map((diagnostic) => line('bad', 2, describeDiagnostic(diagnostic)))
  const tests = verdict.newlyFailing.map((test) => [line('bad', 2, oneLine(test.id)), ...messageLines(test)])
  const shown = tests.slice(0, MOST_TESTS).flat()
  const left = tests.length - MOST_TESTS
  const gone = verdict.vanished.map((id) => cutLine('bad', 2, oneLine(`gone: ${id}`)))
  return [
    ...capped(diagnostics, MOST_DIAGNOSTICS, 'complaints'),
    ...shown,
    ...(left > 0 ? [line('dim', 2, `… ${left} more tests`)] : []),
    ...capped(gone, MOST_TESTS, 'tests'),
  ]
}

function messageLines({ message }: TestResult): readonly StoryLine[] {
  if (message === undefined || message.trim() === '') return []
  const lines = cleanLines(message).filter((text) => text.trim() !== '')
  return lines.slice(0, MOST_MESSAGE_LINES).map((text) => cutLine('dim', 3, text.trimEnd()))
}

/** Which tests failed before and pass now, how many are new or still pass, and which checks did not judge at all. */
export function proofLines(verdict: Verdict, indent: number): readonly StoryLine[] {
  const fixed = verdict.newlyPassing
  const lines: StoryLine[] = []
  if (fixed.length > 0) {
    const verb = fixed.length === 1 ? 'failed before and passes now' : 'failed before and pass now'
    lines.push(line('good', indent, `${count(fixed.length, 'test')} ${verb}`))
    lines.push(
      ...capped(
        fixed.map((id) => cutLine('good', indent + 1, oneLine(id))),
        MOST_TESTS,
        'tests',
      ),
    )
  }
  const added = verdict.addedPassing
  if (added > 0) lines.push(line('good', indent, `${count(added, 'new test')} ${added === 1 ? 'passes' : 'pass'}`))
  if (verdict.stillPassing > 0) lines.push(line('dim', indent, `${count(verdict.stillPassing, 'test')} still passing`))
  const still = verdict.stillFailing.length
  if (still > 0) lines.push(line('dim', indent, `${count(still, 'test')} failing as before`))
  return [...lines, ...unavailableReasons(verdict).map((reason) => line('warn', indent, `! not judged: ${reason}`))]
}

const KIND_WORDS: Readonly<Record<CheckKind, string>> = {
  types: 'checking types',
  lint: 'linting',
  tests: 'running tests',
}

/** What a running check does: `running tests`. */
export const checkWords = (kind: CheckKind): string => KIND_WORDS[kind]
