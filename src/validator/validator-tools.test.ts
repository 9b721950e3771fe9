import { afterEach, expect, test } from 'vitest'
import { makeRepository, manifest, never, observe, readAll, type TestRepository } from './testing.ts'
import { createValidator } from './validator.ts'

let repository: TestRepository
afterEach(() => repository.remove())

async function open(files: Record<string, string>, installed: readonly string[] = []) {
  repository = await makeRepository(files, installed)
  return createValidator({ root: repository.root, observe })
}

test('node --test: patterns, preparation, crash of the edited code, and a start that fails', async () => {
  const files = {
    'package.json': manifest({
      pretest: 'node build.js',
      test: 'node --test-reporter=dot --test dist/*.test.js',
    }),
    'build.js': `require('fs').cpSync('src', 'dist', { recursive: true })`,
    'src/a.test.js': `const { test } = require('node:test'); test('a', () => { require('./a') })`,
    'src/a.js': '',
  }
  const validator = await open(files)
  const baseline = (await readAll(validator.baseline(never))).value
  const judge = async (edit: Record<string, string>) => {
    await repository.write(edit)
    const read = await readAll(validator.validate({ phase: 'attempt', baseline, changed: Object.keys(edit) }, never))
    await repository.write(files)
    return { status: read.value.status, failing: read.value.newlyFailing, news: read.value.newDiagnostics }
  }
  expect([
    await validator.checks(),
    baseline.results.map((one) => one.tests),
    await judge({ 'src/a.js': `throw new Error('broken')` }),
    await judge({ 'src/a.test.js': 'not javascript' }).then((one) => one.failing.map((failing) => failing.id)),
    await judge({ 'build.js': 'process.exit(3)' }),
  ]).toEqual([
    [
      {
        id: 'tests',
        kind: 'tests',
        tool: 'node:test',
        command: 'node build.js && node --test dist/*.test.js',
        cwd: '.',
      },
    ],
    [[{ id: 'dist/a.test.js > a', file: 'dist/a.test.js', status: 'passed' }]],
    {
      status: 'fail',
      failing: [
        {
          id: 'dist/a.test.js > a',
          file: 'dist/a.test.js',
          status: 'failed',
          message: expect.stringMatching(/^Error: broken\n {4}at Object\.<anonymous> \(dist\/a\.js:1:7\)/),
        },
      ],
      news: [],
    },
    ['dist/a.test.js'],
    {
      status: 'fail',
      failing: [],
      news: [
        {
          source: 'node:test',
          severity: 'error',
          code: 'no-longer-runs',
          message:
            "`node build.js && node --test dist/*.test.js` ran before the first edit and can't any more: `node build.js` ended with exit code 3:\n",
        },
      ],
    },
  ])
}, 30_000)

test('B87: in a workspace the packages of the changed files are judged, for the proof their dependents too', async () => {
  const pkg = (name: string, dependencies: object = {}) => manifest({ test: 'node --test' }, { name, dependencies })
  const suite = (code: string) => `const { test } = require('node:test'); test('t', () => { ${code} })`
  const files = {
    'package.json': manifest({ test: 'npm test --workspaces' }, { workspaces: ['packages/*'] }),
    'packages/a/package.json': pkg('a'),
    'packages/a/a.test.js': suite(''),
    'packages/b/package.json': pkg('b'),
    'packages/b/b.test.js': suite(`throw new Error('red')`),
    'packages/c/package.json': pkg('c', { a: '1' }),
    'packages/c/c.test.js': suite(''),
    'packages/c/node_modules/x/package.json': pkg('x'),
  }
  const validator = await open(files)
  const baseline = (await readAll(validator.baseline(never))).value
  const phases = (['attempt', 'proof'] as const).map(async (phase) => {
    const { value } = await readAll(validator.validate({ phase, baseline, changed: ['packages/a/a.js'] }, never))
    return [phase, value.status, value.results.map((one) => `${one.check.id} ${one.status}`)]
  })
  expect([baseline.results.map((one) => `${one.check.id} ${one.status}`), ...(await Promise.all(phases))]).toEqual([
    ['packages/a:tests passed', 'packages/b:tests failed', 'packages/c:tests passed'],
    ['attempt', 'pass', ['packages/a:tests passed']],
    ['proof', 'pass', ['packages/a:tests passed', 'packages/c:tests passed']],
  ])
}, 30_000)

test('B89: a file that eslint ignores is no warning; one that is not ignored counts once warnings are forbidden', async () => {
  const files = {
    'package.json': manifest({ lint: 'eslint --fix --max-warnings=0 a.js ignored.js' }),
    'eslint.config.js': 'module.exports = [{ ignores: ["ignored.js"] }, { rules: { "no-console": "warn" } }]',
    'a.js': '',
    'ignored.js': 'console.log(1)',
  }
  const validator = await open(files, ['eslint'])
  const baseline = (await readAll(validator.baseline(never))).value
  await repository.write({ 'a.js': 'console.log(1)' })
  const { value } = await readAll(validator.validate({ phase: 'attempt', baseline, changed: ['a.js'] }, never))
  expect({
    command: baseline.results[0]?.check.command,
    before: baseline.results[0]?.status,
    status: value.status,
    news: value.newDiagnostics.map((one) => `${one.file}:${one.line} ${one.severity} ${one.code}`),
  }).toEqual({
    command: 'npx eslint a.js ignored.js',
    before: 'passed',
    status: 'fail',
    news: ['a.js:1 warning no-console'],
  })
}, 30_000)

test('B80: a configuration that only refers to others checks those; one that checks nothing is no pass', async () => {
  const validator = await open(
    {
      'package.json': manifest({ build: 'tsc -b && echo built', lint: 'tsc -p broken.json' }, { workspaces: ['pkg'] }),
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./app" }, { "path": "./node.json" }] }',
      'app/tsconfig.json':
        '{ "compilerOptions": { "composite": true, "strict": true, "types": [], "lib": ["es5"] }, "include": ["."] }',
      'app/a.ts': 'export const f = (x) => x\n',
      'node.json': '{ "compilerOptions": { "composite": true, "types": [], "lib": ["es5"] }, "files": ["b.ts"] }',
      'b.ts': 'export const b: string = 1\n',
      'broken.json': '{ "include": ["nothing/*"] }',
      'pkg/package.json': manifest({ typecheck: 'tsc -b' }, { name: 'pkg' }),
      'pkg/tsconfig.json': '{ "files": [], "references": [{ "path": "../app" }, { "path": "../node.json" }] }',
    },
    ['typescript'],
  )
  const { results } = (await readAll(validator.baseline(never))).value
  expect(
    results.map((one) => ({
      command: one.check.command,
      status: one.status,
      complaints: one.diagnostics.map((diagnostic) => `${diagnostic.file} ${diagnostic.code}`),
      reason: one.reason?.replace(/config file .*$/, '...'),
    })),
  ).toEqual([
    {
      command: 'npx tsc --noEmit -p broken.json',
      status: 'unavailable',
      complaints: [],
      reason: 'tsc checks nothing: tsc: error TS18003: No inputs were found in ...',
    },
    {
      command: 'npx tsc --noEmit -p ../app/tsconfig.json && npx tsc --noEmit -p ../node.json',
      status: 'failed',
      complaints: ['app/a.ts TS7006', 'b.ts TS2322'],
      reason: undefined,
    },
  ])
}, 30_000)
