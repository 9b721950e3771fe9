import { type ArgumentError, assertNever, type Failure, type Region } from '../core/failure.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import { regionLabel } from '../core/region.ts'
import { visibleName } from '../core/story/text.ts'
import type { Diagnostic, TestResult } from '../core/verdict.ts'

/** Candidates beyond these are in the schema's enum, where there is one; so far down the list hardly any is meant. */
const SHOWN = { candidates: 8, members: 20, diagnostics: 20, lines: 12, matches: 20 } as const

/** The failure in words for the model: what is wrong, and the fact it did not have. Texts are in `prompts/failures/`. */
export function explain(prompts: Prompts, failure: Failure): string {
  const say = (values: Readonly<Record<string, string | number>> = {}) =>
    prompt(prompts, `failures/${failure.kind}`, values)
  switch (failure.kind) {
    case 'call.unknown-tool':
      return failure.notNow
        ? prompt(prompts, 'failures/call.not-now', { tool: failure.tool, known: failure.known.join(', ') })
        : say({ tool: failure.tool, known: failure.known.join(', ') })
    case 'call.invalid-arguments':
      return say({
        tool: failure.tool,
        errors: describeArgumentErrors(failure.errors),
        malformed: failure.malformed === undefined ? '' : failure.malformed.slice(0, 500),
      })
    case 'call.truncated':
      return say({ tool: failure.tool })
    case 'call.denied':
      return failure.by === 'person' ? prompt(prompts, 'failures/call.refused') : say()
    case 'call.skipped':
      return prompt(prompts, `failures/call.skipped-${failure.because}`)
    case 'target.not-found':
      return prompt(prompts, `failures/target.${failure.candidates.length === 0 ? 'nothing-alike' : 'not-found'}`, {
        target: failure.target,
        value: failure.value,
        candidates: list(failure.candidates.slice(0, SHOWN.candidates).map(visibleName)),
        scope: failure.exhaustive && failure.candidates.length <= SHOWN.candidates ? 'only' : 'nearest',
      })
    case 'edit.no-match':
      return prompt(prompts, failure.nearest.length === 0 ? 'failures/edit.nothing-alike' : 'failures/edit.no-match', {
        path: failure.path,
        edit: failure.edit + 1,
        regions: regions(failure.nearest),
      })
    case 'edit.ambiguous':
      return say({
        path: failure.path,
        edit: failure.edit + 1,
        count: failure.lines.length,
        lines: listed(failure.lines),
        regions: regions(failure.regions),
      })
    case 'edit.stale':
      return say({ path: failure.path, content: failure.content })
    case 'edit.out-of-scope':
      return say({ path: failure.path, reason: failure.reason })
    case 'edit.syntax':
      return say({
        path: failure.path,
        place: `${failure.line}:${failure.column}`,
        message: failure.message,
        shown: failure.shown,
      })
    case 'check.syntax':
    case 'check.types':
    case 'check.lint':
      return say({ diagnostics: describeDiagnostics(failure.diagnostics) })
    case 'check.tests':
      return say({ failing: list(failure.failing), diagnostics: describeDiagnostics(failure.diagnostics) })
    case 'check.tampered':
      return say({ reason: failure.reason, paths: list(failure.paths) })
    case 'progress.repeated':
      return say({ what: failure.what })
    case 'progress.none':
      return say()
    case 'check.unavailable':
    case 'provider.transient':
    case 'provider.auth':
    case 'provider.quota':
    case 'provider.refused':
    case 'provider.rejected':
    case 'provider.context-overflow':
    case 'io.transient':
    case 'budget.turns':
    case 'budget.time':
    case 'budget.money':
    case 'user.cancelled':
    case 'internal.defect':
    case 'internal.restore':
      // None of these is the model's to mend: it is told only that its call did not happen.
      return prompt(prompts, 'failures/interrupted')
    default:
      return assertNever(failure)
  }
}

/** Each once, one a line, capped: many edits can be wrong in the same way. */
function describeArgumentErrors(errors: readonly ArgumentError[]): string {
  const lines = [...new Set(errors.map(describeArgumentError))]
  const left = lines.length - SHOWN.members
  return [...lines.slice(0, SHOWN.members), ...(left > 0 ? [`(${left} more)`] : [])].join('\n')
}

/** `/edits/0/oldText must be string`, with the facts that ajv's message leaves out. */
function describeArgumentError(error: ArgumentError): string {
  const place = error.pointer === '' ? 'arguments' : error.pointer
  const allowed = error.params.allowedValues
  const facts = Array.isArray(allowed) ? `: ${allowed.slice(0, SHOWN.members).join(', ')}` : ''
  const extra = error.params.additionalProperty ?? error.params.unevaluatedProperty ?? error.params.propertyName
  return `- ${place} ${error.message}${typeof extra === 'string' ? ` (${extra})` : ''}${facts}`
}

/** Located, de-duplicated, capped: `src/a.ts:3:7 TS2322 message`, one a line. */
export function describeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const lines = [...new Set(diagnostics.map(describeDiagnostic))]
  const left = lines.length - SHOWN.diagnostics
  return [...lines.slice(0, SHOWN.diagnostics), ...(left > 0 ? [`(${left} more)`] : [])].join('\n')
}

function describeDiagnostic(diagnostic: Diagnostic): string {
  const place = [diagnostic.file, diagnostic.line, diagnostic.column].filter((part) => part !== undefined).join(':')
  return [place, diagnostic.code, diagnostic.message].filter((part) => part).join(' ')
}

/** Failing tests with the first lines of what each said. */
export function describeTests(tests: readonly TestResult[]): string {
  const shown = tests.slice(0, SHOWN.diagnostics).map((test) => {
    const message = (test.message ?? '').trim().split('\n').slice(0, SHOWN.lines)
    return [`- ${test.id}`, ...message.map((line) => `    ${line}`)].join('\n').trimEnd()
  })
  const left = tests.length - shown.length
  return [...shown, ...(left > 0 ? [`(${left} more)`] : [])].join('\n')
}

function listed(lines: readonly number[]): string {
  return [...lines.slice(0, SHOWN.matches), ...(lines.length > SHOWN.matches ? ['...'] : [])].join(', ')
}

/** Under the labels by which a region can be chosen. */
function regions(shown: readonly Region[]): string {
  return shown.map((region) => `${regionLabel(region)}:\n${region.text}`).join('\n')
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
