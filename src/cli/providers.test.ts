import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bed, edit, eventsOf, finish, inTurn, only, PROJECT, plan, repository } from './testing.ts'

const mend = edit('src/math.js', 'a - b', 'a + b')
const twins = { ...PROJECT, 'src/a/sum.js': 'export const sum = 1\n', 'src/b/sum.js': 'export const sum = 2\n' }
const recovered = inTurn(
  [plan('src/math.js'), edit('lib/sum.js', 'sum = 1', 'sum = 3')],
  [edit('src/a/sum.js', 'sum = 1', 'sum = 3')],
  [mend, finish],
)

it.each([
  ['openai/gpt-6', { OPENAI_API_KEY: 'test-key' }, '/v1'],
  ['vllm/qwen', {}, '/v1'],
  ['llamacpp/qwen', {}, '/v1'],
  ['openrouter/x/y', { OPENROUTER_API_KEY: 'test-key' }, '/v1'],
])('%s solves a task, a mistyped path recovered on the way', async (model, env, suffix) => {
  const root = repository(twins)
  const { run, url } = await bed(recovered)
  const ended = await run(
    ['fix', 'add() is wrong', '-C', root, '--json', '-m', model, '--base-url', `${url}${suffix}`],
    { env },
  )
  const events = eventsOf(ended)
  expect([ended.exitCode, only(events, 'recovery.ended').map(({ rung, recovered: done }) => [rung, done])]).toEqual([
    0,
    [['scoped-replay', true]],
  ])
  expect(readFileSync(path.join(root, 'src/math.js'), 'utf8')).toContain('a + b')
  expect(only(events, 'run.ended')[0]?.result.totals.costUsd).toBeUndefined()
})

it('says what to install for a model file when the package for it is missing', async () => {
  const root = repository(PROJECT)
  const { run } = await bed(inTurn([finish]))
  const ended = await run(['fix', 'x', '-C', root, '-m', 'gguf//nowhere/model.gguf'])
  expect([ended.exitCode, ended.stdout]).toEqual([52, ''])
  expect(ended.stderr).toContain('/nowhere/model.gguf')
})
