import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  bed,
  edit,
  eventsOf,
  finish,
  git,
  inTurn,
  only,
  PROJECT,
  plan,
  repository,
  stateOf,
  TYPED_PROJECT,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const mend = edit('src/math.js', 'a - b', 'a + b')

it('solves a task: exit 0, the change stays, the proof names the test', async () => {
  const root = repository(PROJECT)
  const { run, requests } = await bed(
    inTurn([{ call: 'readFile', input: { path: 'src/math.js' } }], [plan('src/math.js'), mend, finish]),
  )
  const ended = await run(['fix', TASK, '-C', root, '--output-format', 'json'])
  const result = JSON.parse(ended.stdout)
  expect(ended.exitCode).toBe(0)
  expect(readFileSync(path.join(root, 'src/math.js'), 'utf8')).toBe(PROJECT['src/math.js']?.replace('a - b', 'a + b'))
  expect([result.status, result.proof.newlyPassing, result.proof.stillPassing, requests.length]).toEqual([
    'validated',
    ['test/math.test.js > adds'],
    1,
    2,
  ])
  expect(git(root, 'status', '--porcelain')).toBe(' M src/math.js\n')
})

it('rolls an edit that breaks the types back and retries with the words of the compiler', async () => {
  const root = repository(TYPED_PROJECT, { packages: ['typescript'] })
  const broken = edit('src/price.ts', 'prices.length', "'none'")
  const right = edit('src/price.ts', 'prices.length', 'prices.reduce((sum, price) => sum + price, 0)')
  const { run, requests } = await bed(inTurn([plan('src/price.ts'), broken, finish], [right, finish]))
  const ended = await run(['fix', 'total() counts instead of adding', '-C', root, '--json'])
  const events = eventsOf(ended)
  expect(ended.exitCode).toBe(0)
  expect(only(events, 'attempt.ended').map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, 'rejected'],
    [2, 'passed'],
  ])
  expect(only(events, 'rollback.ended').map(({ report }) => report)).toEqual([
    { restored: ['src/price.ts'], conflicts: [] },
  ])
  expect(JSON.stringify(requests[1]?.body.messages)).toContain(
    "src/price.ts:2:3 TS2322 Type 'string' is not assignable to type 'number'.",
  )
  expect(readFileSync(path.join(root, 'src/price.ts'), 'utf8')).toContain('reduce')
})

it('leaves the tree as it was, and exits 1, when the model does not mend what it broke', async () => {
  const root = repository(TYPED_PROJECT, { packages: ['typescript'] })
  writeFileSync(path.join(root, 'ignored.txt'), 'mine')
  writeFileSync(path.join(root, 'untracked.txt'), 'mine too')
  writeFileSync(path.join(root, 'src/math.js'), '// staged\n')
  git(root, 'add', 'src/math.js')
  writeFileSync(path.join(root, 'src/math.js'), `${PROJECT['src/math.js']}// and changed\n`)
  const before = stateOf(root)
  // Ever new ways to be wrong, so that every limit is reached.
  const { run } = await bed((request, n) =>
    JSON.stringify(request.body.messages).includes('finishStep') || n % 2 === 1
      ? [edit('src/price.ts', 'prices.length', `'wrong ${n}'`), finish]
      : [plan('src/price.ts'), edit('src/price.ts', 'prices.length', `'wrong ${n}'`), finish],
  )
  const ended = await run(['fix', 'total() counts', '-C', root, '--max-attempts', '2'])
  expect([ended.exitCode, stateOf(root)]).toEqual([1, before])
  expect(ended.stdout).toContain('gave-up')
})

