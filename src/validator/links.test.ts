import { afterEach, expect, test } from 'vitest'
import { installedTool, makeRepository, manifest, never, observe, readAll, type TestRepository } from './testing.ts'
import { createValidator } from './validator.ts'

let repository: TestRepository
afterEach(() => repository.remove())

async function open(files: Record<string, string>, installed: readonly string[] = []) {
  repository = await makeRepository(files, installed)
  return createValidator({ root: repository.root, observe, deadlineMs: 20_000 })
}

const suite = (code: string) => `const { test } = require('node:test'); test('t', () => { ${code} })`
const BUILD = `console.log('cannot link'); require('fs').writeFileSync('built', ''); process.exitCode = process.env.OK ? 0 : 1`

test('a build that failed before the first edit does not keep the tests from running, and still runs before them', async () => {
  const files = {
    'package.json': manifest({ test: 'npm run build && node --test', build: 'node make.js' }),
    'make.js': BUILD,
    'a.test.js': suite(`require('fs').unlinkSync('built')`),
  }
  const validator = await open(files)
  const baseline = (await readAll(validator.baseline(never))).value
  const { value } = await readAll(validator.validate({ phase: 'attempt', baseline, changed: ['a.js'] }, never))
  expect([
    baseline.results.map((one) => [one.check.command, one.status, one.output.split('\n').slice(0, 2)]),
    value.status,
    value.stillPassing,
  ]).toEqual([
    [
      [
        'npm run build && node --test',
        'passed',
        ['Before the tests, `node make.js` ended with exit code 1:', 'cannot link'],
      ],
    ],
    'pass',
    1,
  ])
}, 30_000)

test('tests that cannot run either name the build before them', async () => {
  const validator = await open({
    'package.json': manifest({ test: 'npm run build && no-such-runner', build: 'node make.js' }),
    'make.js': BUILD,
  })
  const [result] = (await readAll(validator.baseline(never))).value.results
  expect([result?.check.command, result?.status, result?.reason]).toEqual([
    'npm run build && no-such-runner',
    'unavailable',
    expect.stringMatching(
      /no-such-runner: (?:command )?not found\nBefore it, `node make.js` ended with exit code 1:\ncannot link$/,
    ),
  ])
}, 30_000)

test('a linter with a report that can be read: only what is new counts', async () => {
  const oxlint = (...lines: readonly string[]) =>
    installedTool(
      'oxlint',
      `console.log(${JSON.stringify(lines.join('\n'))}); process.exitCode = ${lines.length > 0 ? 1 : 0}`,
    )
  const old = 'a.js:1:1: `debugger` is not allowed [Error/no-debugger]'
  const validator = await open({ 'package.json': manifest({ lint: 'oxlint' }), ...oxlint(old) })
  const baseline = (await readAll(validator.baseline(never))).value
  const judge = async (...lines: readonly string[]) => {
    await repository.write(oxlint(...lines))
    const { value } = await readAll(validator.validate({ phase: 'attempt', baseline, changed: ['a.js'] }, never))
    return [value.status, value.newDiagnostics.map((one) => one.line), value.preexisting]
  }
  expect([
    await judge(old.replace(':1:1:', ':7:1:')),
    await judge(old, old.replace('a.js:1', 'b.js:2')),
    await judge('something else is wrong'),
    await judge(),
  ]).toEqual([
    ['pass', [], 1],
    ['fail', [2], 1],
    ['pass', [], 1],
    ['pass', [], 0],
  ])
}, 30_000)

test('biome, by its configuration: lint and format, nothing written', async () => {
  const files = { 'package.json': '{}\n', 'biome.json': '{ "root": true }\n', 'a.js': 'debugger\n', 'b.js': 'f( 1 )\n' }
  const validator = await open(files, ['@biomejs/biome'])
  const [result] = (await readAll(validator.baseline(never))).value.results
  const complaints = result?.diagnostics.map((one) => `${one.file} ${one.code}`).sort()
  expect([result?.check.command, result?.status, complaints]).toEqual([
    'npx biome check',
    'failed',
    ['a.js format', 'a.js lint/suspicious/noDebugger', 'b.js format'],
  ])
}, 30_000)

test('a linter that cannot start has no say', async () => {
  const validator = await open({
    'package.json': manifest({ test: 'xo && node --test' }),
    ...installedTool('xo', `require('./gone')`),
    'a.test.js': suite(''),
  })
  const baseline = (await readAll(validator.baseline(never))).value
  const { value } = await readAll(validator.validate({ phase: 'proof', baseline, changed: ['a.js'] }, never))
  expect([value.status, value.results.map((one) => [one.check.id, one.status, one.reason])]).toEqual([
    'pass',
    [
      ['lint', 'unavailable', expect.stringMatching(/^xo could not start: .*Cannot find module '.\/gone'$/)],
      ['tests', 'passed', undefined],
    ],
  ])
}, 30_000)

test('what comes behind the tests is no part of them', async () => {
  const validator = await open({
    'package.json': manifest({
      test: 'npm run tests-only',
      'tests-only': 'node check.js && tape test',
      posttest: 'node upload.js',
    }),
  })
  expect((await validator.checks()).map(({ command }) => command)).toEqual(['node check.js && tape test'])
})
