import { realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Flags } from './config/layers.ts'
import { type ApiKeys, loadSettings, userSettingsPath } from './config/load.ts'
import type { Settings } from './config/schema.ts'
import type { RunEvent, StampedEvent } from './core/event.ts'
import { FailureError } from './core/failure.ts'
import { EXIT, type RunResult } from './core/outcome.ts'
import type { Model, Person, Ports } from './core/ports.ts'
import type { Prompts } from './core/prompts.ts'
import { UserError } from './core/user-error.ts'
import { CHECK_KINDS } from './core/verdict.ts'
import { applyEdits } from './editor/apply.ts'
import { type LockHolder, lockTree } from './editor/lock.ts'
import { openEditor } from './editor/recovery.ts'
import { locateState } from './editor/state-dir.ts'
import { describe } from './failure/describe.ts'
import { POLICY, type PolicyLimits, withLimits } from './failure/policy.ts'
import { giveBack, giveBackInterrupted, giveBackUnlessBusy } from './give-back.ts'
import { loadPrompts } from './lib/prompts.ts'
import { attemptName } from './loop/edit.ts'
import { run } from './loop/run.ts'
import { DEFAULT_RETRY, retrying } from './model/retrying.ts'
import { newRunId } from './runlog/run-id.ts'
import { openRunLog } from './runlog/write.ts'
import { createToolRunner } from './tools/runner.ts'
import { createValidator } from './validator/validator.ts'
import { createWorkspace } from './workspace/facts.ts'
import { createPathIndex } from './workspace/path-index.ts'
import { findRoot } from './workspace/root.ts'

/** The package's own folder: `prompts/` and `fixtures/` are beside the bundle as beside the source. */
export const PACKAGE_DIR = path.resolve(fileURLToPath(import.meta.url), '../..')

export interface RunRequest {
  readonly task: string
  readonly cwd: string
  readonly flags: Flags
  readonly env: Readonly<Record<string, string | undefined>>
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
  const root = realpathSync(findRoot(cwd))
  const { settings, apiKeys } = settingsOf({ root, env, flags, cwd })
  const key = requireKey(settings, apiKeys, env)
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
      secrets: [key],
    })
    if (!opened.ok) throw new UserError(opened.problem, EXIT.configuration)
    const { log } = opened
    const [editor, models] = await Promise.all([openEditor({ ...state, runId }), openModels(settings, key)])
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
          requireProof: request.requireProof,
        },
        shownSettings: { ...settings },
        policy: withLimits(POLICY, limitsOf(settings)),
        prompts,
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

function asUserError(thrown: unknown): never {
  if (thrown instanceof FailureError) throw new UserError(describe(thrown.failure), EXIT.gaveUp)
  throw thrown
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

function settingsOf(where: { root: string; env: RunRequest['env']; flags: Flags; cwd: string }): {
  settings: Settings
  apiKeys: ApiKeys
} {
  const loaded = loadSettings(where)
  if (!loaded.ok) throw new UserError(loaded.problem, EXIT.configuration)
  return loaded
}

function requireKey(settings: Settings, apiKeys: ApiKeys, env: RunRequest['env']): string {
  const key = apiKeys.anthropic
  if (key !== undefined) return key
  const file = userSettingsPath(env, env.HOME) ?? 'your settings file'
  throw new UserError(
    `No API key for ${settings.model}: set the environment variable ANTHROPIC_API_KEY, or "apiKeys": { "anthropic": "..." } in ${file}.`,
    EXIT.credentials,
  )
}

/** One model a role; roles that name the same share it. The SDK is loaded here and not before. */
async function openModels(settings: Settings, apiKey: string): Promise<Ports['models']> {
  const { createAnthropicModel } = await import('./model/anthropic.ts')
  const made = new Map<string, Promise<Model>>()
  const open = (id: string): Promise<Model> => {
    const known = made.get(id)
    if (known !== undefined) return known
    const model = id.slice(id.indexOf('/') + 1)
    const opening = createAnthropicModel({ model, apiKey, baseUrl: settings.baseUrl, idleMs: settings.timeouts.idle })
    const patient = opening.then((one) => retrying(one, { ...DEFAULT_RETRY, tries: settings.limits.transientTries }))
    made.set(id, patient)
    return patient
  }
  const [plan, edit, repair] = await Promise.all([
    open(settings.models.plan ?? settings.model),
    open(settings.models.edit ?? settings.model),
    open(settings.models.repair ?? settings.models.edit ?? settings.model),
  ])
  return { plan, edit, repair }
}

interface PortsInput {
  readonly root: string
  readonly settings: Settings
  readonly editor: Awaited<ReturnType<typeof openEditor>>
  readonly models: Ports['models']
  readonly person: Person
  readonly prompts: Prompts
  readonly logDir: string
}

function openPorts({ root, settings, editor, models, person, prompts, logDir }: PortsInput): Ports {
  const { tree, snapshots } = editor
  const index = createPathIndex(root)
  const validator = createValidator({
    root,
    observe: tree.observe.bind(tree),
    logDir: path.join(logDir, 'checks'),
    deadlineMs: settings.timeouts.check,
    kinds: CHECK_KINDS.filter((kind) => settings.checks[kind]),
  })
  const tools = createToolRunner({
    root,
    prompts,
    tree,
    index,
    applyEdits,
    resumeAttempt: (attempt) => snapshots.reapply(attemptName(attempt)),
    approval: settings.approvalMode,
    commandDeadlineMs: settings.timeouts.command,
    commandLog: path.join(logDir, 'commands.log'),
  })
  const workspace = createWorkspace(root, index, () => validator.checks())
  return { models, tools, snapshots, validator, workspace, person, clock: { now: Date.now, sleep: (ms) => sleep(ms) } }
}

/** Where the run logs of the repository around `cwd` are. */
export async function runsDirOf(where: {
  readonly cwd: string
  readonly env: RunRequest['env']
  readonly flags: Flags
}): Promise<string> {
  const root = realpathSync(findRoot(where.cwd))
  const { settings } = settingsOf({ ...where, root })
  return settings.logDir ?? path.join((await locateState(root)).stateDir, 'runs')
}

/** Gives back what killed runs changed in the tree around `cwd`, unless a run is working there. Tells what was done. */
export async function giveBackKilled(cwd: string): Promise<readonly string[]> {
  const root = realpathSync(findRoot(cwd))
  return giveBackUnlessBusy((await locateState(root)).stateDir, root).catch(asUserError)
}

export { listRuns } from './runlog/list.ts'
export { readRunLog } from './runlog/read.ts'
