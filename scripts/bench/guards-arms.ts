import type { Correctable, Failure } from '../../src/core/failure.ts'
import type { ToolRunner } from '../../src/core/ports.ts'

/** The tools with failures that say what is wrong, and nothing of what would be right. */
export function withoutCandidates(tools: ToolRunner): ToolRunner {
  return {
    ...tools,
    async check(call, definitions) {
      const checked = await tools.check(call, definitions)
      return checked.ok ? checked : { ok: false, failure: bare(checked.failure) }
    },
    async execute(call, signal) {
      const done = await tools.execute(call, signal)
      return done.ok ? done : { ok: false, failure: bare(done.failure) }
    },
  }
}

function bare<F extends Failure | Correctable>(failure: F): F {
  switch (failure.kind) {
    case 'target.not-found':
      return { ...failure, candidates: [], exhaustive: false, lead: 0 }
    case 'edit.no-match':
      return { ...failure, nearest: [] }
    case 'edit.ambiguous':
      return { ...failure, regions: [] }
    case 'call.unknown-tool':
      return { ...failure, known: [] }
    default:
      return failure
  }
}
