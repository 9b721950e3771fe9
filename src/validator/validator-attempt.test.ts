import { spawnSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { makeRepository, manifest, never, observe, readAll, type TestRepository } from './testing.ts'
import { createValidator } from './validator.ts'

let repository: TestRepository
afterEach(() => repository.remove())

async function judge(files: Record<string, string>, edit: Record<string, string>, installed: readonly string[] = []) {
  repository = await makeRepository(files, installed)
  const validator = createValidator({ root: repository.root, observe })
  const { value: baseline } = await readAll(validator.baseline(never))
  await repository.write(edit)
  const request = { phase: 'attempt', baseline, changed: Object.keys(edit) } as const
  return { baseline, checks: await validator.checks(), ...(await readAll(validator.validate(request, never))) }
}

test('an attempt runs its checks side by side; news end the others, which are then in no result', async () => {
  const files = {
    'package.json': manifest({ typecheck: 'node types.js', lint: 'node lint.js', test: 'node slow.js never-ends' }),
    'types.js': '',
    'lint.js': '',
    'slow.js': '',
  }
  const edit = {
    'slow.js': 'setInterval(() => {}, 1000); require("fs").writeFileSync("begun", "")',
    'lint.js': 'setInterval(() => require("fs").existsSync("begun") && process.exit(1), 10)',
  }
  const { events, value } = await judge(files, edit)
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
  expect({
    events: events.slice().sort(),
    status: value.status,
    results: value.results.map((one) => `${one.check.id} ${one.status}`),
    left: stdout.split('\n').filter((line) => /^[^Z].*never-ends/.test(line)),
  }).toEqual({
    events: [
      'failed attempt lint',
      'passed attempt types',
      'started attempt lint',
      'started attempt tests',
      'started attempt types',
    ],
    status: 'fail',
    results: ['types passed', 'lint failed'],
    left: [],
  })
})

test.each([
  ['fails again', 'process.exit(2)', 'unavailable'],
  ['passes now', '', 'pass'],
])('a script of tests that failed before as a whole and %s', async (_, script, status) => {
  const files = { 'package.json': manifest({ test: 'node test.js' }), 'test.js': 'process.exit(1)' }
  const { events, value } = await judge(files, { 'test.js': script })
  const reason = 'failed before the change too, and does not tell its tests apart'
  expect({ events, status: value.status, newlyPassing: value.newlyPassing, stillFailing: value.stillFailing }).toEqual({
    events: ['started attempt tests', `${status === 'pass' ? 'passed' : status} attempt tests`],
    status,
    newlyPassing: status === 'pass' ? ['npm test'] : [],
    stillFailing: [],
  })
  expect(value.results[0]?.reason).toBe(status === 'pass' ? undefined : reason)
})

test('configurations of test folders are checked where they hold more, and only if the compiler takes them', async () => {
  const options = '"compilerOptions": { "strict": true, "types": [], "lib": ["es5"] }'
  const files = {
    'package.json': manifest({}, { devDependencies: { typescript: '5' } }),
    'tsconfig.json': `{ ${options}, "include": ["src"] }`,
    'src/a.ts': 'export const a: number = 1\n',
    'src/spec/tsconfig.json': `{ ${options} }`,
    'src/spec/covered.ts': 'export {}\n',
    'test/tsconfig.json': `{ ${options}, "include": [".", "../src"] }`,
    'test/a.ts': 'import { a } from "../src/a"\nexport const b: number = a\n',
    'test/fixtures/test/tsconfig.json': '{}',
    'test/fixtures/test/c.ts': 'wrong',
    'tests/tsconfig.json': `{ ${options}, "include": ["none"] }`,
    'e2e/tsconfig.json': '{ "compilerOptions": { "types": ["nope"] } }',
    'e2e/d.ts': 'export {}\n',
  }
  const { baseline, checks, value } = await judge(files, { 'src/a.ts': 'export const a = "text"\n' }, ['typescript'])
  expect({
    checks: checks.map((one) => `${one.id}: ${one.command}`),
    baseline: baseline.results.map((one) => `${one.check.id} ${one.status}`),
    news: value.newDiagnostics.map((one) => one.file),
    failed: value.results.filter((one) => one.status === 'failed').map((one) => one.check.id),
  }).toEqual({
    checks: [
      'types: npx tsc --noEmit -p tsconfig.json',
      'types-2: npx tsc --noEmit -p e2e/tsconfig.json',
      'types-3: npx tsc --noEmit -p test/tsconfig.json',
    ],
    baseline: ['types passed', 'types-3 failed'],
    news: ['test/a.ts'],
    // The other one may have been cut short.
    failed: ['types-3'],
  })
}, 30_000)
