import { expect, it } from 'vitest'
import { lifeline } from './process-testing.ts'
import {
  bed,
  edit,
  eventsOf,
  type Files,
  finish,
  git,
  inTurn,
  PROJECT,
  plan,
  repository,
  stateOf,
  TYPED_PROJECT,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const mend = edit('src/math.js', 'a - b', 'a + b')
const spoil = edit('src/math.js', 'a * 2', 'a * 3')
const withTest = (test: string, files: Files = {}): Files => ({
  ...PROJECT,
  'package.json': JSON.stringify({ name: 'project', type: 'module', scripts: { test } }),
  ...files,
})

it('blames an edit only for what is new (B79)', async () => {
  const root = repository(
    {
      ...TYPED_PROJECT,
      'src/old.ts':
        "export const one: number = 'one'\nexport const two: number = 'two'\nexport const three: string = 3\n",
      'test/red.test.js': "import { test } from 'node:test'\ntest('is red', () => { throw new Error('red') })\n",
    },
    { packages: ['typescript'] },
  )
  const { run, requests } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--output-format', 'json'])
  const { proof } = JSON.parse(ended.stdout)
  expect([ended.exitCode, requests.length, proof.preexisting]).toEqual([0, 1, 3])
  expect([proof.newlyPassing, proof.stillFailing, proof.newlyFailing]).toEqual([
    ['test/math.test.js > adds'],
    ['test/red.test.js > is red'],
    [],
  ])
})

it('gives back a tracked file that the tests change while they run', async () => {
  const touching = "require('fs').appendFileSync('seen.txt', 'run\\n')"
  const root = repository(
    withTest(`node -e "${touching}" && node --test`, { 'seen.txt': 'first\n', 'src/other.js': 'export const x = 1\n' }),
  )
  const before = stateOf(root)
  const { run } = await bed(inTurn([plan('src/math.js'), spoil, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--max-attempts', '1', '--max-turns', '1'])
  expect([ended.exitCode, stateOf(root)]).toEqual([53, before])
})

it('takes up what a linter with --fix makes of an edit, and gives it back with a failed attempt (B90)', async () => {
  const files = {
    'package.json': JSON.stringify({ type: 'module', scripts: { lint: 'eslint --fix .', test: 'node --test' } }),
    'eslint.config.js': "export default [{ files: ['src/**/*.js'], rules: { 'prefer-const': 'error' } }]\n",
  }
  const root = repository({ ...PROJECT, ...files }, { packages: ['eslint'] })
  const before = stateOf(root)
  const letSum = edit('src/math.js', 'return a - b', 'let sum = a + b\n  return sum')
  const lint = { call: 'runCommand', input: { command: 'npm run lint' } }
  const failed = await (await bed(inTurn([plan('src/math.js'), letSum, lint, spoil, finish], [spoil, finish]))).run([
    ...['fix', TASK, '-C', root, '-y', '--max-attempts', '1', '--max-turns', '2'],
  ])
  expect([failed.exitCode, stateOf(root)]).toEqual([53, before])
  const { run } = await bed(inTurn([plan('src/math.js'), letSum, lint, finish]))
  expect((await run(['fix', TASK, '-C', root, '-y'])).exitCode).toBe(0)
  expect(git(root, 'diff', '-U0')).toContain('-  return a - b\n+  const sum = a + b\n+  return sum\n')
})

it('gives a test script that reads stdin the end of the file at once (B84)', async () => {
  const root = repository(withTest('cat'))
  const { run } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--output-format', 'json'])
  expect([ended.exitCode, JSON.parse(ended.stdout).proof.stillPassing]).toEqual([0, 1])
})

it('runs a test script that watches unless CI is set just once (B82)', async () => {
  const watch = "const { CI } = process.env\nif (!CI) setInterval(() => {}, 1000)\nconsole.log('watching', !CI)\n"
  const root = repository(withTest('node watch.cjs', { 'watch.cjs': watch }))
  const { run } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--json'], { env: { CI: undefined } })
  expect(ended.exitCode).toBe(0)
})

it('ends a check that does not end, with its children, and does not blame the model for it (B82)', async () => {
  const hanging = "require('net').connect(+process.env.LIFELINE).resume()"
  const root = repository(
    withTest(`node -e "${hanging}"`, { '.goatfiedrc.json': JSON.stringify({ timeouts: { check: '300ms' } }) }),
  )
  const before = stateOf(root)
  const { env, free } = await lifeline()
  const { run, requests } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--output-format', 'json'], { env })
  await free()
  const { failure } = JSON.parse(ended.stdout)
  expect([ended.exitCode, requests.length, failure.kind, stateOf(root)]).toEqual([54, 1, 'check.unavailable', before])
})

it('prints one document on stdout though checks, Node and the model write everywhere (B103)', async () => {
  const root = repository(
    withTest('node noise.cjs && node --test', {
      'noise.cjs': "process.emitWarning('noise', 'DeprecationWarning'); console.log('{\"status\":\"fake\"}')\n",
    }),
  )
  const { run } = await bed(inTurn([{ text: '{"status":"fake"}\n' }, plan('src/math.js'), mend, finish]))
  for (const format of ['json', 'stream-json'] as const) {
    const ended = await run(['fix', TASK, '-C', root, '--output-format', format])
    expect(ended.exitCode).toBe(0)
    if (format === 'json') expect(JSON.parse(ended.stdout).status).toBe('validated')
    else expect(eventsOf(ended).at(-1)?.type).toBe('run.ended')
    git(root, 'checkout', '--quiet', 'src/math.js')
  }
})

it('counts as fixed only what a test proves where that is asked for', async () => {
  const root = repository(PROJECT)
  const before = stateOf(root)
  const renamed = edit('src/math.js', 'return a * 2', 'return 2 * a')
  const { run } = await bed(inTurn([plan('src/math.js'), renamed, finish]))
  const ended = await run(['fix', TASK, '-C', root, '--require-proof', '--max-attempts', '1', '--max-turns', '1'])
  expect([ended.exitCode, stateOf(root)]).toEqual([53, before])
})
