import { expect, it } from 'vitest'
import { type CheckKind, type CheckResult, NO_NEWS, type Verdict } from '../verdict.ts'
import { proofLines, withoutText } from './checks.ts'

const result = (kind: CheckKind, status: CheckResult['status'], id: string = kind): CheckResult => ({
  check: { id, kind, tool: kind, command: kind, cwd: '.' },
  status,
  diagnostics: [],
  tests: [],
  ms: 1,
  output: '',
  ...(status === 'unavailable' ? { reason: 'not installed' } : {}),
})
const verdict = (...results: readonly CheckResult[]): Verdict => ({
  status: 'pass',
  results,
  ...NO_NEWS,
})

it('says which kinds of checks did not judge, where no check of the kind did', () => {
  const types = result('types', 'passed')
  expect([
    withoutText(undefined),
    withoutText(verdict(types, result('tests', 'passed'))),
    withoutText(verdict(types, result('lint', 'unavailable'), result('tests', 'unavailable'))),
    withoutText(verdict(result('tests', 'unavailable', 'a'), result('tests', 'failed', 'b'))),
  ]).toEqual(['', '', ' (without lint, tests)', ''])
})

it('counts the tests that are new, where there are any', () => {
  const texts = (addedPassing: number) =>
    proofLines({ ...verdict(), addedPassing, stillPassing: 3 }, 1).map(({ text }) => text)
  expect([texts(0), texts(1), texts(12)]).toEqual([
    ['3 tests still passing'],
    ['1 new test passes', '3 tests still passing'],
    ['12 new tests pass', '3 tests still passing'],
  ])
})

it('names every check that did not judge, with the reason, among what is proven', () => {
  expect(proofLines(verdict(result('types', 'passed'), result('tests', 'unavailable')), 1)).toEqual([
    { tone: 'warn', indent: 1, text: '! not judged: tests could not run: not installed' },
  ])
})
