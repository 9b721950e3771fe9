import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PACKAGE_DIR } from '../../src/compose/package-dir.ts'
import { openPorts } from '../../src/compose/ports.ts'
import { settingsOf } from '../../src/compose/settings.ts'
import type { RunEvent } from '../../src/core/event.ts'
import { canonicalJson, type Json } from '../../src/core/json.ts'
import type { Usage } from '../../src/core/message.ts'
import type { Ports, ToolRunner, Validator } from '../../src/core/ports.ts'
import { type CheckPlan, NO_NEWS } from '../../src/core/verdict.ts'
import { openEditor } from '../../src/editor/recovery.ts'
import { locateState } from '../../src/editor/state-dir.ts'
import { POLICY } from '../../src/failure/policy.ts'
import { loadPrompts } from '../../src/lib/prompts.ts'
import { type RunInput, run } from '../../src/loop/run.ts'
import { FaultModel, type FaultTally } from '../../src/simulator/fault-model.ts'
import type { WantedSession } from '../../src/simulator/fault-model-session.ts'
import { withoutCandidates } from './guards-arms.ts'

export const ARMS = ['error-text', 'candidates', 'guards'] as const
export type Arm = (typeof ARMS)[number]

export interface Play {
  readonly arm: Arm
  readonly seed: number
  readonly session: WantedSession
  /** A folder with the session's repository, which is copied. */
  readonly template: string
  /** The share of the calls that is got wrong at first. */
  readonly faults: number
  /** Probability that a mistake is repeated, 0 to 1. */
  readonly repeats: number
}

/** What came of one session. */
export interface Played extends FaultTally {
  readonly finished: boolean
  readonly requests: number
  readonly usage: Usage
  readonly failedCalls: number
  /** Failed calls whose tool and arguments are those of a call that had failed before. */
  readonly repeatedCalls: number
  /** What ended a session that did not finish. */
  readonly failure?: string
}

/** Of guessing right where no text names what is right. */
export const GUESSES = 0.5
export const prompts = loadPrompts(path.join(PACKAGE_DIR, 'prompts'))

/** Writes the repository of a session, with one commit. */
export function writeTemplate(session: WantedSession, folder: string): void {
  for (const [name, text] of Object.entries(session.files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd: folder })
}

/** Plays a session through the real loop, tools, snapshots and editor, over a tree of its own. */
export async function play(options: Play): Promise<Played> {
  const base = mkdtempSync(path.join(tmpdir(), 'goatfied-guards-'))
  try {
    const root = path.join(base, 'repository')
    cpSync(options.template, root, { recursive: true })
    return await playIn(root, options)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function playIn(root: string, { arm, seed, session, faults, repeats }: Play): Promise<Played> {
  const model = new FaultModel({
    seed,
    session,
    faults,
    repeats,
    guesses: GUESSES,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
  })
  const state = await locateState(root)
  const editor = await openEditor({ ...state, runId: 'bench' })
  const { settings } = settingsOf({ root, env: { HOME: path.join(root, '..') }, flags: {}, cwd: root })
  const person = { approve: async () => ({ allowed: false, by: 'settings' as const }) }
  const models = { plan: model, edit: model, repair: model }
  const logDir = path.join(state.stateDir, 'log')
  mkdirSync(logDir, { recursive: true })
  const ports = openPorts({ root, settings, editor, models, person, prompts, logDir, secrets: [] })
  const input: RunInput = {
    runId: 'bench',
    runLog: '',
    version: '0.0.0',
    root,
    task: { text: session.task },
    settings: {
      // Without a limit that the arms without guards would reach before the policy ends them.
      maxTurns: session.calls.length * 20 + 20,
      maxAttempts: settings.limits.attempts,
      maxReplans: settings.limits.replans,
      maxOutputTokens: settings.maxOutputTokens,
      contextTokens: settings.contextTokens,
      prices: {},
      requireProof: false,
      guards: arm === 'guards',
    },
    shownSettings: {},
    policy: POLICY,
    prompts,
    instructions: '',
  }
  const events = run(input, adapted(ports, arm), new AbortController().signal)
  const counter = new CallCounter()
  for (;;) {
    const step = await events.next()
    if (!step.done) {
      counter.see(step.value)
      continue
    }
    const { status, totals, summary } = step.value
    await editor.close()
    const { failed, repeated } = counter
    return {
      ...model.tally,
      finished: status === 'validated',
      requests: totals.requests,
      usage: totals.usage,
      failedCalls: failed,
      repeatedCalls: repeated,
      ...(status === 'validated' ? {} : { failure: summary }),
    }
  }
}

/** Every check passes at once: calls are measured here, not checks. */
function adapted(ports: Ports, arm: Arm): Ports {
  const tools: ToolRunner = arm === 'error-text' ? withoutCandidates(ports.tools) : ports.tools
  const workspace: Ports['workspace'] = {
    facts: async (task) => ({ ...(await ports.workspace.facts(task)), checks: [CHECK] }),
  }
  return { ...ports, tools, workspace, validator: PASSES }
}

const CHECK: CheckPlan = { id: 'bench', kind: 'tests', tool: 'bench', command: 'true', cwd: '.' }
const RESULT = { check: CHECK, status: 'passed', diagnostics: [], tests: [], ms: 0, output: '' } as const
const PASSES: Validator = {
  // biome-ignore lint/correctness/useYield: there is nothing to tell of a check that takes no time.
  async *baseline() {
    return { results: [RESULT] }
  },
  // biome-ignore lint/correctness/useYield: as above.
  async *validate() {
    return { ...NO_NEWS, status: 'pass', results: [RESULT] }
  },
}

/** Counts failed calls, and those that are the same as one that had failed before. */
class CallCounter {
  failed = 0
  repeated = 0
  readonly #started = new Map<string, string>()
  readonly #failed = new Set<string>()

  see(event: RunEvent): void {
    if (event.type === 'call.started') {
      const { id, name, input } = event.call
      this.#started.set(id, `${name} ${input.parsed ? canonicalJson(input.value as Json) : input.raw}`)
    }
    if (event.type !== 'call.failed' || event.failure.kind === 'call.skipped') return
    const call = this.#started.get(event.callId) ?? event.callId
    this.failed += 1
    this.repeated += this.#failed.has(call) ? 1 : 0
    this.#failed.add(call)
  }
}
