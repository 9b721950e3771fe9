import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROVIDERS } from '../core/provider.ts'
import { loadSettings, type SettingsRequest } from './load.ts'

const RETRIES = { argumentRetries: 1, targetRetries: 1, editRetries: 2, cutRetries: 2 }

const DEFAULTS = {
  model: 'anthropic/claude-opus-5-5',
  models: {},
  limits: { attempts: 3, ...RETRIES, replans: 3, turns: 60, transientTries: 5 },
  contextTokens: 180_000,
  maxOutputTokens: 32_000,
  timeouts: { check: 600_000, command: 120_000, idle: 90_000 },
  approvalMode: 'default',
  checks: { types: true, lint: true, tests: true },
  keepRuns: 50,
}
const DEFAULT_SOURCES = {
  model: 'default',
  'models.plan': 'default',
  'models.edit': 'default',
  'models.repair': 'default',
  'models.escalate': 'default',
  baseUrl: 'default',
  'limits.attempts': 'default',
  'limits.argumentRetries': 'default',
  'limits.targetRetries': 'default',
  'limits.editRetries': 'default',
  'limits.cutRetries': 'default',
  'limits.replans': 'default',
  'limits.turns': 'default',
  'limits.transientTries': 'default',
  budgetUsd: 'default',
  contextTokens: 'default',
  maxOutputTokens: 'default',
  'timeouts.run': 'default',
  'timeouts.check': 'default',
  'timeouts.command': 'default',
  'timeouts.idle': 'default',
  approvalMode: 'default',
  'checks.types': 'default',
  'checks.lint': 'default',
  'checks.tests': 'default',
  keepRuns: 'default',
  logDir: 'default',
}

let base: string
let home: string
let root: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'goatfied-config-'))
  home = path.join(base, 'home')
  root = path.join(base, 'repository')
  mkdirSync(path.join(home, '.config/goatfied'), { recursive: true })
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const userPath = (): string => path.join(home, '.config/goatfied/config.json')
const writeUser = (text: string): void => writeFileSync(userPath(), text)
const writeRepository = (text: string): void => writeFileSync(path.join(root, '.goatfiedrc.json'), text)
const load = (request: Partial<SettingsRequest> = {}) =>
  loadSettings({ root, home, cwd: base, env: {}, flags: {}, ...request })
const problem = (request: Partial<SettingsRequest> = {}): string => {
  const loaded = load(request)
  return loaded.ok ? 'no problem' : loaded.problem
}

test('without files, variables and flags the defaults hold', () => {
  expect(load()).toEqual({ ok: true, settings: DEFAULTS, apiKeys: {}, sources: DEFAULT_SOURCES })
})

test('each source overrides the one below it, setting by setting', () => {
  writeUser('{ "model": "anthropic/user", "limits": { "attempts": 4, "replans": 4, "turns": 4, "transientTries": 4 } }')
  writeRepository('{ "limits": { "replans": 5, "turns": 5, "transientTries": 5 } }')
  const env = { GOATFIED_LIMITS_TURNS: '6', GOATFIED_LIMITS_TRANSIENT_TRIES: '6', GOATFIED_TIMEOUTS_RUN: '1h30m' }
  expect(load({ env, flags: { 'limits.transientTries': 7, approvalMode: 'yolo' } })).toEqual({
    ok: true,
    settings: {
      ...DEFAULTS,
      model: 'anthropic/user',
      limits: { attempts: 4, ...RETRIES, replans: 5, turns: 6, transientTries: 7 },
      timeouts: { ...DEFAULTS.timeouts, run: 5_400_000 },
      approvalMode: 'yolo',
    },
    apiKeys: {},
    sources: {
      ...DEFAULT_SOURCES,
      model: userPath(),
      'limits.attempts': userPath(),
      'limits.replans': '.goatfiedrc.json',
      'limits.turns': 'GOATFIED_LIMITS_TURNS',
      'limits.transientTries': 'limits.transientTries',
      'timeouts.run': 'GOATFIED_TIMEOUTS_RUN',
      approvalMode: '--approval-mode',
    },
  })
})

