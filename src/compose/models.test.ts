import { expect, it } from 'vitest'
import type { Flags } from '../config/layers.ts'
import { type LoadedSettings, loadSettings } from '../config/load.ts'
import { accessOf } from './models.ts'

const KEYS = { ANTHROPIC_API_KEY: 'key-a', OPENAI_API_KEY: 'key-o' }

function access(flags: Flags, env: Record<string, string> = KEYS) {
  const loaded = loadSettings({ root: '/nowhere', env, flags, home: '/nowhere' })
  if (!loaded.ok) throw new Error(loaded.problem)
  return told(loaded, env)
}
const told = (loaded: LoadedSettings, env: Record<string, string>) =>
  [...accessOf(loaded, env).endpoints.values()].map(({ provider, baseUrl, apiKey }) => [provider.id, baseUrl, apiKey])

it('finds address and key of every provider in use, and of no other', () => {
  expect([
    access({}),
    access({ model: 'openai/gpt-6', 'models.repair': 'ollama/qwen' }),
    access({ model: 'gguf//models/a.gguf' }, {}),
  ]).toEqual([
    [['anthropic', 'https://api.anthropic.com', 'key-a']],
    [
      ['openai', 'https://api.openai.com/v1', 'key-o'],
      ['ollama', 'http://127.0.0.1:11434/v1', ''],
    ],
    [['gguf', undefined, '']],
  ])
})

it('gives an address to the main model’s provider alone: no other key may go there', () => {
  expect(
    access({ model: 'openai/gpt-6', 'models.repair': 'anthropic/claude-haiku-5-5', baseUrl: 'http://mine.test' }),
  ).toEqual([
    ['openai', 'http://mine.test', 'key-o'],
    ['anthropic', 'https://api.anthropic.com', 'key-a'],
  ])
})

it('takes the address from flag or own variable, then the provider’s variable, then the user’s file', () => {
  const env = { ...KEYS, ANTHROPIC_BASE_URL: 'http://provider.test' }
  const fromFile = (): LoadedSettings => {
    const loaded = loadSettings({ root: '/nowhere', env, flags: {}, home: '/nowhere' })
    if (!loaded.ok) throw new Error(loaded.problem)
    const settings = { ...loaded.settings, baseUrl: 'http://file.test' }
    return { ...loaded, settings, sources: { ...loaded.sources, baseUrl: '/home/me/config.json' } }
  }
  expect(
    [
      access({ baseUrl: 'http://flag.test' }, env),
      access({}, { ...env, GOATFIED_BASE_URL: 'http://ours.test' }),
      told(fromFile(), env),
      told(fromFile(), KEYS),
    ].map(([one]) => one?.[1]),
  ).toEqual(['http://flag.test', 'http://ours.test', 'http://provider.test', 'http://file.test'])
})

it('says what is missing or wrong, and where to put it', () => {
  const faults: readonly (readonly [Flags, Record<string, string>])[] = [
    [{}, { HOME: '/home/me' }],
    [{ model: 'openai/gpt-6' }, { ANTHROPIC_API_KEY: 'k', HOME: '/home/me' }],
    [{ model: 'compatible/mine' }, {}],
    [{}, { ...KEYS, ANTHROPIC_BASE_URL: 'ftp://x' }],
  ]
  const message = ([flags, env]: readonly [Flags, Record<string, string>]) => {
    try {
      return access(flags, env)
    } catch (error) {
      return error instanceof Error && 'exitCode' in error ? [error.exitCode, error.message] : error
    }
  }
  expect(faults.map(message)).toEqual([
    [
      41,
      'No API key for anthropic/claude-opus-5-5: set the environment variable ANTHROPIC_API_KEY, or "apiKeys": { "anthropic": "..." } in /home/me/.config/goatfied/config.json.',
    ],
    [
      41,
      'No API key for openai/gpt-6: set the environment variable OPENAI_API_KEY, or "apiKeys": { "openai": "..." } in /home/me/.config/goatfied/config.json.',
    ],
    [52, 'compatible/mine needs the address of its server: give it with --base-url.'],
    [52, 'ANTHROPIC_BASE_URL is "ftp://x"; expected an address that starts with http:// or https://.'],
  ])
})

it('counts a key in the query of an address among the secrets', () => {
  const flags = { model: 'compatible/x', baseUrl: 'http://mine.test/v1?api-version=2026-01-01&key=of-mine' }
  const loaded = loadSettings({ root: '/nowhere', env: {}, flags, home: '/nowhere' })
  expect(loaded.ok && accessOf(loaded, {}).secrets).toEqual(['of-mine'])
})
