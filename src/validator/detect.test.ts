import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { concerned, detect } from './detect.ts'
import { installedTool, makeRepository, manifest, type TestRepository } from './testing.ts'

let repository: TestRepository
afterEach(() => repository.remove())

/** The checks found: `id tool: command`. Package managers are those among the files. */
async function found(files: Record<string, string>, installed: readonly string[] = ['typescript', 'eslint', 'vitest']) {
  repository = await makeRepository(files, installed)
  const managers = Object.keys(files).filter((path) => path.startsWith('managers/'))
  for (const path of managers) await chmod(join(repository.root, path), 0o755)
  const detected = await detect(repository.root, join(repository.root, 'managers'))
  return detected.flatMap((one) => one.checks.map(({ plan }) => `${plan.id} ${plan.tool}: ${plan.command}`))
}

describe('what a repository uses', () => {
  test.each([
    [
      'a chain is its tools',
      { 'package.json': manifest({ test: 'tsc --noEmit && eslint src --fix && vitest --watch --coverage' }) },
      ['types tsc: npx tsc --noEmit -p tsconfig.json', 'lint eslint: npx eslint src', 'tests vitest: npx vitest run'],
    ],
    [
      'scripts by name, with their own words',
      {
        'package.json': manifest({
          typecheck: 'tsc -p tsconfig.check.json && tsc -p test',
          lint: 'eslint -f json "src/**/*.js"',
          test: 'vitest run --dir test -u --reporter verbose',
        }),
        'yarn.lock': '',
        'managers/yarn': '',
      },
      [
        'types tsc: yarn tsc --noEmit -p tsconfig.check.json',
        'types-2 tsc: yarn tsc --noEmit -p test/tsconfig.json',
        'lint eslint: yarn eslint "src/**/*.js"',
        'tests vitest: yarn vitest run --dir test',
      ],
    ],
    [
      'files and dependencies where there is no script',
      { 'package.json': '{"devDependencies":{"vitest":"4"}}', 'tsconfig.json': '{}', '.eslintrc.json': '{}' },
      ['types tsc: npx tsc --noEmit -p tsconfig.json', 'lint eslint: npx eslint .', 'tests vitest: npx vitest run'],
    ],
    [
      'files on the command line do not switch tsconfig.json off',
      { 'package.json': manifest({ check: 'tsc src/a.ts' }), 'tsconfig.json': '{}' },
      ['types tsc: npx tsc --noEmit -p tsconfig.json'],
    ],
    [
      'several runners are several checks',
      { 'package.json': manifest({ test: 'vitest run && node --test e2e/' }) },
      ['tests vitest: npx vitest run', 'tests-2 node:test: node --test e2e/'],
    ],
    [
      'other tools by their exit code',
      {
        'package.json': manifest({ typecheck: 'flow check', 'check:lint': 'tslint', test: 'ava' }),
        'pnpm-lock.yaml': '',
        'managers/pnpm': '',
      },
      ['types typecheck: pnpm run typecheck', 'lint check:lint: pnpm run check:lint', 'tests pnpm test: pnpm test'],
    ],
    [
      'what writes is no check, and a placeholder is no test',
      { 'package.json': manifest({ lint: 'prettier --write .', test: 'echo "Error: no test specified" && exit 1' }) },
      [],
    ],
    [
      'projects that the repository builds are built',
      {
        'package.json': manifest({ build: 'tsc -b' }),
        'tsconfig.json': '{ "files": [], "references": [{ "path": "a" }, { "path": "b" }], } // comment',
        'a/tsconfig.json': '{}',
        'b/tsconfig.json': '{ "references": [{ "path": "../a" }] }',
      },
      ['types tsc: npx tsc -b tsconfig.json'],
    ],
    [
      'a workspace has the checks of its members, not the script that runs them all',
      {
        'package.json': manifest({ test: 'turbo run test' }),
        'pnpm-workspace.yaml': "packages:\n  # ours\n  - 'libs/*'\n  - '!libs/old'\n",
        'libs/a/package.json': manifest({ test: 'node --test' }),
        'libs/old/package.json': manifest({ test: 'node --test' }),
        'libs/a/fixtures/x/package.json': manifest({ test: 'node --test' }),
      },
      ['libs/a:tests node:test: node --test'],
    ],
    [
      'without a package.json, the packages directly below',
      { 'web/package.json': manifest({ test: 'vitest' }), 'web/x/package.json': manifest({ test: 'vitest' }) },
      ['web:tests vitest: npx vitest run'],
    ],
    ['a package.json that is none is told', { 'package.json': '{ "scripts": ' }, ['tests package.json: npm test']],
  ])('%s', async (_, files: Record<string, string>, checks) => {
    expect(await found(files)).toEqual(checks)
  })

  test('configurations for tools that nobody asked for are no checks', async () => {
    expect(await found({ 'package.json': '{}', 'tsconfig.json': '{}', 'eslint.config.js': '' }, [])).toEqual([])
  })
})

/** Tools that are installed without being run here. */
const TOOLS = Object.assign(
  {},
  ...['oxlint', 'oxfmt', 'xo', 'tsd', 'ava', 'tsup', 'rimraf', 'knip'].map((name) => installedTool(name)),
  installedTool('@biomejs/biome', '', 'biome'),
  installedTool('@typescript/native-preview', '', 'tsgo'),
)
const CITTY = {
  lint: 'oxlint . && oxfmt --check',
  test: 'pnpm lint && pnpm test:types && vitest run --coverage',
  'test:types': 'tsgo --noEmit',
}