test('comments, trailing commas, a byte order mark and $schema are accepted', () => {
  writeRepository('\uFEFF{\n  // who checks\n  "$schema": "x.json",\n  "checks": { "lint": false, }, /* done */\n}\n')
  expect(load()).toEqual({
    ok: true,
    settings: { ...DEFAULTS, checks: { types: true, lint: false, tests: true } },
    apiKeys: {},
    sources: { ...DEFAULT_SOURCES, 'checks.lint': '.goatfiedrc.json' },
  })
})

test('XDG_CONFIG_HOME moves the user file, unless it is relative', () => {
  const elsewhere = path.join(base, 'xdg')
  mkdirSync(path.join(elsewhere, 'goatfied'), { recursive: true })
  writeFileSync(path.join(elsewhere, 'goatfied/config.json'), '{ "limits": { "turns": 8 } }')
  writeUser('{ "limits": { "turns": 9 } }')
  expect(load({ env: { XDG_CONFIG_HOME: elsewhere } })).toMatchObject({ settings: { limits: { turns: 8 } } })
  expect(load({ env: { XDG_CONFIG_HOME: 'xdg' } })).toMatchObject({ settings: { limits: { turns: 9 } } })
})

test.each([
  [
    '{\n  "model": "anthropic/x"\n  "limits": {}\n}',
    ".goatfiedrc.json:3:3: not valid JSON: Expected ',' or '}' after property value.",
  ],
  ['{\n  "checks": { "lint": nope }\n}', ".goatfiedrc.json:2:24: not valid JSON: Unexpected token 'o'."],
  [
    '// a comment\n{ "model": "anthropic/x"',
    ".goatfiedrc.json:2:25: not valid JSON: Expected ',' or '}' after property value.",
  ],
  ['', '.goatfiedrc.json:1:1: not valid JSON: Unexpected end of JSON input.'],
  ['[1]', '.goatfiedrc.json: expected an object with settings, { … }.'],
])('a syntax error says line and column: %j', (text, message) => {
  writeRepository(text)
  expect(problem()).toBe(message)
})

test('every fault of every source is named with what is allowed', () => {
  writeUser('{ "limits": { "attempt": 3 }, "model": "acme/gpt" }')
  writeRepository('{ "modle": "anthropic/x", "checks": true, "timeouts": { "check": 0 }, "__proto__": {} }')
  const env = { GOATFIED_MODLE: 'anthropic/x', GOATFIED_CHECKS_TESTS: 'maybe', GOATFIED_COLOR: '1' }
  const known =
    'model, models, baseUrl, limits, budgetUsd, contextTokens, maxOutputTokens, timeouts, approvalMode, checks, keepRuns, logDir'
  const duration = 'a duration with its unit, such as "90s", "10m" or "1h30m" (a bare number in a file is milliseconds)'
  expect(problem({ env, flags: { 'limits.attempts': '0', 'timeouts.run': '600' } }).split('\n')).toEqual([
    `${userPath()}: unknown setting "limits.attempt". Did you mean "attempts"? Known in "limits": attempts, argumentRetries, targetRetries, editRetries, cutRetries, replans, turns, transientTries.`,
    `${userPath()}: "model" is "acme/gpt"; expected provider/model, where provider is one of: ${PROVIDERS.map(({ id }) => id).join(', ')} (for instance anthropic/claude-opus-5-5).`,
    `.goatfiedrc.json: unknown setting "modle". Did you mean "model"? Known settings: ${known}.`,
    '.goatfiedrc.json: "checks" is true; expected an object with: types, lint, tests.',
    `.goatfiedrc.json: "timeouts.check" is 0; expected ${duration}.`,
    `.goatfiedrc.json: unknown setting "__proto__". Known settings: ${known}.`,
    'GOATFIED_MODLE is not a variable that Goatfied knows. Did you mean "GOATFIED_MODEL"?',
    'GOATFIED_CHECKS_TESTS is "maybe"; expected true or false.',
    'GOATFIED_COLOR is not a variable that Goatfied knows.',
    '--max-attempts is "0"; expected a whole number from 1 to 100.',
    `--timeout is "600"; expected ${duration}.`,
  ])
})

