import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitScript } from './script-steps.ts'
import { isPlaceholder, type Scripts, scriptSteps } from './script-tools.ts'

/** Steps in short: `tool: words`, `tool(env): words`, or the text of another command. */
function short(scripts: Scripts, name = 'test'): string[] | undefined {
  return scriptSteps(scripts, name)?.map((step) => {
    if (step.kind === 'other') return step.text
    const env = Object.entries(step.env).map(([key, value]) => `${key}=${value}`)
    const words = step.words.map((word) => word.value).join(' ')
    return `${step.tool}${env.length > 0 ? `(${env.join(',')})` : ''}: ${words}`
  })
}

describe('taking a script apart', () => {
  test.each([
    ['tsc && eslint . && vitest run', ['tsc: ', 'eslint: .', 'vitest: run']],
    ['NODE_ENV=test cross-env A="b c" vitest --dir test', ['vitest(NODE_ENV=test,A=b c): --dir test']],
    ['npx vitest; pnpm exec eslint src', ['vitest: ', 'eslint: src']],
    ['c8 vitest run --coverage', ['vitest: run --coverage']],
    ['node --import tsx --test "test/**/*.test.ts"', ['node: --import tsx --test test/**/*.test.ts']],
    ['tsx --test test/', ['tsx: --test test/']],
    ['vitest bench', ['vitest bench']],
    ['nyc mocha -r x test', ['mocha: -r x test']],
    ['jest --listTests', ['jest --listTests']],
    ['node --experimental-vm-modules node_modules/jest/bin/jest.js -i', ['jest: -i']],
    ['node ./node_modules/.bin/_mocha test', ['mocha: test']],
    ['node --import tsx build.js', ['node --import tsx build.js']],
    ['node build.js && mocha', ['node build.js', 'mocha: ']],
    ['npm run missing', ['npm run missing']],
    ['npm test -w packages/a', ['npm test -w packages/a']],
  ])('%s', (test, steps) => {
    expect(short({ test })).toEqual(steps)
  })

  test('calls of other scripts are followed, with what they are given', () => {
    const scripts = {
      test: 'npm run lint -- --quiet && yarn unit && run-s check:*',
      lint: 'eslint src',
      unit: 'vitest run',
      preunit: 'node build.js',
      'check:types': 'tsc --noEmit',
      'check:other': 'CI=1 npm run lint',
    }
    expect(short(scripts)).toEqual([
      'eslint: src --quiet',
      'node build.js',
      'vitest: run',
      'tsc: --noEmit',
      'eslint(CI=1): src',
    ])
  })

  test('scripts that call each other end', () => {
    expect(short({ test: 'npm run again', again: 'npm test' })).toEqual(['npm run again'])
  })

  test.each(['vitest | tee log', 'vitest > out.txt', '(cd a && vitest)', 'vitest $(cat files)', 'vitest &'])(
    '%s can only be run as a whole',
    (test) => {
      expect(short({ test })).toBeUndefined()
    },
  )
})

test('words know whether a shell would change them', () => {
  expect(
    splitScript(`a 'b c' "d" e\\ f *.js '*.js' $X "$X" ~/x`)?.[0]?.words.map((word) => [word.value, word.plain]),
  ).toEqual([
    ['a', true],
    ['b c', true],
    ['d', true],
    ['e f', true],
    ['*.js', false],
    ['*.js', true],
    ['$X', false],
    ['$X', false],
    ['~/x', false],
  ])
})

test('quoted words come back as they were, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
      const script = values.map((value) => `'${value.replaceAll("'", `'\\''`)}'`).join(' ')
      expect(splitScript(script)?.flatMap((step) => step.words.map((word) => word.value))).toEqual(values)
    }),
  )
})

test('placeholders are no tests', () => {
  const scripts = [
    'echo "Error: no test specified" && exit 1',
    'exit 0',
    'true',
    '',
    'echo no tests',
    'echo a && vitest',
    'node t.js',
  ]
  expect(scripts.map(isPlaceholder)).toEqual([true, true, true, true, true, false, false])
})
