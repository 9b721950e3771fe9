import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROVIDERS } from '../core/provider.ts'
import type { Turn } from '../simulator/turn.ts'
import {
  bed,
  type Ended,
  edit,
  type Files,
  finish,
  inTurn,
  PROJECT,
  plan,
  repository,
  stateOf,
  temporaryFolder,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const good = inTurn([plan('src/math.js'), edit('src/math.js', 'a - b', 'a + b'), finish])
const DEFAULT_MODEL = 'anthropic/claude-opus-5-5'

interface Refusal {
  readonly files?: Files
  /** Behind `fix`, the folder being given already. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly exitCode: number
  readonly stderr: string | RegExp
}

/** Before the first event: one message, nothing on stdout, no request, no run. */
const BEFORE: Readonly<Record<string, Refusal>> = {
  'no key': {
    env: { ANTHROPIC_API_KEY: undefined, HOME: '/home/nobody' },
    exitCode: 41,
    stderr: `goatfied: No API key for ${DEFAULT_MODEL}: set the environment variable ANTHROPIC_API_KEY, or "apiKeys": { "anthropic": "..." } in /home/nobody/.config/goatfied/config.json.\n`,
  },
  'settings that are not JSON': {
    files: { '.goatfiedrc.json': '{\n  "limits": {\n    "turns": 5,\n    "attempts" 3\n  }\n}\n' },
    exitCode: 52,
    // The reason is in the words of V8, whose versions differ.
    stderr: /^goatfied: \.goatfiedrc\.json:4:16: not valid JSON: [^\n]+\.\n$/,
  },
  'an unknown setting': {
    files: { '.goatfiedrc.json': '{ "modle": "anthropic/claude-opus-5-5" }' },
    exitCode: 52,
    stderr:
      'goatfied: .goatfiedrc.json: unknown setting "modle". Did you mean "model"? Known settings: model, models, baseUrl, limits, budgetUsd, contextTokens, maxOutputTokens, timeouts, approvalMode, checks, keepRuns, logDir.\n',
  },
  'a setting of the wrong type': {
    files: { '.goatfiedrc.json': '{ "limits": { "turns": "many" } }' },
    exitCode: 52,
    stderr: 'goatfied: .goatfiedrc.json: "limits.turns" is "many"; expected a whole number from 1 to 10000.\n',
  },
  'an unknown provider': {
    files: { '.goatfiedrc.json': '{ "model": "acme/rocket-1" }' },
    exitCode: 52,
    stderr: `goatfied: .goatfiedrc.json: "model" is "acme/rocket-1"; expected provider/model, where provider is one of: ${PROVIDERS.map(({ id }) => id).join(', ')} (for instance anthropic/claude-opus-5-5).\n`,
  },
  'an unknown flag': {
    args: [TASK, '--modle', 'x'],
    exitCode: 2,
    stderr: "error: unknown option '--modle'\n(Did you mean --model?)\n",
  },
  'no task': { args: [], exitCode: 2, stderr: "error: missing required argument 'task'\n" },
  'an empty task': {
    args: ['  '],
    exitCode: 2,
    stderr: "error: command-argument value '  ' is invalid for argument 'task'. Say in words what to do.\n",
  },
  'a task in several words': {
    args: ['mend', 'it'],
    exitCode: 2,
    stderr: "error: too many arguments for 'fix'. Expected 1 argument but got 2.\n",
  },
  'flags that contradict each other': {
    args: [TASK, '--yes', '--approval-mode', 'default'],
    exitCode: 2,
    stderr: 'goatfied: --yes and --approval-mode default contradict each other.\n',
  },
  'a limit that is none': {
    args: [TASK, '--max-turns', 'few'],
    exitCode: 2,
    stderr: 'goatfied: --max-turns is "few"; expected a whole number from 1 to 10000.\n',
  },
}

it.each(Object.entries(BEFORE))('%s: refused before anything happens', async (_, refusal) => {
  const root = repository({ ...PROJECT, ...refusal.files })
  const before = stateOf(root)
  const { run, requests } = await bed(good)
  const ended = await run(['fix', ...(refusal.args ?? [TASK]), '-C', root], { env: refusal.env })
  expect({ ...ended, requests: requests.length, state: stateOf(root) }).toEqual({
    exitCode: refusal.exitCode,
    signal: null,
    stdout: '',
    stderr: typeof refusal.stderr === 'string' ? refusal.stderr : expect.stringMatching(refusal.stderr),
    requests: 0,
    state: before,
  })
})

it('a folder that is none, or no project, is refused', async () => {
  const { run } = await bed(good)
  const empty = temporaryFolder('empty')
  const file = path.join(empty, 'file')
  writeFileSync(file, '')
  const missing = path.join(empty, 'missing')
  const told = async (cwd: string) => {
    const { exitCode, stdout, stderr } = await run(['fix', TASK, '-C', cwd])
    return [exitCode, stdout, stderr]
  }
  expect(await told(missing)).toEqual([2, '', `goatfied: ${missing} is not a folder.\n`])
  expect(await told(file)).toEqual([2, '', `goatfied: ${file} is not a folder.\n`])
  expect(await told(empty)).toEqual([
    2,
    '',
    `goatfied: ${empty} is not a git repository and has no package.json: run goatfied in a project, or name one with -C.\n`,
  ])
  const bare = repository({ 'readme.md': 'no package' })
  expect(await told(bare)).toEqual([
    2,
    '',
    `goatfied: ${bare} has no package.json: goatfied needs one to find the project's checks. Name the package's folder with -C.\n`,
  ])
})

it('a log folder that can not be written is refused', async () => {
  const root = repository(PROJECT)
  const before = stateOf(root)
  const blocked = path.join(temporaryFolder('logs'), 'file')
  writeFileSync(blocked, '')
  const { run, requests } = await bed(good)
  const ended = await run(['fix', TASK, '-C', root, '--log-dir', path.join(blocked, 'logs')])
  expect([ended.exitCode, ended.stdout, requests.length, stateOf(root)]).toEqual([52, '', 0, before])
  expect(ended.stderr).toMatch(
    /^goatfied: The run log .* can't be written \(.*\)\. Choose another folder with --log-dir\.\n$/,
  )
})

interface Stop {
  readonly files?: Files
  readonly args?: readonly string[]
  readonly turn?: Turn
  readonly exitCode: number
  readonly summary: RegExp
  readonly requests: number
}

const status = (code: number, message: string): Turn => ({ fault: { status: code, message } })

/** Once it runs: the result says what stopped it, the tree is as it was. */
const STOPS: Readonly<Record<string, Stop>> = {
  'a model that the provider does not know': {
    args: ['-m', 'anthropic/claude-nonsense-9'],
    turn: status(404, 'model: claude-nonsense-9'),
    exitCode: 51,
    summary:
      /^the provider rejected the request: model "claude-nonsense-9" is not known there, or the base URL is wrong \(127\.0\.0\.1:\d+ answered 404: model: claude-nonsense-9\)$/,
    requests: 1,
  },
  'a key that is refused': {
    turn: status(401, 'invalid x-api-key'),
    exitCode: 41,
    summary:
      /^the provider refused the credentials: the provider does not accept the API key \(127\.0\.0\.1:\d+ answered 401: invalid x-api-key\)$/,
    requests: 1,
  },
  'overload without end': {
    turn: { fault: { status: 529, message: 'Overloaded', retryAfterMs: 1 } },
    exitCode: 51,
    summary:
      /^the provider kept failing: the provider is overloaded \(127\.0\.0\.1:\d+ answered 529: Overloaded\); gave up after 5 tries$/,
    requests: 5,
  },
  'a check that is not installed': {
    files: { 'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest' } }) },
    exitCode: 54,
    summary: /^a check could not run \(tests\): vitest is not installed: run `npm install`$/,
    requests: 1,
  },
  'a repository without checks': {
    files: { 'package.json': JSON.stringify({ type: 'module' }), 'test/math.test.js': '' },
    exitCode: 54,
    summary:
      /^a check could not run \(checks\): no type check, linter or tests were found, or the settings switch them off: nothing could prove a change$/,
    requests: 0,
  },
  'the time limit': {
    args: ['--timeout', '1s'],
    turn: { fault: { stallAfterHeaders: true } },
    exitCode: 55,
    summary: /^the time limit of 1 s is reached \(--timeout\)$/,
    requests: 1,
  },
  'the limit of requests': {
    args: ['--max-turns', '2'],
    turn: { answer: [{ call: 'readFile', input: { path: 'src/math.js' } }] },
    exitCode: 53,
    summary: /^the limit of 2 requests is reached \(--max-turns\)$/,
    requests: 2,
  },
}

it.each(Object.entries(STOPS))('%s: stopped, told, the tree untouched', async (_, stop) => {
  const root = repository({ ...PROJECT, ...stop.files })
  mkdirSync(path.join(root, 'untracked'))
  writeFileSync(path.join(root, 'untracked/file'), 'mine')
  const before = stateOf(root)
  const { turn } = stop
  const { run, requests } = await bed(turn === undefined ? good : () => turn)
  const ended = await run(['fix', TASK, '-C', root, '--output-format', 'json', ...(stop.args ?? [])])
  const result = JSON.parse(ended.stdout)
  expect([ended.exitCode, result.exitCode, requests.length]).toEqual([stop.exitCode, stop.exitCode, stop.requests])
  expect(result.summary).toMatch(stop.summary)
  expect([result.status, result.changes, stateOf(root)]).toEqual(['stopped', [], before])
  expectNoTrace(ended)
})

function expectNoTrace({ stderr }: Ended): void {
  expect(stderr).not.toMatch(/\n\s+at |node:internal|defect/)
}
