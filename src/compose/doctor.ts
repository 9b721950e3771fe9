import path from 'node:path'
import type { Settings } from '../config/schema.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../core/outcome.ts'
import type { Model } from '../core/ports.ts'
import { type Prompts, prompt } from '../core/prompts.ts'
import { splitModel } from '../core/provider.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { UserError } from '../core/user-error.ts'
import { git } from '../editor/git.ts'
import { describe } from '../failure/describe.ts'
import { loadPrompts } from '../lib/prompts.ts'
import type { Enforcement } from '../model/chat-probe.ts'
import { createValidator } from '../validator/validator.ts'
import { type Access, accessOf, modelNames, openModels } from './models.ts'
import { PACKAGE_DIR } from './package-dir.ts'
import { rootOf, settingsOf, type Where } from './settings.ts'

/** One thing that was looked at. `exitCode` is what a run would end with for it. */
export interface Finding {
  readonly about: string
  readonly status: 'ok' | 'warning' | 'fault'
  readonly text: string
  readonly exitCode?: ExitCode
}

/** How long the provider may take over its one call. */
const CALL_MS = 60_000
/** No model says it by itself: an answer that keeps to it was held to the schema. */
const NONSENSE = 'zq7-vexil'

/** Looks at everything a run needs, in the order in which a run would trip over it; ends where nothing more can be looked at. */
export async function* examine(where: Where): AsyncGenerator<Finding> {
  yield { about: 'node', status: 'ok', text: process.versions.node }
  const version = await git(['--version'], { cwd: process.cwd() })
  const text = version.ok
    ? version.stdout.toString('utf8').trim()
    : `git can't be run: ${version.reason}; snapshots are byte copies then`
  yield { about: 'git', status: version.ok ? 'ok' : 'warning', text }
  try {
    const root = rootOf(where.cwd)
    yield { about: 'repository', status: 'ok', text: root }
    yield* examineChecks(root)
    const loaded = settingsOf({ ...where, root })
    const set = Object.entries(loaded.sources).filter(([, source]) => source !== 'default')
    const shown = set.map(([key, source]) => `${key} (${source})`).join(', ')
    yield { about: 'settings', status: 'ok', text: shown === '' ? 'defaults' : `set: ${shown}` }
    const access = accessOf(loaded, where.env)
    for (const { provider, baseUrl, apiKey } of access.endpoints.values()) {
      const key = apiKey === '' ? 'no key' : `a key of ${apiKey.length} characters`
      yield { about: 'provider', status: 'ok', text: `${provider.id} at ${shownAddress(baseUrl)}, ${key}` }
    }
    const prompts = loadPrompts(path.join(PACKAGE_DIR, 'prompts'))
    const models = await openModels(loaded.settings, access, prompts)
    const called = await callOnce(models.edit, prompts)
    yield called
    if (called.status !== 'fault') yield* examineEnforcement(loaded.settings, access, prompts)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    yield { about: 'run', status: 'fault', text: error.message, exitCode: error.exitCode }
  }
}

async function* examineChecks(root: string): AsyncGenerator<Finding> {
  const validator = createValidator({ root, observe: async (_, run) => ({ value: await run(), changed: [] }) })
  const checks = await validator.checks()
  for (const { kind, command, cwd } of checks) {
    yield { about: kind, status: 'ok', text: `${command}${cwd === '.' ? '' : ` (in ${cwd})`}` }
  }
  if (checks.length > 0) return
  const text = 'none found: without a type check, linter or tests nothing can be proven'
  yield { about: 'checks', status: 'fault', text, exitCode: EXIT.unavailable }
}

/** Without what may be a secret in it. */
function shownAddress(baseUrl: string | undefined): string {
  return baseUrl === undefined ? 'this machine' : baseUrl.replace(/[?#].*$/s, '')
}

/** What servers of Chat Completions hold a model to differs from one to the next; it decides how a mistake is corrected. */
async function* examineEnforcement(settings: Settings, access: Access, prompts: Prompts): AsyncGenerator<Finding> {
  const { edit } = modelNames(settings)
  const { provider, model } = splitModel(edit) ?? {}
  const { baseUrl, apiKey } = access.endpoints.get(provider?.id ?? '') ?? {}
  if (provider?.api !== 'chat-completions' || model === undefined || baseUrl === undefined) return
  const { chatEnforcement } = await import('../model/chat-completions.ts')
  const options = {
    provider: provider.id,
    model,
    baseUrl,
    apiKey: apiKey ?? '',
    idleMs: settings.timeouts.idle,
    prompts,
  }
  const enforcement = await chatEnforcement(options, AbortSignal.timeout(CALL_MS))
  const about = 'enforcement'
  if (!enforcement.ok) yield { about, status: 'warning', text: `not known: ${describe(enforcement.failure)}` }
  else yield { about, status: enforcement.value === 'nothing' ? 'warning' : 'ok', text: ENFORCED[enforcement.value] }
}

const ENFORCED: Readonly<Record<Enforcement, string>> = {
  tool: "the schema of a tool binds the model's call while it is made",
  'response-format':
    'a response format binds the answer, the schema of a tool does not: corrections are asked for by format',
  nothing: 'nothing binds the model: guards rely on the check before a call runs',
}

/** One small call: is the key right, does the endpoint answer, and does it hold the model to a schema? */
async function callOnce(model: Model, prompts: Prompts): Promise<Finding> {
  const tool: ToolDefinition = {
    name: 'choose',
    description: prompt(prompts, 'doctor-tool'),
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { choice: { enum: [NONSENSE] } },
      required: ['choice'],
      additionalProperties: false,
    },
    argumentKinds: {},
    strict: true,
  }
  const opening = { role: 'user', content: [{ type: 'text', text: prompt(prompts, 'doctor') }] } as const
  const request = {
    role: 'repair',
    system: prompt(prompts, 'doctor-system'),
    tools: [tool],
    messages: [opening],
    maxOutputTokens: 1_024,
  } as const
  const answering = model.answer(request, AbortSignal.timeout(CALL_MS))
  let step = await answering.next()
  while (!step.done) step = await answering.next()
  const about = 'model'
  if (!step.value.ok) {
    const { failure } = step.value
    return { about, status: 'fault', text: `${model.id}: ${describe(failure)}`, exitCode: exitCodeOf(failure) }
  }
  const block = step.value.value.content.find((one) => one.type === 'call')
  const input = block?.type === 'call' && block.call.input.parsed ? block.call.input.value : undefined
  const held = input?.choice === NONSENSE
  const text = held
    ? 'answers, and keeps to the schema'
    : `answers, but ${input === undefined ? 'made no call' : 'leaves the schema'}: guards rely on the check before a call runs`
  return { about, status: held ? 'ok' : 'warning', text: `${model.id} ${text}` }
}
