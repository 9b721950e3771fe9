import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { LoadedSettings } from '../config/load.ts'
import type { Settings } from '../config/schema.ts'
import type { RunEvent, StampedEvent } from '../core/event.ts'
import { EXIT, type RunResult } from '../core/outcome.ts'
import type { Person, Ports } from '../core/ports.ts'
import type { Prompts } from '../core/prompts.ts'
import { UserError } from '../core/user-error.ts'
import { expireRuns } from '../editor/expire.ts'
import { lockTree } from '../editor/lock.ts'
import { openEditor } from '../editor/recovery.ts'
import { locateState } from '../editor/state-dir.ts'
import { POLICY, type PolicyLimits, withLimits } from '../failure/policy.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { run } from '../loop/run.ts'
import prices from '../model/prices.json' with { type: 'json' }
import { newRunId, RUN_ID_PATTERN } from '../runlog/run-id.ts'
import { openRunLog } from '../runlog/write.ts'
import { readInstructions } from '../workspace/instructions.ts'
import { asUserError, giveBack, giveBackInterrupted, heldBy } from './give-back.ts'
import { type Access, accessOf, modelNames, NO_ACCESS, openModels, requirePrices } from './models.ts'
import { PACKAGE_DIR } from './package-dir.ts'
import { openPorts } from './ports.ts'
import { rootOf, settingsOf, type Where } from './settings.ts'

export interface RunRequest extends Where {
  readonly task: string
  readonly requireProof: boolean
  /** A file to which every request and answer is written; it must be new. */
  readonly record?: string
  /** Such a file, which answers in the models' place. */
  readonly replay?: string
  /** Told of what went wrong beside the run, after it. */
  readonly onProblem: (text: string) => void
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
  const access = request.replay === undefined ? accessOf(loaded, env) : NO_ACCESS
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
    const prompts = loadPrompts(path.join(PACKAGE_DIR, 'prompts'))
    const tape = await openTape(request, loaded, access, prompts)
    const editor = await openEditor({ ...state, runId })
    const { models } = tape
    let ended = false
    try {
      if (settings.timeouts.run !== undefined) request.onTimeLimit(settings.timeouts.run)
      const { secrets } = access
      const logDir = path.dirname(log.path)
      const ports = openPorts({ root, settings, editor, models, person, prompts, logDir, secrets })
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
          guards: true,
          requireProof: request.requireProof,
        },
        shownSettings: { ...settings },
        policy: withLimits(POLICY, limitsOf(settings)),
        prompts,
        instructions: await readInstructions(root, realpathSync(cwd)),
      }
      const result = yield* logged(run(input, ports, signal), log, notices)
      // A run whose tree could not be given back stays open, so that the next start tries again.
      if (result.failure?.kind !== 'internal.restore') await editor.close()
      ended = true
      await expireRuns({ ...state, keep: settings.keepRuns, named: RUN_ID_PATTERN }).catch((error: Error) =>
        request.onProblem(`Old runs could not be removed: ${error.message}.`),
      )
      return result
    } finally {
      log.close()
      const problem = tape.close()
      if (problem !== undefined) request.onProblem(problem)
      // Whoever consumes the events has failed or gone: the tree must not stay half-edited.
      if (!ended) await giveBack(state.stateDir, runId)
    }
  } finally {
    await lock.release()
  }
}

interface Tape {
  readonly models: Ports['models']
  /** Gives what kept the answers from being recorded. */
  close(): string | undefined
}

/** The models of the run: as they are, with a recorder around them, or played from what was recorded. */
async function openTape(
  request: RunRequest,
  { settings }: LoadedSettings,
  access: Access,
  prompts: Prompts,
): Promise<Tape> {
  const { record, replay, version } = request
  // Few runs have to do with cassettes: the others start sooner without what belongs to them.
  const models =
    replay === undefined
      ? await openModels(settings, access, prompts)
      : await (await import('./cassettes.ts')).replayed(replay, modelNames(settings))
  if (record === undefined) return { models, close: () => undefined }
  const { recorded } = await import('./cassettes.ts')
  return recorded(models, { file: record, version, secrets: access.secrets })
}

/** Numbers, dates and logs each event before it is passed on, so that what announces an act is on disk before the act. */
async function* logged(
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
  const edits = {
    'edit.no-match': limits.editRetries,
    'edit.ambiguous': limits.editRetries,
    'edit.stale': limits.editRetries,
    'edit.out-of-scope': limits.editRetries,
    'edit.syntax': limits.editRetries,
  }
  return {
    ...checks,
    ...edits,
    'call.unknown-tool': limits.replans,
    'call.invalid-arguments': limits.argumentRetries,
    'call.truncated': limits.cutRetries,
    'target.not-found': limits.targetRetries,
    'provider.transient': limits.transientTries,
  }
}
