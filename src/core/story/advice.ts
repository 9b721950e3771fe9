import type { Failure } from '../failure.ts'
import { assertNever } from '../failure.ts'

/** What a person could try after a run that this failure ended. */
export function adviceFor(failure: Failure): readonly string[] {
  switch (failure.kind) {
    case 'call.unknown-tool':
    case 'call.invalid-arguments':
    case 'call.truncated':
    case 'call.skipped':
    case 'target.not-found':
    case 'edit.no-match':
    case 'edit.ambiguous':
    case 'edit.stale':
    case 'edit.syntax':
    case 'progress.repeated':
      return ['name the files and the behaviour you want in the task', 'use a stronger model: --model provider/model']
    case 'progress.none':
      return ['say in the task what should be different afterwards, and where']
    case 'call.denied':
      return ['allow commands with --yes, or answer yes when asked']
    case 'edit.out-of-scope':
      return ['name the file in the task if it may be changed']
    case 'check.syntax':
    case 'check.types':
    case 'check.lint':
    case 'check.tests':
      return [
        'read the rejected attempts in the run log and name in the task what they missed',
        'give it more attempts: --max-attempts, or a stronger model: --model provider/model',
      ]
    case 'check.tampered':
      return ['say in the task that the tests are right as they are, or change the tests yourself first']
    case 'check.unavailable':
      return failure.check === 'checks'
        ? ['add a tsconfig.json, a linter or a test script to package.json', 'goatfied doctor says what is found']
        : ['run the check by hand until it starts (packages installed?), then run goatfied again', 'goatfied doctor']
    case 'provider.transient':
      return ['run it again later']
    case 'provider.auth':
      return ['check the API key in the environment', 'goatfied doctor']
    case 'provider.quota':
      return ['check the plan and the balance at the provider, or use another model']
    case 'provider.refused':
      return ['word the task differently, or use another model']
    case 'provider.rejected':
      return ['check the name of the model and --base-url', 'goatfied doctor']
    case 'provider.context-overflow':
      return ['make the task smaller, or use a model with a longer context']
    case 'budget.turns':
      return ['raise --max-turns, or make the task smaller']
    case 'budget.time':
      return ['raise --timeout, or make the task smaller']
    case 'budget.money':
      return ['raise --max-budget-usd, or make the task smaller']
    case 'user.cancelled':
      return ['run it again: it begins anew, on the tree as it is']
    case 'io.transient':
      return ['close what holds the files (an editor, a watcher, another git), then run it again']
    case 'internal.restore':
      return [
        'run any goatfied command here: it tries again to give the rest back',
        'every former file is kept in the editor folder beside the run log',
      ]
    case 'internal.defect':
      return ['report it with the run log']
    default:
      return assertNever(failure)
  }
}
