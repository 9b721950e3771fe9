import { type Failure, FailureError } from '../core/failure.ts'
import type { CheckKind, Verdict } from '../core/verdict.ts'

/** The failure that a thrown value stands for. What no port announces is a defect of ours. */
export function classify(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure
  if (!(thrown instanceof Error)) return { kind: 'internal.defect', reason: String(thrown) }
  return { kind: 'internal.defect', reason: thrown.message, stack: thrown.stack }
}

const BY_CHECK: Readonly<Record<CheckKind, 'check.types' | 'check.lint' | 'check.tests'>> = {
  types: 'check.types',
  lint: 'check.lint',
  tests: 'check.tests',
}

/** The failure in a verdict, by the cheapest check that found something new; undefined for a pass. */
export function failureOf(verdict: Verdict): Failure | undefined {
  if (verdict.status === 'pass') return undefined
  if (verdict.status === 'unavailable') {
    const broken = verdict.results.find((result) => result.status === 'unavailable')
    return {
      kind: 'check.unavailable',
      check: broken?.check.id ?? 'checks',
      reason: broken?.reason ?? 'no check could run',
    }
  }
  const failing = verdict.newlyFailing.map((test) => test.id)
  if (failing.length === 0 && verdict.newDiagnostics.length === 0 && verdict.vanished.length > 0) {
    const reason = `fewer tests run than before (${verdict.vanished.length} gone)`
    return { kind: 'check.tampered', paths: verdict.vanished, reason }
  }
  const failedChecks = verdict.results.filter((result) => result.status === 'failed')
  const sources = new Set(verdict.newDiagnostics.map((diagnostic) => diagnostic.source))
  const culprit = failedChecks.find((result) => sources.has(result.check.tool)) ?? failedChecks[0]
  const kind =
    BY_CHECK[failing.length > 0 && verdict.newDiagnostics.length === 0 ? 'tests' : (culprit?.check.kind ?? 'tests')]
  if (kind === 'check.tests') return { kind, diagnostics: verdict.newDiagnostics, failing }
  return { kind, diagnostics: verdict.newDiagnostics }
}
