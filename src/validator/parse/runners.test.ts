import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mochaLoadFailure, parseMocha } from './mocha.ts'
import { parseReport, startUpError } from './test-report.ts'

const place = { root: '/repo', cwd: '/repo' }
const recorded = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/diagnostics/${name}`, import.meta.url), 'utf8')

test('jest: tests by file and full name, by project where several run the file; a file that does not load has failed', () => {
  const difference =
    'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: -1\n' +
    '    at Object.toBe (test/sum.test.js:3:40)'
  const sum = (name: string) => {
    const file = 'test/sum.test.js'
    return [
      { id: `${name} > sum > adds`, file, status: 'failed', message: difference },
      { id: `${name} > sum > adds nothing`, file, status: 'passed' },
      { id: `${name} > sum > later`, file, status: 'skipped' },
      { id: `${name} > sum > some day`, file, status: 'skipped' },
    ]
  }
  expect(parseReport(recorded('jest.json'), place)).toEqual([
    {
      id: 'test/broken.test.js',
      file: 'test/broken.test.js',
      status: 'failed',
      message:
        "● Test suite failed to run\n\n    Cannot find module '../src/gone' from 'test/broken.test.js'\n\n" +
        "    > 1 | require('../src/gone')\n        | ^\n      2 | test('never', () => {})\n      3 |\n\n" +
        '      at Object.require (test/broken.test.js:1:1)',
    },
    ...sum('test/sum.test.js [node]'),
    ...sum('test/sum.test.js'),
  ])
})

const mocha = [
  { id: 'test/sum.js > sum adds nothing', file: 'test/sum.js', status: 'passed' },
  { id: 'test/sum.js > sum some day', file: 'test/sum.js', status: 'skipped' },
  {
    id: 'test/sum.js > sum adds',
    file: 'test/sum.js',
    status: 'failed',
    message:
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n-1 !== 3\n\n' +
      '    at Context.<anonymous> (test/sum.js:4:27)',
  },
  {
    id: 'test/sum.js > sum inner "before all" hook: prepares for "x"',
    file: 'test/sum.js',
    status: 'failed',
    message: 'Error: no\n    at Context.<anonymous> (test/sum.js:7:62)',
  },
]

test.each(['mocha.json', 'mocha-8.txt'])('mocha: %s, failed hooks included', (name) => {
  expect(parseMocha(recorded(name), place)).toEqual(mocha)
})

test('mocha: no report, or a part of one', () => {
  expect([parseMocha('', place), parseMocha('{\n  "stats": {', place), parseMocha('{"stats": 1}', place)]).toEqual(
    Array(3).fill(undefined),
  )
})

test.each([
  ['mocha-load.txt', 'test/broken.js', /^Error: Cannot find module '\.\.\/src\/gone'/],
  ['mocha-load-module.txt', 'test/broken.mjs', /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module 'src\/gone\.mjs'/],
  ['mocha-load-syntax.txt', 'test/broken.js', /^test\/broken\.js:1\nconst = 1\n/],
])('mocha: %s is a test file that failed to load', (name, file, message) => {
  expect(mochaLoadFailure(recorded(name), place)).toEqual({
    id: file,
    file,
    status: 'failed',
    message: expect.stringMatching(message),
  })
})

test('runners that can not start', () => {
  expect([
    mochaLoadFailure(recorded('mocha-start-up.txt'), place),
    startUpError(recorded('mocha-start-up.txt')),
    startUpError(recorded('jest-start-up.txt')),
    startUpError(''),
  ]).toEqual([
    undefined,
    "ERROR: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /repo/node_modules/mocha/lib/nodejs/esm-utils.js",
    'Unrecognized CLI Parameter: Unrecognized option "nope".',
    'no output',
  ])
})
