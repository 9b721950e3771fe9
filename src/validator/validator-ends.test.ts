import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { NO_NEWS } from '../core/verdict.ts'
import { makeRepository, manifest, never, observe, readAll, type TestRepository } from './testing.ts'
import { createValidator, type ValidatorSettings } from './validator.ts'

let repository: TestRepository
afterEach(() => repository.remove())

async function open(files: Record<string, string>, installed: readonly string[] = []) {
  repository = await makeRepository(files, installed)
  return (more: Partial<ValidatorSettings> = {}) => createValidator({ root: repository.root, observe, ...more })
}

async function baselineOf(validator: ReturnType<typeof createValidator>) {
  return (await readAll(validator.baseline(never))).value
}

async function verdictOf(validator: ReturnType<typeof createValidator>, changed = ['a.js']) {
  const baseline = await baselineOf(validator)
  return (await readAll(validator.validate({ phase: 'attempt', baseline, changed }, never))).value
}

test('B84: a script that reads its input does not wait for it', async () => {
  const validator = (await open({ 'package.json': manifest({ test: 'cat' }) }))()
  const baseline = await baselineOf(validator)
  expect(baseline.results.map(({ ms: _, ...result }) => result)).toEqual([
    {
      check: { id: 'tests', kind: 'tests', tool: 'npm test', command: 'npm test', cwd: '.' },
      status: 'passed',
      diagnostics: [],
      tests: [{ id: 'npm test', status: 'passed' }],
      exitCode: 0,
      output: '',
    },
  ])
})

test('B82: a script that watches gets CI and a deadline; what hung once is not run again', async () => {
  const script = `node -e "require('fs').appendFileSync('runs', process.env.CI); setInterval(() => {}, 1000)"`
  const validator = (await open({ 'package.json': manifest({ test: script }) }))({ deadlineMs: 1000 })
  const verdict = await verdictOf(validator)
  expect({
    status: verdict.status,
    results: verdict.results.map((one) => [one.status, one.reason]),
    runs: await readFile(join(repository.root, 'runs'), 'utf8'),
  }).toEqual({ status: 'unavailable', results: [['unavailable', 'did not end within 1 s']], runs: '1' })
})

test('B85: of 5 MB the end is shown, and everything is in the log', async () => {
  const files = {
    'package.json': manifest({ test: 'node big.js' }),
    'big.js': `console.log('start');console.log('\\x1b[31m' + ('x'.repeat(99) + '\\n').repeat(50_000));console.log('\\x1b]0;title\\x07FAILED: sum');process.exitCode = 1`,
  }
  const create = await open(files)
  const validator = create({ logDir: join(repository.root, 'node_modules', 'logs') })
  const [result] = (await baselineOf(validator)).results
  expect({
    status: result?.status,
    short: Buffer.byteLength(result?.output ?? '') <= 16_000,
    head: result?.output.startsWith('start\nxxx'),
    tail: result?.tests[0]?.message?.endsWith('\nFAILED: sum'),
    log: (await readFile(join(repository.root, 'node_modules/logs/tests-1.log'))).length > 5_000_000,
  }).toEqual({ status: 'failed', short: true, head: true, tail: true, log: true })
})

test('B99: an abort ends the whole group, and the reason comes out', async () => {
  const files = {
    'package.json': manifest({ test: `node -e "console.log(process.pid); setInterval(() => {}, 1000)" & wait` }),
  }
  const validator = (await open(files))()
  const controller = new AbortController()
  const reason = new Error('stopped by the person')
  let child = 0
  const reading = (async () => {
    for await (const event of validator.baseline(controller.signal)) {
      if (event.type !== 'check.progress') continue
      child = Number(event.line)
      controller.abort(reason)
    }
  })()
  await expect(reading).rejects.toBe(reason)
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(child)], { encoding: 'utf8' })
  expect({ started: child > 1, alive: /^[^Z]/.test(stdout.trim()) }).toEqual({ started: true, alive: false })
})

test('a reader that goes away leaves nothing running', async () => {
  const files = { 'package.json': manifest({ test: `node -e "setInterval(() => {}, 1000, 'left-behind')"` }) }
  const validator = (await open(files))()
  for await (const event of validator.baseline(never)) if (event.type === 'check.started') break
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((line) => /^[^Z].*left-behind/.test(line))).toEqual([])
})

test('a repository without checks passes with nothing to show', async () => {
  const files = { 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }), 'a.js': '' }
  const validator = (await open(files))()
  expect([await validator.checks(), await verdictOf(validator)]).toEqual([
    [],
    {
      status: 'pass',
      results: [],
      ...NO_NEWS,
    },
  ])
})

test('tools that are named but not installed: unavailable, with what to do', async () => {
  const files = {
    'package.json': manifest({ lint: 'eslint src', test: 'tsc && vitest' }, { packageManager: 'pnpm@9.0.0' }),
    'tsconfig.json': '{}',
  }
  const verdict = await verdictOf((await open(files))())
  expect({
    status: verdict.status,
    results: verdict.results.map((one) => [one.check.id, one.status, one.reason]),
  }).toEqual({
    status: 'unavailable',
    results: [
      ['types', 'unavailable', 'tsc is not installed: run `pnpm install`'],
      ['lint', 'unavailable', 'eslint is not installed: run `pnpm install`'],
      ['tests', 'unavailable', 'vitest is not installed: run `pnpm install`'],
    ],
  })
})

test('a command that is missing, killed or out of memory never fails the edit', async () => {
  const validator = (
    await open({
      'package.json': manifest({
        typecheck: 'no-such-tool',
        lint: 'kill -KILL $$',
        test: 'node --max-old-space-size=20 hungry.js',
      }),
      'hungry.js': 'const all = []; for (;;) all.push(new Array(1e5).fill({}))',
    })
  )()
  const baseline = await baselineOf(validator)
  expect(
    baseline.results.map((one) => [one.check.id, one.status, one.reason?.replace(/^.*?no-such/, 'no-such')]),
  ).toEqual([
    ['types', 'unavailable', expect.stringMatching(/^no-such-tool: (?:command )?not found$/)],
    ['lint', 'unavailable', 'was killed by SIGKILL'],
    ['tests', 'unavailable', 'ran out of memory'],
  ])
})
