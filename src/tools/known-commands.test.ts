import { expect, test } from 'vitest'
import { knownCommand } from './known-commands.ts'

const scripts = { test: 'vitest', build: 'tsc', install: 'x', 'lint:fix': 'eslint --fix .' }
const script = (manager: string, name: string) => ({ kind: 'script', manager, script: name })
const check = (program: string) => ({ kind: 'check', program })
const other = { kind: 'other' }

test.each([
  ['npm test', script('npm', 'test')],
  ['npm t', script('npm', 'test')],
  ['npm run lint:fix', script('npm', 'lint:fix')],
  ['npm run -s build -- --watch', script('npm', 'build')],
  ['npm run nothing', script('npm', 'nothing')],
  ['npm run', other],
  ['npm run build --prefix ../other', other],
  ['npm --script-shell=/tmp/x test', other],
  ['npm install', other],
  ['npm', other],
  ['pnpm build', script('pnpm', 'build')],
  ['pnpm run build', script('pnpm', 'build')],
  ['pnpm test', script('pnpm', 'test')],
  ['pnpm install', other],
  ['pnpm --dir ../x build', other],
  ['yarn build', script('yarn', 'build')],
  ['yarn tsc -p .', check('tsc')],
  ['pnpm exec vitest run', check('vitest')],
  ['pnpm dlx cowsay', other],
  ['bun run build', script('bun', 'build')],
  ['bun build', other],
  ['tsc --noEmit', check('tsc')],
  ['npx tsc --noEmit', check('tsc')],
  ['npx --no-install eslint .', check('eslint')],
  ['npx -y eslint .', other],
  ['npx cowsay', other],
  ['vitest run', check('vitest')],
  ['node --test', check('node')],
  ['node --test-reporter=tap --test test/a.test.js', check('node')],
  ['node --test --import ./evil.js', other],
  ['node --test -e process.exit()', other],
  ['node build.js', other],
  ['rm -rf .', other],
  ['', other],
])('%s', (command, known) => {
  expect(knownCommand(command.split(' '), scripts)).toEqual(known)
})
