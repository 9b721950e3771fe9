import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eslintCrash, parseEslint } from './eslint.ts'
import { parseNodeTest } from './node-test.ts'
import { mergeTests } from './tests.ts'
import { parseTsc } from './tsc.ts'
import { parseVitest, vitestStartUpError, vitestUnhandledErrors } from './vitest.ts'

const place = { root: '/repo', cwd: '/repo' }
const inPackage = { root: '/repo', cwd: '/repo/packages/a' }
const recorded = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/diagnostics/${name}`, import.meta.url), 'utf8')

test('tsc: located complaints with the lines that explain them', () => {
  expect(parseTsc(recorded('tsc.txt'), place)).toEqual([
    {
      source: 'tsc',
      severity: 'error',
      file: 'x.ts',
      line: 1,
      column: 14,
      code: 'TS2322',
      message: "Type 'string' is not assignable to type 'number'.",
    },
    {
      source: 'tsc',
      severity: 'error',
      file: 'x.ts',
      line: 2,
      column: 69,
      code: 'TS2322',
      message:
        "Type '{ b: { c: string; }; }' is not assignable to type '{ b: { c: number; }; }'.\n" +
        "  The types of 'b.c' are incompatible between these types.\n" +
        "    Type 'string' is not assignable to type 'number'.",
    },
    {
      source: 'tsc',
      severity: 'error',
      file: 'x.ts',
      line: 3,
      column: 19,
      code: 'TS2307',
      message: "Cannot find module './nope' or its corresponding type declarations.",
    },
  ])
})

test('tsc: a complaint about the configuration has no file; other lines are nothing', () => {
  expect([parseTsc(recorded('tsc-configuration.txt'), place), parseTsc('Hello\n\nFound 0 errors.', place)]).toEqual([
    [
      {
        source: 'tsc',
        severity: 'error',
        code: 'TS2688',
        message:
          "Cannot find type definition file for 'nope'.\n  The file is in the program because:\n" +
          "    Entry point of type library 'nope' specified in compilerOptions",
      },
    ],
    [],
  ])
})

test("tsc: paths count from the package's folder, brackets and parentheses in them included", () => {
  const line = 'src/(app)/[id].ts(3,1): error TS1005: \x1b[31mexpected\x1b[0m.\r\n'
  expect(parseTsc(line, inPackage)).toEqual([
    {
      source: 'tsc',
      severity: 'error',
      file: 'packages/a/src/(app)/[id].ts',
      line: 3,
      column: 1,
      code: 'TS1005',
      message: 'expected.',
    },
  ])
})

test('eslint: errors, and warnings where asked for; ignored files and idle directives are no complaints', () => {
  const errors = [
    { file: 'a.js', line: 2, column: 5, code: 'no-unused-vars', message: "'x' is assigned a value but never used." },
    {
      file: 'a.js',
      line: 2,
      column: 5,
      code: 'prefer-const',
      message: "'x' is never reassigned. Use 'const' instead.",
    },
    { file: 'b.js', line: 1, column: 7, message: 'Parsing error: Unexpected token =' },
  ].map((one) => ({ source: 'eslint', severity: 'error', ...one }))
  const warning = {
    source: 'eslint',
    severity: 'warning',
    file: 'a.js',
    line: 3,
    column: 1,
    code: 'no-console',
    message: 'Unexpected console statement.',
  }
  expect([
    parseEslint(recorded('eslint.json'), place, { warnings: false }),
    parseEslint(recorded('eslint.json'), place, { warnings: true }),
    parseEslint('', place, { warnings: false }),
    parseEslint('[{"filePath":', place, { warnings: false }),
  ]).toEqual([errors, [errors[0], errors[1], warning, errors[2]], undefined, undefined])
})

test('eslint: a crash in one line', () => {
  expect(eslintCrash(recorded('eslint-crash.txt'))).toBe(
    'A configuration object specifies rule "nope/x", but could not find plugin "nope".',
  )
})

test('vitest: tests with printed failures; a file that does not load is a failed test', () => {
  expect(parseVitest(recorded('vitest.json'), recorded('vitest.txt'), place)).toEqual([
    { id: 'test/a.test.ts > suite > passes', file: 'test/a.test.ts', status: 'passed' },
    {
      id: 'test/a.test.ts > suite > fails',
      file: 'test/a.test.ts',
      status: 'failed',
      message:
        'AssertionError: expected { a: 1 } to deeply equal { a: 2 }\n\n- Expected\n+ Received\n\n  {\n-   "a": 2,\n' +
        '+   "a": 1,\n  }\n\n ❯ test/a.test.ts:2:88',
    },
    {
      id: 'test/a.test.ts > suite > inner > deep',
      file: 'test/a.test.ts',
      status: 'failed',
      message: 'TypeError: boom\n ❯ test/a.test.ts:2:161',
    },
    { id: 'test/a.test.ts > suite > inner > sk', file: 'test/a.test.ts', status: 'skipped' },
    { id: 'test/a.test.ts > suite > inner > td', file: 'test/a.test.ts', status: 'skipped' },
    {
      id: 'test/b.test.ts',
      file: 'test/b.test.ts',
      status: 'failed',
      message:
        "Error: Cannot find module './nope' imported from test/b.test.ts\n ❯ test/b.test.ts:1:1\n" +
        "      1| import './nope'\n       | ^\n      2|",
    },
    {
      id: 'test/c.test.ts',
      file: 'test/c.test.ts',
      status: 'failed',
      message:
        'Error: Transform failed with 1 error:\n\n[PARSE_ERROR] Expected `)` but found `EOF`\n' +
        '   ╭─[ test/c.test.ts:1:13 ]\n   │\n 1 │ const x = (\n   │             │ \n   │             ╰─ `)` expected\n' +
        '───╯\n\n  Plugin: vite:oxc\n  File: test/c.test.ts',
    },
    { id: 'test/d.test.ts > late', file: 'test/d.test.ts', status: 'passed' },
    { id: 'test/d.test.ts > wait', file: 'test/d.test.ts', status: 'passed' },
  ])
})

test('vitest: what the report says is used where nothing was printed', () => {
  const message = parseVitest(recorded('vitest.json'), '', place)?.find((one) => one.id.endsWith('deep'))?.message
  expect(message).toBe('TypeError: boom\n    at test/a.test.ts:2:161')
})

test('vitest: errors outside of tests, and a start that failed', () => {
  expect([
    vitestUnhandledErrors(recorded('vitest.txt'), place),
    vitestUnhandledErrors('all fine', place),
    vitestStartUpError(recorded('vitest-start-up.txt')),
    parseVitest('', recorded('vitest-start-up.txt'), place),
  ]).toEqual([
    [{ source: 'vitest', severity: 'error', file: 'test/d.test.ts', code: 'unhandled-error', message: 'Error: late' }],
    [],
    'Error: cfg',
    undefined,
  ])
})

test.each([20, 22, 24])('node:test of Node %i: nesting, skips, hooks, files that fail as a whole', (version) => {
  const tests = parseNodeTest(recorded(`node-test-${version}.jsonl`), place)
  // Versions differ in a blank line and in Node's own frames.
  const alike = tests.map((one) =>
    one.message === undefined
      ? one
      : { ...one, message: one.message.replace(/\n+/g, '\n').replaceAll(/\d+\n {2}throw err|v\d+\.\d+\.\d+/g, '') },
  )
  expect(alike).toEqual([
    { id: 'test/a.test.js > suite > passes', file: 'test/a.test.js', status: 'passed' },
    {
      id: 'test/a.test.js > suite > fails',
      file: 'test/a.test.js',
      status: 'failed',
      message:
        'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n+ actual - expected\n  {\n+   a: 1\n-   a: 2\n  }\n' +
        '    at TestContext.<anonymous> (test/a.test.js:2:78)\n    at async Promise.all (index 0)',
    },
    {
      id: 'test/a.test.js > suite > inner > deep',
      file: 'test/a.test.js',
      status: 'failed',
      message: 'TypeError: boom\n    at TestContext.<anonymous> (test/a.test.js:2:162)',
    },
    { id: 'test/a.test.js > suite > inner > sk', file: 'test/a.test.js', status: 'skipped' },
    { id: 'test/a.test.js > suite > inner > td', file: 'test/a.test.js', status: 'skipped' },
    { id: 'test/a.test.js > top > sub', file: 'test/a.test.js', status: 'passed' },
    { id: 'test/a.test.js > top', file: 'test/a.test.js', status: 'passed' },
    {
      id: 'test/b.test.js',
      file: 'test/b.test.js',
      status: 'failed',
      message:
        "node:internal/modules/cjs/loader:;\n  ^\nError: Cannot find module './nope'\nRequire stack:\n- test/b.test.js\n" +
        "    at Object.<anonymous> (test/b.test.js:1:11)\n  code: 'MODULE_NOT_FOUND',\n" +
        "  requireStack: [ 'test/b.test.js' ]\n}\nNode.js ",
    },
    { id: 'test/c.test.js', file: 'test/c.test.js', status: 'passed' },
    { id: 'test/d.test.js > ok then crash', file: 'test/d.test.js', status: 'passed' },
    {
      id: 'test/d.test.js',
      file: 'test/d.test.js',
      status: 'failed',
      message:
        'Error: A resource generated asynchronous activity after the test ended. This activity created the error ' +
        '"Error: late" which triggered an uncaughtException event, caught by the test runner.',
    },
    {
      id: 'test/e.test.js > hooked > never runs',
      file: 'test/e.test.js',
      status: 'failed',
      message: 'test did not finish before its parent and was cancelled',
    },
    {
      id: 'test/e.test.js > hooked',
      file: 'test/e.test.js',
      status: 'failed',
      message: 'Error: no database\n    at SuiteContext.<anonymous> (test/e.test.js:1:102)',
    },
  ])
})

test('node:test: lines that are cut off or of something else are nothing', () => {
  expect(parseNodeTest('noise\n{"type":"test:pa', place)).toEqual([])
})

test('of tests with one name, one that fails makes the name fail', () => {
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((status) => ({ id: 'a', status }))
  expect([
    mergeTests([passed, failed, skipped].filter((one) => one !== undefined)),
    mergeTests([skipped, passed].filter((one) => one !== undefined)),
  ]).toEqual([[failed], [passed]])
})
