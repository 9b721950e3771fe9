import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestRunner } from './testing.ts'

const SCRIPTS = {
  test: 'vitest run',
  'test:node': 'NODE_ENV=test node --import ./setup.js --test',
  'test:deep': 'tsc && npm run test',
  lint: 'cross-env CI=1 eslint .',
  clean: 'rm -rf',
  fmt: `node -e "require('fs').writeFileSync(process.argv[1],'pwn')"`,
  format: 'node scripts/format.js',
  add: 'npm install',
  tricky: 'sh -c',
  loop: 'npm run loop',
}
const PROGRAMS = ['tsc', 'eslint', 'vitest', 'jest', 'mocha', 'prettier', 'biome', 'oxlint', 'xo']

async function openAsking() {
  const { root, outer, check } = await openTestRunner({
    'package.json': JSON.stringify({ name: 'x', scripts: SCRIPTS }),
    'tsconfig.json': '{}',
    'src/a.ts': '',
    'app/[id]/(shop)/page.tsx': '',
    'node_modules/a/index.js': '',
    ...Object.fromEntries(PROGRAMS.map((program) => [`node_modules/.bin/${program}`, ''])),
  })
  await mkdir(path.join(outer, 'out'))
  await symlink(path.join(outer, 'out'), path.join(root, 'link'))
  const asks = async (command: string): Promise<boolean> => {
    const outcome = await check('runCommand', { command })
    if ('failure' in outcome) throw new Error(`${command}: ${JSON.stringify(outcome.failure)}`)
    return outcome.checked.needsApproval !== undefined
  }
  return {
    root,
    which: async (commands: readonly string[], wanted: boolean) => {
      const answers = await Promise.all(commands.map(asks))
      return commands.filter((_, index) => answers[index] === wanted)
    },
  }
}

test('what only chooses what is checked, inside of the repository, runs without asking', async () => {
  const { root, which } = await openAsking()
  const commands = [
    'npx tsc --noEmit -p tsconfig.json',
    'npx tsc -b --pretty false',
    `npx tsc --noEmit -p ${root}`,
    'npx eslint .',
    "npx eslint --fix --max-warnings 0 --ext .ts,.tsx 'src/**/*.{ts,tsx}'",
    "npx eslint --format=json --rule 'no-var: error' src/a.ts",
    "npx eslint 'app/[id]/(shop)/page.tsx'",
    'npx vitest run src/a.test.ts:12 -t "adds /two/ (numbers)"',
    'npx vitest run --reporter=dot --coverage math',
    'npx jest --runInBand --testNamePattern=adds --maxWorkers=50% src',
    'npx mocha -R dot -g adds -t 5s test/a.spec.js',
    'node --test',
    'node --test --test-reporter spec --test-name-pattern "adds two" test/a.test.js',
    'npx prettier --check .',
    'npx prettier --write src/a.ts',
    'npx biome check --write src',
    'npx oxlint -D no-debugger --fix src',
    'npx xo --fix src/a.ts',
    'npm test -- src/a.test.ts -t "adds two"',
    'npm test src/a.test.ts',
    'npm run test:node -- --test-only test/a.test.js',
    'npm run test:deep -- --coverage src',
    'npm run lint -- --fix src',
    'npm run format -- src/a.ts -t adds',
    'npm run clean -- src',
  ]
  expect(await which(commands, true)).toEqual([])
})

test('what could write elsewhere or bring code of its own asks', async () => {
  const { root, which } = await openAsking()
  const commands = [
    'npx eslint . -o /tmp/x',
    'npx eslint . --output-file=.git/pwned',
    'npx eslint --output-file .git/pwned .',
    'npx eslint -c /tmp/evil.js .',
    'npx eslint --config=evil.js .',
    'npx eslint --rulesdir rules .',
    'npx eslint --plugin x .',
    'npx eslint --resolve-plugins-relative-to /tmp .',
    'npx eslint -f ./formatter.js .',
    'npx eslint --parser /tmp/x.js .',
    'npx eslint --cache-location /tmp/x .',
    'npx eslint --fix /tmp/x',
    'npx eslint --fix ../x',
    'npx eslint --fix link/x.js',
    'npx eslint --fix link/../x.js',
    "npx eslint --fix '{.,.}./x.js'",
    "npx eslint --fix '{/tmp/x,src}/*.js'",
    "npx eslint --fix '@(.|x)./a.js'",
    "npx eslint --fix '[.][.]/a.js'",
    'npx eslint --fix node_modules/a',
    'npx eslint --fix .git/hooks',
    'npx eslint -- -o',
    'npx tsc --outDir /tmp/x',
    'npx tsc --outDir=/tmp/x',
    'npx tsc --outFile /tmp/x.js',
    'npx tsc --generateTrace /tmp/x',
    'npx tsc --generateCpuProfile /tmp/x',
    'npx tsc --tsBuildInfoFile /tmp/x',
    'npx tsc -p /tmp/x',
    'npx tsc --project ..',
    'npx tsc @options.txt',
    'npx vitest --outputFile=/tmp/x --reporter=json',
    'npx vitest run --reporter ./evil.ts',
    'npx vitest --config /tmp/x.ts',
    'npx vitest --globalSetup /tmp/x.ts',
    'npx vitest --root=/tmp',
    'npx vitest init browser',
    'npx jest --globalSetup /tmp/x.js',
    'npx jest --outputFile=/tmp/x --json',
    'npx jest --rootDir /tmp',
    'npx jest --runner /tmp/x.js',
    'npx mocha -r /tmp/x.js',
    'npx mocha --require=/tmp/x.js',
    'npx mocha --reporter-option output=/tmp/x',
    'npx mocha --loader /tmp/x.mjs',
    'npx prettier --plugin /tmp/x.js .',
    'npx prettier --config /tmp/x.js .',
    'npx biome check --config-path /tmp .',
    'npx biome ci --reporter-file=/tmp/x .',
    'npx oxlint -c /tmp/x.json',
    'node --test --test-reporter=/tmp/evil.mjs',
    'node --test --test-reporter=./evil.mjs',
    'node --test --test-reporter=spec --test-reporter-destination=.git/hooks/pre-commit',
    'node --test ../../outside.js',
    'node --test --import ./evil.js',
    'node --test --require /tmp/x.js',
    'node --test --experimental-loader /tmp/x.mjs',
    'node --test --env-file=/tmp/x',
    'node --test -e process.exit()',
    'node build.js --test',
    'NODE_OPTIONS=--import=/tmp/x.mjs npm test',
    'npm test --prefix /tmp',
    'npm --prefix=/tmp test',
    'npm test -- --outputFile=/tmp/x',
    'npm test -- --config evil.ts',
    'npm test /tmp/x',
    'npm run fmt -- /tmp/x',
    'npm run fmt /tmp/x',
    'npm run fmt -- src/a.ts',
    'npm run format -- /tmp/x',
    'npm run format -- src/none.ts',
    'npm run format -- --out=x',
    'npm run format -- -t /tmp/x',
    'npm run fmt -- .git/config',
    'npm run fmt -- ../x',
    'npm run clean -- .',
    `npm run clean -- ${root}`,
    'npm run clean -- node_modules',
    'npm run clean -- -t /tmp/x',
    'npm run add -- evil-package',
    'npm run add -- src/a.ts',
    "npm run tricky -- 'touch x'",
    'npm run loop -- src/a.ts',
    'npm run test:deep -- -c /tmp/x',
    'npm run lint -- -o /tmp/x',
  ]
  expect(await which(commands, false)).toEqual([])
})
