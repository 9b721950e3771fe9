import type { RunEvent } from '../core/event.ts'
import type { Baseline, Verdict } from '../core/verdict.ts'
import type { RunContext } from './context.ts'

/**
 * Judges the tree as an attempt left it. Behind the last step the verdict is the final proof, so it has to come from every
 * check; what has run on this very tree already is not run again.
 */
export async function* validate(
  ctx: RunContext,
  {
    attempt,
    baseline,
    changed,
    last,
  }: {
    readonly attempt: number
    readonly baseline: Baseline
    readonly changed: readonly string[]
    readonly last: boolean
  },
): AsyncGenerator<RunEvent, Verdict> {
  const verdict = yield* judge(ctx, 'attempt', attempt, baseline, changed)
  if (verdict.status !== 'pass' || !last) return verdict
  const ran = new Set(verdict.results.map((result) => result.check.id))
  if (baseline.results.every((result) => ran.has(result.check.id))) return verdict
  return yield* judge(ctx, 'proof', attempt, baseline, changed)
}

async function* judge(
  ctx: RunContext,
  phase: 'attempt' | 'proof',
  attempt: number,
  baseline: Baseline,
  changed: readonly string[],
): AsyncGenerator<RunEvent, Verdict> {
  const startedAt = ctx.ports.clock.now()
  const verdict = yield* ctx.ports.validator.validate({ phase, baseline, changed }, ctx.signal)
  yield { type: 'verdict', phase, attempt, verdict, ms: ctx.ports.clock.now() - startedAt }
  return verdict
}