test('a repository sets neither address nor keys nor consent nor log folder (B104)', () => {
  writeRepository(
    '{ "baseUrl": "https://x.test", "apiKeys": { "anthropic": "k" }, "approvalMode": "yolo", "logDir": "/etc" }',
  )
  const elsewhere = 'Set it in your own file, in the environment or by a flag.'
  expect(problem().split('\n')).toEqual([
    `.goatfiedrc.json: "baseUrl" can't be set here: a repository could have your API key sent to an address of its choice. ${elsewhere}`,
    `.goatfiedrc.json: "apiKeys" can't be set here: keys don't belong into a repository.`,
    `.goatfiedrc.json: "approvalMode" can't be set here: a repository could run commands on your machine without asking you. ${elsewhere}`,
    `.goatfiedrc.json: "logDir" can't be set here: a repository could have files written anywhere on your machine. ${elsewhere}`,
  ])
})

test('the base URL comes from the flag, then our variable, then the user file', () => {
  const baseUrl = (request: Partial<SettingsRequest>): unknown => {
    const loaded = load(request)
    return loaded.ok ? [loaded.settings.baseUrl, loaded.sources.baseUrl] : loaded.problem
  }
  writeUser('{ "baseUrl": "http://user.test" }')
  const env = { GOATFIED_BASE_URL: 'http://ours.test' }
  expect(baseUrl({})).toEqual(['http://user.test', userPath()])
  expect(baseUrl({ env: { ...env, GOATFIED_BASE_URL: '' } })).toEqual(['http://user.test', userPath()])
  expect(baseUrl({ env })).toEqual(['http://ours.test', 'GOATFIED_BASE_URL'])
  expect(baseUrl({ env, flags: { baseUrl: 'http://flag.test' } })).toEqual(['http://flag.test', '--base-url'])
  expect(baseUrl({ flags: { baseUrl: 'ftp://x' } })).toBe(
    '--base-url is "ftp://x"; expected an address that starts with http:// or https://.',
  )
})

const known = 'anthropic, openai, openrouter, deepseek, groq, gemini, compatible'

test('keys come from the environment, then from the user file, and messages never show one', () => {
  writeUser('{ "apiKeys": { "anthropic": "from-file" } }')
  expect(load()).toMatchObject({ ok: true, apiKeys: { anthropic: 'from-file' } })
  expect(load({ env: { ANTHROPIC_API_KEY: ' from-environment\n' } })).toMatchObject({
    ok: true,
    apiKeys: { anthropic: 'from-environment' },
  })
  expect(problem({ env: { ANTHROPIC_API_KEY: 'two words' } })).toBe(
    'ANTHROPIC_API_KEY is not a key: expected printable characters without blanks.',
  )
  writeUser('{ "apiKeys": { "anthropic": 5, "acme": "secret" } }')
  expect(problem().split('\n')).toEqual([
    `${userPath()}: unknown provider "acme" in "apiKeys". Known: ${known}.`,
    `${userPath()}: "apiKeys.anthropic" is not a key: expected printable characters without blanks.`,
  ])
  writeUser('{ "apiKeys": "secret" }')
  expect(problem()).toBe(`${userPath()}: "apiKeys" must be an object with: ${known}.`)
})

test('log folders start at the folder of what names them, and ~ is the home folder', () => {
  const logDir = (request: Partial<SettingsRequest>): unknown => {
    const loaded = load(request)
    return loaded.ok ? loaded.settings.logDir : loaded.problem
  }
  expect(logDir({ flags: { logDir: 'logs' } })).toBe(path.join(base, 'logs'))
  expect(logDir({ env: { GOATFIED_LOG_DIR: '~/logs' } })).toBe(path.join(home, 'logs'))
  writeUser('{ "logDir": "logs" }')
  expect(logDir({})).toBe(path.join(home, '.config/goatfied/logs'))
})

test('what is not a readable file is a problem, not a hang', () => {
  symlinkSync('/dev/zero', path.join(root, '.goatfiedrc.json'))
  expect(problem()).toBe('.goatfiedrc.json: not a file. Remove it.')
})

test('a home folder that is a file counts as having no settings', () => {
  writeFileSync(path.join(base, 'file'), '')
  expect(load({ home: path.join(base, 'file') })).toEqual({
    ok: true,
    settings: DEFAULTS,
    apiKeys: {},
    sources: DEFAULT_SOURCES,
  })
})
