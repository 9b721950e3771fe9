import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../config/schema.ts'
import type { RunEvent, StampedEvent } from '../core/event.ts'
import { EXIT, type RunResult } from '../core/outcome.ts'
import type { Person } from '../core/ports.ts'
import { UserError } from '../core/user-error.ts'
import { type LockHolder, lockTree } from '../editor/lock.ts'
import { openEditor } from '../editor/recovery.ts'
import { locateState } from '../editor/state-dir.ts'
import { POLICY, type PolicyLimits, withLimits } from '../failure/policy.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { run } from '../loop/run.ts'
import prices from '../model/prices.json' with { type: 'json' }
import { newRunId } from '../runlog/run-id.ts'
import { openRunLog } from '../runlog/write.ts'
import { readInstructions } from '../workspace/instructions.ts'
import { asUserError, giveBack, giveBackInterrupted } from './give-back.ts'
import { accessOf, openModels, requirePrices } from './models.ts'
import { PACKAGE_DIR } from './package-dir.ts'
import { openPorts } from './ports.ts'
import { rootOf, settingsOf, type Where } from './settings.ts'

export interface RunRequest extends Where {
  readonly task: string
  readonly requireProof: boolean
  readonly version: string
  readonly person: Person
  /** Its reason is a `FailureError` that says what ended the run. */
  readonly signal: AbortSignal
  /** Told once how long the run may take, where a limit is set. */
  readonly onTimeLimit: (ms: number) => void
}

/**
 * Builds the adapters, hands them to the loop and yields its events, each numbered, dated and in the run log before it is
 * yielded. Throws a `UserError` before the first event when the run can't begin; afterwards it always ends with `run.ended`.
 */
export async function* startRun(request: RunRequest): AsyncGenerator<StampedEvent, RunResult> {
  const { cwd, env, flags, signal, version, person } = request
  const root = rootOf(cwd)
  const loaded = settingsOf({ root, env, flags, cwd })
  const { settings } = loaded
  const access = accessOf(loaded, env)
  if (settings.budgetUsd !== undefined) requirePrices(settings, prices.models)
  const state = await locateState(root)
  const runId = newRunId(Date.now())
  const lock = await lockTree(state.stateDir, root, runId)
  if (!lock.ok) throw heldBy(lock.holder)
  try {
    const notices = await giveBackInterrupted(state.stateDir, root).catch(asUserError)
    const opened = openRunLog({
      dir: settings.logDir ?? path.join(state.stateDir, 'runs'),
      runId,
      version,
      secrets: access.secrets,
    })
    if (!opened.ok) throw new UserError(opened.problem, EXIT.configuration)
    const { log } = opened
    const [editor, models] = await Promise.all([openEditor({ ...state, runId }), openModels(settings, access)])
    let ended = false
    try {
      if (settings.timeouts.run !== undefined) request.onTimeLimit(settings.timeouts.run)
      const prompts = loadPrompts(path.join(PACKAGE_DIR, 'prompts'))
      const ports = openPorts({ root, settings, editor, models, person, prompts, logDir: path.dirname(log.path) })
      const input = {
        runId,
        runLog: log.path,
        version,
        root,
        task: { text: request.task },
        settings: {
          maxTurns: settings.limits.turns,
          maxAttempts: settings.limits.attempts,
          maxReplans: settings.limits.replans,
          maxOutputTokens: settings.maxOutputTokens,
          budgetUsd: settings.budgetUsd,
          contextTokens: settings.contextTokens,
          prices: prices.models,
          requireProof: request.requireProof,
        },
        shownSettings: { ...settings },
        policy: withLimits(POLICY, limitsOf(settings)),
        prompts,
        instructions: await readInstructions(root, realpathSync(cwd)),
      }
      const result = yield* recorded(run(input, ports, signal), log, notices)
      // A run whose tree could not be given back stays open, so that the next start tries again.
      if (result.failure?.kind !== 'internal.restore') await editor.close()
      ended = true
      return result
    } finally {
      log.close()
      // Whoever consumes the events has failed or gone: the tree must not stay half-edited.
      if (!ended) await giveBack(state.stateDir, runId)
    }
  } finally {
    await lock.release()
  }
}

function heldBy({ pid, runId, since }: LockHolder): UserError {
  return new UserError(
    `Run ${runId} (process ${pid}, since ${since}) is working in this tree: wait until it has ended, or end it.`,
    EXIT.usage,
  )
}

/** Numbers, dates and logs each event before it is passed on, so that what announces an act is on disk before the act. */
async function* recorded(
  events: AsyncGenerator<RunEvent, RunResult>,
  log: { write(event: StampedEvent): string | undefined },
  notices: readonly string[],
): AsyncGenerator<StampedEvent, RunResult> {
  let seq = 0
  const stamp = (event: RunEvent): readonly StampedEvent[] => {
    const stamped = { ...event, seq: seq++, at: Date.now() }
    const problem = log.write(stamped)
    return problem === undefined ? [stamped] : [stamped, { type: 'notice', text: problem, seq: seq++, at: Date.now() }]
  }
  for (;;) {
    const step = await events.next()
    if (step.done) return step.value
    yield* stamp(step.value)
    if (step.value.type === 'run.started') for (const text of notices) yield* stamp({ type: 'notice', text })
  }
}

function limitsOf({ limits }: Settings): PolicyLimits {
  const checks = {
    'check.syntax': limits.attempts,
    'check.types': limits.attempts,
    'check.lint': limits.attempts,
    'check.tests': limits.attempts,
  }
  return { ...checks, 'call.unknown-tool': limits.replans, 'provider.transient': limits.transientTries }
}