describe('a chain that ends in the tests', () => {
  test.each([
    [
      'links that judge are checks of their own',
      CITTY,
      {},
      [
        'types tsgo: npx tsgo --noEmit -p tsconfig.json',
        'lint oxlint: npx oxlint .',
        'lint-2 oxfmt: npx oxfmt --check',
        'tests vitest: npx vitest run',
      ],
    ],
    [
      'with the package manager that the lockfile is of, where it is installed',
      { ...CITTY, lint: 'pnpm exec oxlint --fix -f json src' },
      { 'pnpm-lock.yaml': '', 'managers/pnpm': '' },
      [
        'types tsgo: pnpm exec tsgo --noEmit -p tsconfig.json',
        'lint oxlint: pnpm exec oxlint src',
        'tests vitest: pnpm exec vitest run',
      ],
    ],
    [
      'what comes after the tests is not waited for',
      { test: 'xo && node --import=tsx/esm --test --test-reporter dot test/*.ts && rimraf dist && tsc && tsd' },
      {},
      [
        'types tsc: npx tsc --noEmit -p tsconfig.json',
        'lint xo: npx xo',
        'tests node:test: node --import=tsx/esm --test test/*.ts',
      ],
    ],
    [
      'a build runs before the tests, and is told',
      {
        test: 'pnpm run build && knip && NODE_ENV=test vitest',
        build: 'rimraf dist && tsup',
        lint: 'biome check --write',
      },
      {},
      ['lint biome: npx biome check', 'tests vitest: npm run build && NODE_ENV=test npx vitest run'],
    ],
    [
      'a build by a package manager that is not there is taken apart',
      { test: 'pnpm build && vitest', build: 'pnpm clean && pnpm tsup', clean: 'rimraf dist', prebuild: 'xo' },
      {},
      ['lint xo: npx xo', 'tests vitest: npx rimraf dist && npx tsup && npx vitest run'],
    ],
    [
      'other runners by their exit code, without the links that judge',
      { test: 'xo --fix && tsup && c8 --reporter text ava && tsd' },
      {},
      ['lint xo: npx xo', 'tests npx tsup && npx ava: npx tsup && npx ava'],
    ],
    ['a test script that only lints is no test', { test: 'xo' }, {}, ['lint xo: npx xo']],
    [
      'a judge that nobody knows is better than no test',
      { test: 'xo && tsd' },
      {},
      ['lint xo: npx xo', 'tests npm test: npm test'],
    ],
    [
      'a compiler that emits builds; one that is told not to only judges',
      { test: 'tsc -p tsconfig.build.json && tsc && node --test' },
      { 'tsconfig.json': '{ "extends": "./base" }', 'base.json': '{ "compilerOptions": { "noEmit": true } }' },
      [
        'types tsc: npx tsc --noEmit -p tsconfig.build.json',
        'types-2 tsc: npx tsc --noEmit -p tsconfig.json',
        'tests node:test: npx tsc -p tsconfig.build.json && node --test',
      ],
    ],
    [
      'linters by their configuration',
      {},
      { 'biome.json': '{}', '.oxlintrc.json': '{}' },
      ['lint oxlint: npx oxlint', 'lint-2 biome: npx biome check'],
    ],
    ['a formatter that writes is no check', { lint: 'oxfmt', format: 'biome format --write' }, {}, []],
  ])('%s', async (_, scripts: Record<string, string>, files: Record<string, string>, checks) => {
    const types = Object.values(scripts).some((script) => /tsc|tsgo/.test(script)) ? { 'tsconfig.json': '{}' } : {}
    const bins = { 'node_modules/.bin/tsc': '' }
    expect(await found({ ...TOOLS, ...bins, ...types, ...files, 'package.json': manifest(scripts) })).toEqual(checks)
  })
})

test('a change concerns its package, for the proof also those that depend on it, and the root', async () => {
  await found({
    'package.json': manifest({ test: 'mocha', lint: 'eslint .' }, { workspaces: { packages: ['./packages/*'] } }),
    'packages/a/package.json': manifest({ test: 'node --test' }, { name: 'a' }),
    'packages/b/package.json': manifest({ test: 'node --test' }, { name: 'b', dependencies: { a: '*' } }),
    'packages/c/package.json': manifest({ test: 'node --test' }, { name: 'c', devDependencies: { b: '*' } }),
    'packages/d/package.json': manifest({ test: 'node --test' }, { name: 'd' }),
  })
  const detected = await detect(repository.root)
  const ids = (changed: string[], phase: 'attempt' | 'proof') =>
    concerned(detected, changed, phase).map((one) => one.plan.id)
  expect([
    ids(['packages/a/x.js'], 'attempt'),
    ids(['packages/a/x.js'], 'proof'),
    ids(['x.js'], 'attempt'),
    ids(['x.js'], 'proof'),
  ]).toEqual([
    ['lint', 'packages/a:tests'],
    ['lint', 'packages/a:tests', 'packages/b:tests', 'packages/c:tests', 'tests'],
    ['lint', 'tests'],
    ['lint', 'tests', 'packages/a:tests', 'packages/b:tests', 'packages/c:tests', 'packages/d:tests'],
  ])
})
