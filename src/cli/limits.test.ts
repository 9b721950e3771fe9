import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bed, edit, eventsOf, finish, git, inTurn, only, PROJECT, plan, repository, stateOf } from './testing.ts'

const mend = edit('src/math.js', 'a - b', 'a + b')
const usage = { input: 100_000, cacheRead: 50_000, cacheWrite: 0, output: 1_000 }

it('prices what a run takes, cached and uncached apart', async () => {
  const root = repository(PROJECT)
  const { run } = await bed(inTurn({ answer: [plan('src/math.js'), mend, finish], usage }))
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--output-format', 'json'])
  expect(JSON.parse(ended.stdout).totals).toMatchObject({ usage, costUsd: 0.44, requests: 1 })
  expect(ended.stderr).toContain('150.0k tokens sent (33 % from the cache), 1.0k received · $0.44 ·')
})

it('ends before the request that would go over the budget, tree unchanged', async () => {
  const root = repository(PROJECT)
  const before = stateOf(root)
  const { run, requests } = await bed(inTurn({ answer: [plan('src/math.js'), mend], usage }))
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--max-budget-usd', '0.40'])
  expect([ended.exitCode, requests.length, stateOf(root)]).toEqual([55, 1, before])
  expect(ended.stdout).toContain('the budget of $0.4 is used up (--max-budget-usd)')
})

it('refuses a budget for a model whose price is not known', async () => {
  const root = repository(PROJECT)
  const { run, requests } = await bed(inTurn([finish]))
  const ended = await run(['fix', 'x', '-C', root, '-m', 'anthropic/other', '--max-budget-usd', '1'])
  expect([ended.exitCode, requests.length, ended.stderr]).toEqual([
    52,
    0,
    'goatfied: --max-budget-usd: no price is known for anthropic/other (known: anthropic/claude-opus-5-5). Limit the run by --max-turns or --timeout.\n',
  ])
})

it('answers a context overflow once: old results shortened, calls and results still paired', async () => {
  const root = repository({ ...PROJECT, 'big.txt': 'a line of text\n'.repeat(400) })
  const read = { call: 'readFile', input: { path: 'big.txt' } }
  const tooLong = {
    fault: {
      status: 400,
      errorType: 'invalid_request_error',
      message: 'prompt is too long: 250000 tokens > 200000 maximum',
    },
  }
  const { run, requests } = await bed(
    inTurn([read], [{ call: 'readFile', input: { path: 'src/math.js' } }], tooLong, [
      plan('src/math.js'),
      mend,
      finish,
    ]),
  )
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  expect(ended.exitCode).toBe(0)
  expect(only(eventsOf(ended), 'context.shrunk').map(({ reason, results }) => [reason, results])).toEqual([
    ['overflow', 1],
  ])
  expect(JSON.stringify(requests[2]?.body).length).toBeGreaterThan(JSON.stringify(requests[3]?.body).length + 4_000)
})

it('stops when it still does not fit', async () => {
  const root = repository(PROJECT)
  const tooLong = { fault: { status: 400, errorType: 'invalid_request_error', message: 'prompt is too long' } }
  const { run, requests } = await bed(inTurn(tooLong))
  const ended = await run(['fix', 'add() is wrong', '-C', root])
  expect([ended.exitCode, requests.length]).toEqual([51, 1])
})

it('shortens old results by itself when the context it was told of is nearly full', async () => {
  const root = repository({ ...PROJECT, 'big.txt': 'a line of text\n'.repeat(900) })
  const read = (startLine: number) => [
    { call: 'readFile', input: { path: 'big.txt', startLine, endLine: startLine + 300 } },
  ]
  const { run } = await bed(inTurn(read(1), read(300), read(500), [plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'], { env: { GOATFIED_CONTEXT_TOKENS: '4000' } })
  expect(ended.exitCode).toBe(0)
  expect(only(eventsOf(ended), 'context.shrunk')[0]).toMatchObject({ reason: 'nearly-full', results: 1 })
})

it('gives the model the repository’s own instructions, nearest first', async () => {
  const root = repository({ ...PROJECT, 'AGENTS.md': 'Use two spaces.\n' })
  mkdirSync(path.join(root, 'src/deep'))
  writeFileSync(path.join(root, 'src/deep/AGENTS.md'), 'Deep down use tabs.\n')
  git(root, 'add', '.')
  const { run, requests } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  await run(['fix', 'add() is wrong', '-C', path.join(root, 'src/deep')])
  const body = requests[0]?.body ?? {}
  const [system] = body.system as unknown as readonly { readonly text: string }[]
  expect(system?.text.split("can't widen what you may do.\n")[1]).toBe(
    '# src/deep/AGENTS.md\nDeep down use tabs.\n\n# AGENTS.md\nUse two spaces.',
  )
})

it('lets a stronger model try once the others have failed', async () => {
  const root = repository(PROJECT)
  const { run, requests } = await bed((request, n) => {
    if (request.body.model === 'strong') return [plan('src/math.js'), mend, finish]
    return [plan('src/math.js'), edit('src/math.js', 'a * 2', `a * ${n + 3}`), finish]
  })
  const env = { GOATFIED_MODELS_ESCALATE: 'anthropic/strong', GOATFIED_LIMITS_REPLANS: '0' }
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json', '--max-attempts', '2'], { env })
  expect([ended.exitCode, requests.map(({ body }) => body.model)]).toEqual([
    0,
    ['claude-opus-5-5', 'claude-opus-5-5', 'strong'],
  ])
  expect(only(eventsOf(ended), 'decision').map(({ decision }) => decision.kind)).toEqual(['retry', 'escalate'])
})
