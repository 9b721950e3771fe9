import type { ExitCode, RunResult, RunStatus } from '../outcome.ts'
import type { AttemptProgress, RunProgress } from '../progress.ts'
import type { FileChange } from '../snapshot.ts'
import { adviceFor } from './advice.ts'
import { proofLines, withoutText } from './checks.ts'
import { diffLines } from './diff.ts'
import { capped, cutLine, line, type StoryLine, type Tone } from './line.ts'
import { compactNumber, count, duration, money, oneLine, shortList } from './text.ts'

/** Lines of the whole change that are shown. */
const MOST_DIFF_LINES = 120
const MOST_ATTEMPTS = 8

const STATUS: Readonly<Record<RunStatus, { readonly tone: Tone; readonly text: string }>> = {
  validated: { tone: 'good', text: '✓ validated' },
  'gave-up': { tone: 'bad', text: '✗ gave up' },
  unchanged: { tone: 'warn', text: '✗ nothing changed' },
  stopped: { tone: 'bad', text: '✗ stopped' },
}

const EXIT_MEANING: Readonly<Record<ExitCode, string>> = {
  0: 'validated',
  1: 'gave up, tree restored',
  2: 'wrong usage',
  3: 'nothing changed',
  41: 'credentials',
  51: 'the provider failed',
  52: 'configuration',
  53: 'turn limit',
  54: 'a check could not run',
  55: 'time or money budget',
  130: 'interrupted',
  143: 'terminated',
}

/** The end of a run: result, proof, the change or what was tried, what it took, where the log is. */
export function resultLines(result: RunResult, state: RunProgress): readonly StoryLine[] {
  const { tone, text } = STATUS[result.status]
  return [
    line('plain', 0, ''),
    line(tone, 0, `${text}${withoutText(result.proof)}: ${oneLine(result.summary)}`),
    ...(result.status === 'validated' ? changeLines(result) : failedLines(result, state)),
    line('dim', 1, totalsText(result)),
    ...(state.runLog === undefined ? [] : [line('dim', 1, `run log ${oneLine(state.runLog)}`)]),
    line('dim', 1, `exit ${result.exitCode}: ${exitMeaning(result)}`),
  ]
}

function exitMeaning({ exitCode, failure, conflicts }: RunResult): string {
  if (failure?.kind === 'internal.restore') return 'gave up, the tree is in doubt'
  if (exitCode === 1 && conflicts.length > 0) return 'gave up, tree restored but for what is named above'
  return EXIT_MEANING[exitCode]
}

function changeLines(result: RunResult): readonly StoryLine[] {
  const all = result.changes.flatMap((change) => [fileLine(change), ...fileDiffLines(change)])
  const left = result.conflicts.map((path) => cutLine('warn', 1, oneLine(`! changed by somebody else: ${path}`)))
  return [...(result.proof ? proofLines(result.proof, 1) : []), ...left, ...capped(all, MOST_DIFF_LINES, 'lines')]
}

/** The change of one file in a line. */
export function fileLine({ action, path, added, removed }: FileChange): StoryLine {
  return cutLine('plain', 1, `${oneLine(`${action} ${path}`)}  +${added} -${removed}`)
}

/** The lines of the diff below it. */
export function fileDiffLines({ diff }: FileChange): readonly StoryLine[] {
  return diffLines(hunks(diff), 2, Number.POSITIVE_INFINITY)
}

/** The diff without its header, which only repeats the path. */
function hunks(diff: string): string {
  const first = diff.search(/^@@/m)
  return first === -1 ? diff : diff.slice(first)
}

function failedLines(result: RunResult, state: RunProgress): readonly StoryLine[] {
  const { failure, conflicts } = result
  const tried = state.attempts.map((attempt) => line('plain', 2, attemptSummary(attempt, state.steps.length)))
  const advice = failure ? adviceFor(failure) : []
  return [
    ...(tried.length > 0 ? [line('plain', 1, 'what was tried'), ...capped(tried, MOST_ATTEMPTS, 'attempts')] : []),
    ...treeLines(failure?.kind === 'internal.restore', conflicts),
    ...(advice.length > 0
      ? [line('plain', 1, 'what you could try'), ...advice.map((text) => line('plain', 2, text))]
      : []),
  ]
}

function attemptSummary({ attempt, step, outcome, changed, reasons }: AttemptProgress, steps: number): string {
  const where = steps > 1 ? ` (step ${step + 1})` : ''
  const files = changed.length > 0 ? ` changed ${shortList(changed, 3)}` : ''
  const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : ''
  return oneLine(`attempt ${attempt}${where}${files}, ${outcome === 'running' ? 'not finished' : outcome}${why}`)
}

function treeLines(inDoubt: boolean, conflicts: readonly string[]): readonly StoryLine[] {
  if (inDoubt) return [line('bad', 1, 'the tree is not in full as it was before the run')]
  if (conflicts.length === 0) return [line('good', 1, 'the tree is as it was before the run')]
  return [
    line('warn', 1, 'the tree is as it was before the run, but for'),
    ...conflicts.map((path) => cutLine('warn', 2, oneLine(path))),
  ]
}

function totalsText({ totals }: RunResult): string {
  const { input, cacheRead, cacheWrite, output } = totals.usage
  const sent = input + cacheRead + cacheWrite
  const cached = cacheRead > 0 ? ` (${Math.round((100 * cacheRead) / sent)} % from the cache)` : ''
  const cost = totals.costUsd === undefined ? 'price not known' : money(totals.costUsd)
  const failed =
    totals.failedCalls > 0 ? ` · ${count(totals.failedCalls, 'failed call')}, ${totals.recoveredCalls} recovered` : ''
  return [
    count(totals.requests, 'request'),
    `${compactNumber(sent)} tokens sent${cached}, ${compactNumber(output)} received`,
    ...(totals.requests > 0 ? [cost] : []),
    count(totals.attempts, 'attempt') + failed,
    duration(totals.ms),
  ].join(' · ')
}
