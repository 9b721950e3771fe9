import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CheckPlan, type CheckResult, type Diagnostic, NO_NEWS, type TestResult } from '../core/verdict.ts'
import { compareCheck, toVerdict } from './baseline.ts'
import type { CheckRun } from './checks/check.ts'

const plan: CheckPlan = { id: 'types', kind: 'types', tool: 'tsc', command: 'npx tsc', cwd: '.' }

function result(diagnostics: readonly Diagnostic[], tests: readonly TestResult[] = []): CheckResult {
  return { check: plan, status: 'failed', diagnostics, tests, ms: 1, output: '' }
}
const cannot = (reason: string): CheckResult => ({ ...result([]), status: 'unavailable', reason })
const run = (one: CheckResult, cause?: CheckRun['cause']): CheckRun => ({ result: one, ...(cause && { cause }) })

const complaint = (line: number, message = 'm', file = 'a.ts', code = 'TS2322'): Diagnostic => ({
  source: 'tsc',
  severity: 'error',
  file,
  line,
  code,
  message,
})

const diagnostics = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('m', 'n'), fc.constantFrom('a.ts', 'b.ts'))
    .map(([line, message, file]) => complaint(line, message, file)),
)
const tests = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), status: fc.constantFrom('passed', 'failed', 'skipped') }),
  { selector: (one) => one.id },
)

const ran = (list: readonly TestResult[]) => list.filter((test) => test.status !== 'skipped').map((test) => test.id)

describe('comparing with what was there before', () => {
  test('the same again is never new, wherever it moved', () => {
    fc.assert(
      fc.property(diagnostics, fc.integer({ min: 0, max: 9 }), (before, shift) => {
        const moved = before.map((one) => ({ ...one, line: (one.line ?? 0) + shift })).reverse()
        expect(compareCheck(result(before), run(result(moved)), [])).toEqual({ ...NO_NEWS, preexisting: before.length })
      }),
    )
  })

  test('whatever comes on top is new, as often as it comes', () => {
    fc.assert(
      fc.property(diagnostics, diagnostics, (before, more) => {
        const now = [...before, ...more.map((one) => ({ ...one, line: (one.line ?? 0) + 100 }))]
        expect(compareCheck(result(before), run(result(now)), [])).toEqual({
          ...NO_NEWS,
          newDiagnostics: now.slice(before.length),
          preexisting: before.length,
        })
      }),
    )
  })

  test('every test is counted once, under what became of it', () => {
    fc.assert(
      fc.property(tests, tests, (before, now) => {
        const one = compareCheck(result([], before), run(result([], now)), [])
        const was = new Map(before.map((test) => [test.id, test.status]))
        expect({ ...one, newlyFailing: one.newlyFailing.map((test) => test.id) }).toEqual({
          ...NO_NEWS,
          newlyFailing: now.filter((t) => t.status === 'failed' && was.get(t.id) !== 'failed').map((t) => t.id),
          stillFailing: now.filter((t) => t.status === 'failed' && was.get(t.id) === 'failed').map((t) => t.id),
          newlyPassing: now.filter((t) => t.status === 'passed' && was.get(t.id) === 'failed').map((t) => t.id),
          addedPassing: Math.max(
            0,
            now.filter((t) => t.status === 'passed' && !was.has(t.id)).length -
              ran(before).filter((id) => !ran(now).includes(id)).length,
          ),
          stillPassing: now.filter((t) => t.status === 'passed' && was.get(t.id) === 'passed').length,
          vanished: ran(now).length < ran(before).length ? ran(before).filter((id) => !ran(now).includes(id)) : [],
        })
      }),
    )
  })

  test('of tests that are new and renamed, only as many are new as there are more', () => {
    const all = (...ids: readonly string[]) => ids.map((id): TestResult => ({ id, status: 'passed' }))
    const added = (now: readonly TestResult[]) =>
      compareCheck(result([], all('a', 'b')), run(result([], now)), []).addedPassing
    expect([added(all('a', 'c')), added(all('a', 'b', 'c', 'd')), added(all('a', 'c', 'd'))]).toEqual([0, 2, 1])
  })

  test('of equal complaints the one on an unknown line is the new one', () => {
    const now = [complaint(1), complaint(7), complaint(9)]
    expect(compareCheck(result([complaint(1), complaint(9)]), run(result(now)), []).newDiagnostics).toEqual([
      complaint(7),
    ])
  })

  test('what syntax errors hid is new only in changed files', () => {
    const before = result([complaint(1, "';' expected", 'b.ts', 'TS1005')])
    const now = result([complaint(3, 'old', 'c.ts'), complaint(4, 'mine', 'b.ts')])
    expect(compareCheck(before, run(now), ['b.ts'])).toEqual({
      ...NO_NEWS,
      newDiagnostics: [complaint(4, 'mine', 'b.ts')],
      preexisting: 1,
    })
  })

  test('a script that fails with other output than before is not new', () => {
    const fails = (output: string): Diagnostic => ({
      source: 'lint',
      severity: 'error',
      code: 'exit-code',
      message: output,
    })
    expect(compareCheck(result([fails('in 10 ms')]), run(result([fails('in 12 ms')])), [])).toEqual({
      ...NO_NEWS,
      preexisting: 1,
    })
  })
})

