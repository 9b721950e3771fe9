import { afterEach, expect, test } from 'vitest'
import { installedTool, makeRepository, manifest, never, observe, readAll, type TestRepository } from './testing.ts'
import { createValidator } from './validator.ts'

let repository: TestRepository
afterEach(() => repository.remove())

async function baselineOf(files: Record<string, string>) {
  repository = await makeRepository(files)
  const { value } = await readAll(createValidator({ root: repository.root, observe }).baseline(never))
  return value.results.map(({ check, status, tests, reason, output }) => ({
    command: check.command,
    status,
    tests: tests.map((one) => `${one.id}: ${one.status}`),
    reason,
    output: output.replaceAll(/\S+jest-reporter\.cjs/g, 'ours'),
  }))
}

/** Stands for jest: tells its reporter of one test in two projects, and prints what it was given. */
const JEST = `
const words = process.argv.slice(2)
console.log(process.execArgv.join(' '), words.join(' '))
const Reporter = require(words.filter((word) => word.startsWith('--reporters=')).at(-1).slice('--reporters='.length))
const file = (displayName) => ({ testFilePath: process.cwd() + '/a.test.js', displayName, numFailingTests: 0,
  testResults: [{ ancestorTitles: ['a'], title: 'b', status: 'passed', failureMessages: [] }] })
new Reporter({}, {}).onRunComplete(new Set(), { testResults: [file(undefined), file({ name: 'sync', color: 'red' })] })
`

test('jest behind nested scripts, with its own arguments and no others', async () => {
  const files = {
    'package.json': manifest({
      test: 'yarn lint && yarn test-all --runInBand',
      'test-all': 'yarn testonly --projects ./a.json --projects ./package.json --coverage false --reporters jest-junit',
      testonly: 'jest --watch',
      lint: 'echo fine',
    }),
    ...installedTool('jest', JEST),
  }
  const own = '--projects ./a.json --projects ./package.json --runInBand'
  expect(await baselineOf(files)).toEqual([
    {
      command: `npx jest ${own}`,
      status: 'passed',
      tests: ['a.test.js > a > b: passed', 'a.test.js [sync] > a > b: passed'],
      reason: undefined,
      output: `${own} --ci --coverage=false --bail=0 --reporters=default ours`,
    },
  ])
})

test('jest that Node is started for, and a jest that can not start', async () => {
  const script = 'node --no-warnings node_modules/.bin/jest -i'
  const [found] = await baselineOf({ 'package.json': manifest({ test: script }), ...installedTool('jest', JEST) })
  await repository.remove()
  const broken = installedTool(
    'jest',
    'console.error("● Validation Error:\\n\\n  Preset gone not found.\\n"); process.exit(1)',
  )
  const [other] = await baselineOf({ 'package.json': manifest({ test: 'jest' }), ...broken })
  expect([found?.command, found?.output.startsWith('--no-warnings -i --ci'), other?.status, other?.reason]).toEqual([
    script,
    true,
    'unavailable',
    'jest could not start: Validation Error: Preset gone not found.',
  ])
})

/** Stands for mocha of the installed version, 1.0.0: its report comes among what the tests print. */
const MOCHA = `
console.log(process.argv.slice(2).join(' '))
if (process.env.BROKEN) {
  console.error('Error: gone\\n    at Object.<anonymous> (' + process.cwd() + '/test/a.js:1:1)')
  process.exit(1)
}
const test = (fullTitle, err = {}) => ({ title: 'x', fullTitle, file: process.cwd() + '/test/a.js', err })
console.log(JSON.stringify({ stats: {}, tests: [], pending: [], passes: [test('a b')],
  failures: [test('a c', { message: 'no', stack: 'Error: no' })] }))
process.exit(1)
`

test('mocha with its own arguments; a file that does not load is a failed test', async () => {
  const scripts = (test: string) => ({ 'package.json': manifest({ test }), ...installedTool('mocha', MOCHA) })
  const [found] = await baselineOf(scripts('nyc mocha -r ./x.js --reporter dot -b --watch "test/*.js"'))
  await repository.remove()
  const [broken] = await baselineOf(scripts('BROKEN=1 mocha'))
  expect([found, broken?.status, broken?.tests]).toEqual([
    {
      command: 'npx mocha -r ./x.js "test/*.js"',
      status: 'failed',
      tests: ['test/a.js > a b: passed', 'test/a.js > a c: failed'],
      reason: undefined,
      output: 'FAIL test/a.js > a c\nError: no\n\n1 passing, 1 failing',
    },
    'failed',
    ['test/a.js: failed'],
  ])
})
