import type { ArgumentError, Failure } from '../failure.ts'
import { assertNever } from '../failure.ts'
import { count, duration, oneLine, shortList } from './text.ts'

/** What went wrong, in one clean line for a person. Names neither the tool nor the call. */
export function describeFailure(failure: Failure): string {
  return oneLine(words(failure))
}

function words(failure: Failure): string {
  switch (failure.kind) {
    case 'call.unknown-tool':
      if (failure.notNow) return `${failure.tool} can't be called now; it can be: ${shortList(failure.known, 6)}`
      return `there is no tool ${failure.tool}; there are: ${shortList(failure.known, 6)}`
    case 'call.invalid-arguments':
      if (failure.malformed !== undefined) return 'the arguments are not valid JSON'
      return `invalid arguments: ${failure.errors.map(argumentError).join('; ')}`
    case 'call.truncated':
      return 'the call was cut off by the token limit and not executed'
    case 'call.denied':
      return failure.by === 'person' ? 'refused' : 'not allowed: nobody could be asked'
    case 'call.skipped':
      return failure.because === 'step-finished'
        ? 'not executed: the step is finished'
        : 'not executed: a call before it failed'
    case 'target.not-found':
      return `${failure.target} ${failure.value} does not exist${nearest(failure.candidates)}`
    case 'edit.no-match':
      return `the text to replace is not in ${failure.path}${places(failure.nearest.map((region) => region.startLine))}`
    case 'edit.ambiguous':
      return `the text to replace is in ${failure.path} ${failure.lines.length} times (lines ${shortList(failure.lines.map(String), 6)})`
    case 'edit.stale':
      return `${failure.path} is not what the model last saw`
    case 'edit.out-of-scope':
      return `${failure.path}: ${failure.reason}`
    case 'edit.syntax':
      return `the edit would leave ${failure.path} unparsable: ${failure.line}:${failure.column} ${failure.message}`
    case 'check.syntax':
      return `syntax: ${count(failure.diagnostics.length, 'error')}`
    case 'check.types':
      return `types: ${count(failure.diagnostics.length, 'new error')}`
    case 'check.lint':
      return `lint: ${count(failure.diagnostics.length, 'new complaint')}`
    case 'check.tests':
      return `tests: ${count(failure.failing.length, 'test')} newly failing`
    case 'check.tampered':
      return `the checks themselves were changed (${shortList(failure.paths, 3)}): ${failure.reason}`
    case 'check.unavailable':
      return `the check "${failure.check}" could not run: ${failure.reason}`
    case 'provider.transient':
      return `the provider is not available for now${status(failure.status)}: ${failure.reason}`
    case 'provider.auth':
      return `the provider did not accept the credentials: ${failure.reason}`
    case 'provider.quota':
      return `the provider's quota is used up: ${failure.reason}`
    case 'provider.refused':
      return `the model refused: ${failure.reason}`
    case 'provider.rejected':
      return `the provider rejected the request${status(failure.status)}: ${failure.reason}`
    case 'provider.context-overflow':
      return `the conversation is too long for the model: ${failure.reason}`
    case 'io.transient':
      return `the file system is busy: ${failure.reason}`
    case 'progress.repeated':
      return `the same thing again: ${failure.what}`
    case 'progress.none':
      return `no progress: ${failure.reason}`
    case 'budget.turns':
      return `the limit of ${count(failure.limit, 'request')} is reached`
    case 'budget.time':
      return `the time limit of ${duration(failure.limitMs)} is reached`
    case 'budget.money':
      return `the budget of $${failure.limitUsd} is used up`
    case 'user.cancelled':
      return failure.signal === 'SIGINT' ? 'interrupted' : `ended by ${failure.signal}`
    case 'internal.defect':
      return `a defect in goatfied: ${failure.reason}`
    case 'internal.restore':
      return `the tree could not be given back in full (${shortList(failure.paths, 3)}): ${failure.reason}`
    default:
      return assertNever(failure)
  }
}

function argumentError({ pointer, message, params }: ArgumentError): string {
  const place = pointer.slice(1).replaceAll('/', '.')
  const extra = typeof params.additionalProperty === 'string' ? ` (${params.additionalProperty})` : ''
  return `${place === '' ? '' : `${place} `}${message}${extra}`
}

const status = (value: number | undefined) => (value === undefined ? '' : ` (${value})`)

function nearest(candidates: readonly string[]): string {
  return candidates.length === 0 ? '' : `; nearest: ${shortList(candidates, 3)}`
}

function places(lines: readonly number[]): string {
  return lines.length === 0 ? '' : `; most alike: line ${lines.slice(0, 3).join(', ')}`
}