describe('reports of which one could not be read', () => {
  const whole: Diagnostic = { source: 'lint', severity: 'error', code: 'exit-code', message: 'something is wrong' }
  const passed: CheckResult = { ...result([]), status: 'passed' }
  test.each([
    ['before', result([whole]), result([complaint(1), complaint(2)]), { news: 0, preexisting: 2 }],
    ['now', result([complaint(1)]), result([whole]), { news: 0, preexisting: 1 }],
    ['now, after a pass', passed, result([whole]), { news: 1, preexisting: 0 }],
  ])('%s', (_, before, now, expected) => {
    const { newDiagnostics, preexisting } = compareCheck(before, run(now), [])
    expect({ news: newDiagnostics.length, preexisting }).toEqual(expected)
  })
})

describe('checks that can not run', () => {
  const lost: Diagnostic = {
    source: 'tsc',
    severity: 'error',
    code: 'no-longer-runs',
    message: "`npx tsc` ran before the first edit and can't any more: broken",
  }
  const fine: CheckResult = { ...result([]), status: 'passed' }
  test.each([
    ['now, by the edit', fine, run(cannot('broken'), 'not-begun'), { status: 'fail', news: [lost] }],
    ['now, cut by the deadline', fine, run(cannot('slow'), 'interrupted'), { status: 'unavailable', news: [] }],
    [
      'neither before nor now',
      cannot('broken'),
      run(cannot('broken'), 'not-begun'),
      { status: 'unavailable', news: [] },
    ],
    ['before, but now', cannot('broken'), run(result([complaint(1)])), { status: 'pass', news: [] }],
  ])('%s', (_, before, now, expected) => {
    const verdict = toVerdict({ results: [before] }, [now], [])
    expect({ status: verdict.status, news: verdict.newDiagnostics }).toEqual(expected)
  })

  test('one that never could is left out when another can', () => {
    const other = { ...fine, check: { ...plan, id: 'lint' } }
    const verdict = toVerdict({ results: [cannot('x'), other] }, [run(cannot('x'), 'not-begun'), run(other)], [])
    expect([verdict.status, verdict.results.map((one) => [one.status, one.reason])]).toEqual([
      'pass',
      [
        ['unavailable', 'x'],
        ['passed', undefined],
      ],
    ])
  })

  test('tests that nobody could run before count neither as new nor as still passing', () => {
    const now = result(
      [],
      [
        { id: 'a', status: 'passed' },
        { id: 'b', status: 'failed' },
      ],
    )
    expect(compareCheck(cannot('x'), run(now), [])).toEqual({ ...NO_NEWS, stillFailing: ['b'] })
  })
})
