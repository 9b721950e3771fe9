import { assertNever, type Failure } from '../core/failure.ts'

/** The failure in one sentence for a person: what happened, and what to do where something can be done. */
export function describe(failure: Failure): string {
  switch (failure.kind) {
    case 'call.unknown-tool':
      return `the model kept calling tools that do not exist (last: ${failure.tool})`
    case 'call.invalid-arguments':
      return `the model kept calling ${failure.tool} with arguments that do not fit its schema`
    case 'call.truncated':
      return `the output limit kept cutting off the call of ${failure.tool}: raise maxOutputTokens`
    case 'call.denied':
      return failure.by === 'person'
        ? `the call of ${failure.tool} was refused`
        : `the call of ${failure.tool} needs consent, and nobody could be asked (-y allows every command)`
    case 'call.skipped':
      return `the call of ${failure.tool} was not carried out`
    case 'target.not-found':
      return `the model kept naming a ${failure.target} that does not exist: ${failure.value}`
    case 'edit.no-match':
    case 'edit.ambiguous':
    case 'edit.stale':
      return `the model's edits of ${failure.path} did not apply`
    case 'edit.out-of-scope':
      return `the model kept trying to change ${failure.path}: ${failure.reason}`
    case 'edit.syntax':
      return `the model's edits of ${failure.path} would have broken its syntax: ${failure.message}`
    case 'check.syntax':
      return `every attempt left code that does not parse${first(failure.diagnostics)}`
    case 'check.types':
      return `every attempt failed the type check${first(failure.diagnostics)}`
    case 'check.lint':
      return `every attempt failed the linter${first(failure.diagnostics)}`
    case 'check.tests':
      return failure.failing.length > 0
        ? `every attempt failed tests that passed before: ${failure.failing.slice(0, 3).join(', ')}`
        : failure.diagnostics.length > 0
          ? `every attempt broke the tests${first(failure.diagnostics)}`
          : 'no attempt made a failing test pass, and a proof was asked for'
    case 'check.tampered':
      return `the change weakened what judges it: ${failure.reason}`
    case 'check.unavailable':
      return `a check could not run (${failure.check}): ${failure.reason}`
    case 'provider.transient':
      return `the provider kept failing: ${failure.reason}`
    case 'provider.auth':
      return `the provider refused the credentials: ${failure.reason}`
    case 'provider.quota':
      return `the account's quota is used up: ${failure.reason}`
    case 'provider.refused':
      return `the model refused: ${failure.reason}`
    case 'provider.rejected':
      return `the provider rejected the request: ${failure.reason}`
    case 'provider.context-overflow':
      return `the conversation is larger than the model's context: ${failure.reason}`
    case 'io.transient':
      return `the file system or git kept failing: ${failure.reason}`
    case 'progress.repeated':
      return 'the model kept repeating what had led nowhere'
    case 'progress.none':
      return `the model ended without changing anything: ${failure.reason}`
    case 'budget.turns':
      return `the limit of ${failure.limit} requests is reached (--max-turns)`
    case 'budget.time':
      return `the time limit of ${Math.round(failure.limitMs / 1000)} s is reached (--timeout)`
    case 'budget.money':
      return `the budget of $${failure.limitUsd} is used up (--max-budget-usd)`
    case 'user.cancelled':
      return `interrupted by ${failure.signal}`
    case 'internal.defect':
      return `a defect of goatfied's own: ${failure.reason}`
    case 'internal.restore':
      return `the tree could not be given back (${failure.reason}): ${failure.paths.join(', ')}`
    default:
      return assertNever(failure)
  }
}

function first(
  diagnostics: readonly { readonly file?: string; readonly line?: number; readonly message: string }[],
): string {
  const [diagnostic] = diagnostics
  if (diagnostic === undefined) return ''
  const place = [diagnostic.file, diagnostic.line].filter((part) => part !== undefined).join(':')
  return `: ${place === '' ? '' : `${place} `}${diagnostic.message.split('\n')[0]}`
}
