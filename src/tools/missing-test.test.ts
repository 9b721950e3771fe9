import { expect, test } from 'vitest'
import { openTestRunner } from './testing.ts'

const IDS = [
  'src/cart/totals.test.ts > totals > adds prices',
  'src/cart/totals.test.ts > totals > rounds (half up)',
  "src/pricing/tax.test.ts > tax > keeps the payer's rate",
]
const FILES = {
  'package.json': JSON.stringify({
    scripts: { test: 'vitest run', unit: 'cross-env A=1 mocha', all: 'npm run unit --', build: 'tsc' },
  }),
  'src/cart/totals.ts': '',
  'src/cart/totals.test.ts': '',
  'src/pricing/tax.test.ts': '',
}

async function bed(ids: readonly string[] = IDS) {
  const opened = await openTestRunner(FILES)
  opened.runner.learnTests(ids)
  /** What a command is checked to, and the candidates where a test is missing. */
  const outcome = async (command: string) => {
    const found = await opened.check('runCommand', { command })
    if ('checked' in found) return 'fine'
    return found.failure.kind === 'target.not-found' ? found.failure.candidates : found.failure.kind
  }
  return { ...opened, outcome }
}

const instead = (before: string, after = '') => [
  `${before}src/cart/totals.test.ts${after}`,
  `${before}src/pricing/tax.test.ts${after}`,
]

test('a test file that is not there: the command with each of those that are, nearest first', async () => {
  const { check } = await bed()
  expect(await check('runCommand', { command: 'npx vitest run src/cart/total.test.ts -t adds' })).toEqual({
    failure: {
      callId: 'c1',
      tool: 'runCommand',
      kind: 'target.not-found',
      target: 'test',
      pointer: '/command',
      value: 'npx vitest run src/cart/total.test.ts -t adds',
      candidates: instead('npx vitest run ', ' -t adds'),
      exhaustive: true,
      lead: expect.any(Number),
    },
  })
})

test.each([
  ['npm test -- src/cart/total.test.ts', instead('npm test -- ')],
  ['npm run unit src/cart/total.test.ts', instead('npm run unit ')],
  ['npm run all -- --bail src/cart/total.test.ts', instead('npm run all -- --bail ')],
  ['jest --ci src/cart/total.test.ts', instead('jest --ci ')],
  ['node --test ./src/cart/total.test.ts', instead('node --test ')],
  ['npx vitest nothing-like-it', ['npx vitest src/pricing/tax.test.ts', 'npx vitest src/cart/totals.test.ts']],
  ['npx mocha totals', instead('npx mocha ')],
])('%s', async (command, candidates) => {
  const { outcome } = await bed()
  expect(await outcome(command)).toEqual(candidates)
})

test('a name that no test has: the names that there are, as patterns', async () => {
  const { outcome } = await bed()
  expect(await outcome("vitest run -t 'adds price tags'")).toEqual([
    "vitest run -t 'adds prices'",
    "vitest run -t 'rounds \\(half up\\)'",
    `vitest run -t "keeps the payer's rate"`,
  ])
  expect(await outcome('npm test -- --testNamePattern=roundings')).toEqual([
    "npm test -- '--testNamePattern=rounds \\(half up\\)'",
    "npm test -- '--testNamePattern=adds prices'",
    `npm test -- "--testNamePattern=keeps the payer's rate"`,
  ])
  expect((await outcome('npx mocha --fgrep roundings'))?.[0]).toBe("npx mocha --fgrep 'rounds (half up)'")
  expect((await outcome('node --test --test-name-pattern roundings'))?.[0]).toBe(
    "node --test --test-name-pattern 'rounds \\(half up\\)'",
  )
})

test.each([
  'vitest run',
  'vitest run totals',
  'vitest run cart/',
  'vitest run src/cart/totals.ts',
  'vitest run src/cart/totals.test.ts:12',
  "vitest run 'src/**/none.test.ts'",
  'vitest run -t ADDS',
  "vitest run -t 'totals adds prices'",
  "vitest run -t 'totals > adds'",
  "vitest run -t 'none|other'",
  'node --test --test-name-pattern /none/i',
  'vitest typecheck',
  "vitest run -t 'adds.prices'",
  'vitest related src/none.ts',
  'vitest run --dir src none.test.ts',
  'vitest run --unheard-of none.test.ts',
  'npx mocha -t 2000 src/cart/totals.test.ts',
  'npx mocha -i -g nothing',
  'npm test -- src/cart/none.test.ts --passWithNoTests',
  'npm run build -- none.test.ts',
  'npx vitest run src/none.test.ts | cat',
])('%s is left alone', async (command) => {
  const { outcome } = await bed()
  expect(await outcome(command)).toBe('fine')
})

test('nothing is refused as long as no test is known', async () => {
  const { outcome } = await bed([])
  expect(await outcome('vitest run src/none.test.ts -t nothing')).toBe('fine')
})

test('once a test file has changed, a name may be new; a file is looked up each time', async () => {
  const { outcome, run } = await bed()
  expect(await outcome('vitest run -t subtracts')).toHaveLength(3)
  expect(await outcome('vitest run src/new.test.ts')).toHaveLength(2)
  await run('createFile', { path: 'src/new.test.ts', content: 'x' })
  expect(await outcome('vitest run src/new.test.ts -t subtracts')).toBe('fine')
  expect(await outcome('vitest run src/newer.test.ts')).toHaveLength(3)
})
