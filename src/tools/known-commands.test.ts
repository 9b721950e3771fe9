import { expect, test } from 'vitest'
import { knownCommand } from './known-commands.ts'

const scripts = { test: 'vitest', build: 'tsc', install: 'x', 'lint:fix': 'eslint --fix .' }
const split = (text: string) => (text === '' ? [] : text.split(' '))
const script = (manager: string, name: string, args = '', byNpm?: string) => ({
  kind: 'script',
  manager,
  script: name,
  args: split(args),
  ...(byNpm === undefined ? {} : { byNpm: byNpm.split(' ') }),
})
const check = (program: string, args = '', byNpm?: string) => ({
  kind: 'check',
  program,
  args: split(args),
  ...(byNpm === undefined ? {} : { byNpm: byNpm.split(' ') }),
})
const other = { kind: 'other' }

test.each([
  ['npm test', script('npm', 'test')],
  ['npm t', script('npm', 'test')],
  ['npm run lint:fix', script('npm', 'lint:fix')],
  ['npm run -s build -- --watch', script('npm', 'build', '--watch')],
  ['npm test src/a -- -t x', script('npm', 'test', 'src/a -t x')],
  ['npm run build /a', script('npm', 'build', '/a')],
  ['npm run nothing', script('npm', 'nothing')],
  ['npm run', other],
  ['npm run build --prefix ../other', other],
  ['npm --script-shell=/tmp/x test', other],
  ['npm install', other],
  ['npm', other],
  ['pnpm build', script('pnpm', 'build', '', 'npm run build')],
  ['pnpm run build --watch', script('pnpm', 'build', '--watch', 'npm run build -- --watch')],
  ['pnpm test -- a.test.ts', script('pnpm', 'test', 'a.test.ts', 'npm test -- a.test.ts')],
  ['pnpm install', other],
  ['pnpm --dir ../x build', other],
  ['yarn build', script('yarn', 'build', '', 'npm run build')],
  ['yarn tsc -p .', check('tsc', '-p .', 'npx --no-install tsc -p .')],
  ['pnpm exec vitest run', check('vitest', 'run', 'npx --no-install vitest run')],
  ['pnpm exec cowsay', { ...other, byNpm: ['npx', '--no-install', 'cowsay'] }],
  ['npx --no-install oxlint .', check('oxlint', '.')],
  ['node_modules/.bin/tsc -p .', check('tsc', '-p .')],
  ['./node_modules/.bin/xo', check('xo')],
  ['../node_modules/.bin/tsc', other],
  ['npx biome check src', check('biome', 'src')],
  ['npx biome start', other],
  ['git status', { kind: 'git' }],
  ['git push', other],
  ['pnpm dlx cowsay', other],
  ['bun run build', script('bun', 'build', '', 'npm run build')],
  ['bun build', other],
  ['tsc --noEmit', check('tsc', '--noEmit')],
  ['npx tsc --noEmit', check('tsc', '--noEmit')],
  ['npx --no-install eslint .', check('eslint', '.')],
  ['npx -y eslint .', other],
  ['npx cowsay', other],
  ['vitest run', check('vitest', 'run')],
  ['node --test', check('node', '--test')],
  ['node --test-reporter=tap --test test/a.test.js', check('node', '--test-reporter=tap --test test/a.test.js')],
  ['node --test --import ./evil.js', check('node', '--test --import ./evil.js')],
  ['node build.js --test', other],
  ['node build.js', other],
  ['rm -rf .', other],
  ['', other],
])('%s', (command, known) => {
  expect(knownCommand(command.split(' '), scripts)).toEqual(known)
})
