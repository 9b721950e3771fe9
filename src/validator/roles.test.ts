import { expect, test } from 'vitest'
import { roleOf } from './roles.ts'
import { scriptSteps } from './script-tools.ts'

test.each([
  ['tsc', 'builds'],
  ['tsc --noEmit', 'judges'],
  ['tsc -b', 'builds'],
  ['tsgo', 'judges'],
  ['npx prettier --check .', 'judges'],
  ['publint && attw --pack', 'judges'],
  ['vite build', 'builds'],
  ['npx vite build', 'builds'],
  ['node_modules/.bin/tsup', 'builds'],
  ['node scripts/generate-types.js', 'builds'],
  ['node setup.js', 'unknown'],
  ['node test/index.js', 'tests'],
  ['mocha', 'tests'],
  ['vitest run', 'tests'],
  ['npm run build:types', 'builds'],
  ['npm run test:types', 'judges'],
  ['npm run type-check', 'judges'],
  ['npm run eslint', 'judges'],
  ['npm run piped', 'unknown'],
  ['npm run compile', 'builds'],
])('%s: %s', (test, role) => {
  const scripts = {
    test,
    'build:types': 'something',
    'test:types': 'tsc -p test',
    'type-check': 'something',
    eslint: 'tsup',
    piped: 'a | b',
    compile: 'a | b',
  }
  const steps = scriptSteps(scripts, 'test') ?? []
  expect([...new Set(steps.map(roleOf))]).toEqual([role])
})