it('does not let the same failing edit be made twice', async () => {
  const root = repository(PROJECT)
  const broken = edit('src/math.js', 'return a * 2', 'return a * 3')
  const { run, requests } = await bed(inTurn([plan('src/math.js'), broken, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  const events = eventsOf(ended)
  const executed = only(events, 'call.ended').filter(({ tool }) => tool === 'editFile')
  expect([ended.exitCode, executed.length]).toEqual([1, 1])
  expect(requests.length).toBeLessThan(20)
})

it('recovers a mistyped path by an enum of candidates, without the failing call being carried out', async () => {
  const root = repository({
    ...PROJECT,
    'src/a/sum.js': 'export const sum = 1\n',
    'src/b/sum.js': 'export const sum = 2\n',
  })
  const { run, requests } = await bed(
    inTurn(
      [plan('src/math.js'), edit('lib/sum.js', 'sum = 1', 'sum = 3')],
      [edit('src/a/sum.js', 'sum = 1', 'sum = 3')],
      [mend, finish],
    ),
  )
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  const events = eventsOf(ended)
  expect(ended.exitCode).toBe(0)
  const replay = requests[1]?.body as {
    tools: { name: string; input_schema: { properties: { path: { enum: string[] } } } }[]
  }
  expect(replay.tools.map((tool) => tool.name)).toEqual(['editFile'])
  expect(replay.tools[0]?.input_schema.properties.path.enum.slice(0, 2).sort()).toEqual([
    'src/a/sum.js',
    'src/b/sum.js',
  ])
  expect(replay.tools[0]?.input_schema.properties.path.enum.at(-1)).toBe('__none__')
  expect(only(events, 'guard.fired').map(({ guard }) => guard)).toEqual(['enum-exhaustion'])
  expect(only(events, 'recovery.ended').map(({ rung, recovered }) => [rung, recovered])).toEqual([
    ['scoped-replay', true],
  ])
  expect(only(events, 'call.failed').map(({ executed }) => executed)).toEqual([false])
  expect(requests.length).toBe(3)
})

it('tells an unknown tool the real names, and goes on', async () => {
  const root = repository(PROJECT)
  const unknown = { call: 'str_replace_editor', input: { path: 'src/math.js' } }
  const { run, requests } = await bed(inTurn([unknown], [plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  expect([ended.exitCode, requests.length]).toEqual([0, 2])
  expect(only(eventsOf(ended), 'decision').map(({ failure, decision }) => [failure.kind, decision.kind])).toEqual([
    ['call.unknown-tool', 'replan'],
  ])
  expect(JSON.stringify(requests[1]?.body.messages)).toContain('There is no tool str_replace_editor. The tools are: ')
})

it('gives up, tree unchanged, on a model that only calls unknown tools', async () => {
  const root = repository(PROJECT)
  const before = stateOf(root)
  const { run, requests } = await bed(inTurn([{ call: 'bash', input: { command: 'ls' } }]))
  const ended = await run(['fix', TASK, '-C', root])
  expect([ended.exitCode, requests.length, stateOf(root)]).toEqual([1, 4, before])
})

it('nudges an empty answer once, then says that nothing was changed', async () => {
  const root = repository(PROJECT)
  const { run, requests } = await bed(inTurn([]))
  const ended = await run(['fix', TASK, '-C', root])
  expect([ended.exitCode, requests.length]).toEqual([3, 2])
})

it('accepts an edit before any plan as the plan', async () => {
  const root = repository(PROJECT)
  const { run, requests } = await bed(inTurn([mend], [{ text: 'Done.' }]))
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  expect([ended.exitCode, requests.length]).toEqual([0, 2])
  expect(only(eventsOf(ended), 'plan.accepted').map(({ plan: accepted }) => accepted.origin)).toEqual(['implied'])
})

it('denies what it would have to ask for where nobody can be asked, and goes on', async () => {
  const root = repository(PROJECT)
  const { run } = await bed(
    inTurn([plan('src/math.js'), { call: 'runCommand', input: { command: 'touch pwned.txt' } }], [mend, finish]),
  )
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  expect(ended.exitCode).toBe(0)
  expect(only(eventsOf(ended), 'approval.answered').map(({ allowed, by }) => [allowed, by])).toEqual([
    [false, 'settings'],
  ])
  expect(git(root, 'status', '--porcelain')).toBe(' M src/math.js\n')
})

it('prints one JSON document on stdout and everything else on stderr', async () => {
  const root = repository({ ...PROJECT, 'src/noise.js': "process.emitWarning('noise')\n" })
  const { run } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--output-format', 'json'])
  expect(JSON.parse(ended.stdout).exitCode).toBe(0)
  expect(ended.stderr).not.toBe('')
})

it('never lets the repository see its state: nothing new in git status, in the tree or to its tools', async () => {
  const root = repository(PROJECT)
  const { run } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  await run(['fix', TASK, '-C', root])
  expect(git(root, 'status', '--porcelain', '--ignored')).toBe(' M src/math.js\n')
})
