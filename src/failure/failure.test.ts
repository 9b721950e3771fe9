import { expect, it } from 'vitest'
import type { FailureKind } from '../core/failure.ts'
import { FailureError } from '../core/failure.ts'
import { exitCodeOf } from '../core/outcome.ts'
import { type CheckResult, NO_NEWS, type Verdict } from '../core/verdict.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { classify, failureOf } from './classify.ts'
import { describe as describeForPerson } from './describe.ts'
import { describeDiagnostics, describeTests, explain } from './explain.ts'
import { follows, POLICY } from './policy.ts'
import { SAMPLE_FAILURES } from './testing.ts'

const prompts = loadPrompts('prompts')
const kinds = Object.keys(SAMPLE_FAILURES) as FailureKind[]

it('has a row, an exit code and words for every kind of failure', () => {
  expect(Object.keys(POLICY).sort()).toEqual([...kinds].sort())
  const told = kinds.map((kind) => [kind, exitCodeOf(SAMPLE_FAILURES[kind]), describeForPerson(SAMPLE_FAILURES[kind])])
  expect(told).toEqual([
    ['call.unknown-tool', 1, 'the model kept calling tools that do not exist (last: str_replace)'],
    ['call.invalid-arguments', 1, 'the model kept calling editFile with arguments that do not fit its schema'],
    ['call.truncated', 1, 'the output limit kept cutting off the call of editFile: raise maxOutputTokens'],
    ['call.denied', 1, 'the call of editFile was refused'],
    ['call.skipped', 1, 'the call of editFile was not carried out'],
    ['target.not-found', 1, 'the model kept naming a path that does not exist: src/b.ts'],
    ['edit.no-match', 1, "the model's edits of src/a.ts did not apply"],
    ['edit.ambiguous', 1, "the model's edits of src/a.ts did not apply"],
    ['edit.stale', 1, "the model's edits of src/a.ts did not apply"],
    ['edit.out-of-scope', 1, 'the model kept trying to change ../x: it is outside of the repository'],
    ['edit.syntax', 1, "the model's edits of src/a.ts would have broken its syntax: Unexpected token"],
    [
      'check.syntax',
      1,
      'every attempt left code that does not parse: src/a.ts:3 Type "string" is not assignable to type "number".',
    ],
    [
      'check.types',
      1,
      'every attempt failed the type check: src/a.ts:3 Type "string" is not assignable to type "number".',
    ],
    ['check.lint', 1, 'every attempt failed the linter: src/a.ts:3 Type "string" is not assignable to type "number".'],
    ['check.tests', 1, 'every attempt failed tests that passed before: a.test.ts > adds'],
    ['check.tampered', 1, 'the change weakened what judges it: a test was deleted'],
    ['check.unavailable', 54, 'a check could not run (types): tsc is not installed'],
    ['provider.transient', 51, 'the provider kept failing: overloaded'],
    ['provider.auth', 41, 'the provider refused the credentials: invalid x-api-key'],
    ['provider.quota', 51, "the account's quota is used up: credit balance is too low"],
    ['provider.refused', 51, 'the model refused: the request was declined'],
    ['provider.rejected', 51, 'the provider rejected the request: no such model'],
    ['provider.context-overflow', 51, "the conversation is larger than the model's context: prompt is too long"],
    ['io.transient', 1, 'the file system or git kept failing: EBUSY'],
    ['progress.repeated', 1, 'the model kept repeating what had led nowhere'],
    ['progress.none', 3, 'the model ended without changing anything: the answer was empty'],
    ['budget.turns', 53, 'the limit of 60 requests is reached (--max-turns)'],
    ['budget.time', 55, 'the time limit of 600 s is reached (--timeout)'],
    ['budget.money', 55, 'the budget of $2 is used up (--max-budget-usd)'],
    ['user.cancelled', 130, 'interrupted by SIGINT'],
    ['internal.defect', 1, "a defect of goatfied's own: x is not a function"],
    ['internal.restore', 1, 'the tree could not be given back (EACCES): src/a.ts'],
  ])
})

it('explains to the model what it can mend, and only that it was interrupted otherwise', () => {
  const explained = Object.fromEntries(kinds.map((kind) => [kind, explain(prompts, SAMPLE_FAILURES[kind])]))
  const interrupted = 'Not executed: the run was interrupted.'
  const notTheModels = kinds.filter((kind) => explained[kind] === interrupted)
  expect(notTheModels).toEqual(kinds.filter((kind) => /^(provider|io|budget|user|internal)\.|unavailable/.test(kind)))
  expect(explained['target.not-found']).toBe('There is no path "src/b.ts". The nearest ones:\n- src/a.ts\n- lib/b.ts')
  expect(explained['edit.no-match']).toBe(
    'src/a.ts is unchanged: the oldText of edit 1 is not in it. What is most like it in the file:\nlines 1-2:\none\ntwo',
  )
  expect(explain(prompts, { ...SAMPLE_FAILURES['edit.no-match'], nearest: [] })).toBe(
    'src/a.ts is unchanged: the oldText of edit 1 is not in it, nor anything like it. Search for where that code is, or read the file.',
  )
  expect(explained['edit.syntax']).toBe(
    'src/a.ts is unchanged: with this edit it would not parse any more (2:7: Unexpected token). The lines as they would be:\n1\tif (a) {\n2\t  b( }\nSend the edit again, corrected.',
  )
  expect(explained['call.invalid-arguments']).toBe(
    'The arguments of editFile do not fit its schema. Nothing was executed.\n- /path must be string',
  )
  expect(explained['check.types']).toBe(
    'The compiler rejects the change:\nsrc/a.ts:3:7 TS2322 Type "string" is not assignable to type "number".',
  )
})

it('does not take text from outside for places of its own', () => {
  const odd = { ...SAMPLE_FAILURES['target.not-found'], value: '{{candidates}} $& $1', candidates: ['{{value}}'] }
  expect(explain(prompts, odd)).toBe('There is no path "{{candidates}} $& $1". The nearest ones:\n- {{value}}')
})

it('shows each diagnostic once and says how many it leaves out', () => {
  const many = Array.from({ length: 25 }, (_, index) => ({
    source: 'tsc',
    severity: 'error' as const,
    file: 'a.ts',
    line: index + 1,
    message: 'x',
  }))
  const lines = describeDiagnostics([...many, ...many]).split('\n')
  expect(lines).toEqual([...Array.from({ length: 20 }, (_, index) => `a.ts:${index + 1} x`), '(5 more)'])
  expect(describeTests([{ id: 'a > b', status: 'failed', message: 'expected 1\nto be 2\n' }])).toBe(
    '- a > b\n    expected 1\n    to be 2',
  )
})

it('follows the table: first as often as the limit says, then what comes after', () => {
  const sequence = (kind: FailureKind) => [1, 2, 3, 4].map((count) => follows(POLICY[kind], count))
  expect({
    unknownTool: sequence('call.unknown-tool'),
    arguments: sequence('call.invalid-arguments'),
    truncated: sequence('call.truncated'),
    target: sequence('target.not-found'),
    noMatch: sequence('edit.no-match'),
    types: sequence('check.types'),
    unavailable: sequence('check.unavailable'),
    repeated: sequence('progress.repeated'),
  }).toEqual({
    unknownTool: ['replan', 'replan', 'replan', 'give-up'],
    arguments: ['retry', 'replan', 'replan', 'replan'],
    truncated: ['retry', 'retry', 'end-of-attempt', 'end-of-attempt'],
    target: ['retry', 'replan', 'replan', 'replan'],
    noMatch: ['retry', 'retry', 'end-of-attempt', 'end-of-attempt'],
    types: ['retry', 'retry', 'retry', 'replan'],
    unavailable: ['stop', 'stop', 'stop', 'stop'],
    repeated: ['retry', 'end-of-attempt', 'end-of-attempt', 'end-of-attempt'],
  })
})

it('takes a thrown failure as it is and everything else for a defect', () => {
  const failure = SAMPLE_FAILURES['user.cancelled']
  expect([classify(new FailureError(failure, 'x')), classify(new TypeError('boom')), classify('text')]).toEqual([
    failure,
    { kind: 'internal.defect', reason: 'boom', stack: expect.stringContaining('TypeError: boom') },
    { kind: 'internal.defect', reason: 'text' },
  ])
})

it('names a verdict by the check that found something new', () => {
  const result = (kind: 'types' | 'lint' | 'tests', tool: string, status: CheckResult['status']): CheckResult => ({
    check: { id: kind, kind, tool, command: tool, cwd: '.' },
    status,
    diagnostics: [],
    tests: [],
    ms: 1,
    output: '',
    ...(status === 'unavailable' ? { reason: 'not installed' } : {}),
  })
  const verdict = (parts: Partial<Verdict>): Verdict => ({
    status: 'fail',
    results: [],
    ...NO_NEWS,
    ...parts,
  })
  const diagnostic = { source: 'eslint', severity: 'error', message: 'unused' } as const
  const results = [result('types', 'tsc', 'failed'), result('lint', 'eslint', 'failed')]
  const failing = { id: 'a > b', status: 'failed' } as const
  expect([
    failureOf(verdict({ status: 'pass' })),
    // The type check failed before, too: what is new comes from the linter.
    failureOf(verdict({ results, newDiagnostics: [diagnostic] })),
    failureOf(
      verdict({
        results: [result('types', 'tsc', 'failed'), result('tests', 'vitest', 'failed')],
        newlyFailing: [failing],
      }),
    ),
    failureOf(verdict({ status: 'unavailable', results: [result('tests', 'vitest', 'unavailable')] })),
  ]).toEqual([
    undefined,
    { kind: 'check.lint', diagnostics: [diagnostic] },
    { kind: 'check.tests', diagnostics: [], failing: ['a > b'] },
    { kind: 'check.unavailable', check: 'tests', reason: 'not installed' },
  ])
})

it('says of a target that nothing is like it, or that these are the only ones', () => {
  const notFound = SAMPLE_FAILURES['target.not-found']
  expect([
    explain(prompts, { ...notFound, candidates: [] }),
    explain(prompts, { ...notFound, target: 'attempt', value: '3', candidates: ['1'], exhaustive: true }),
  ]).toEqual(['There is no path "src/b.ts", nor anything like it.', 'There is no attempt "3". The only ones:\n- 1'])
})

it('tells each argument error once, and not more than can be read', () => {
  const errors = [0, 0, ...Array.from({ length: 40 }, (_, index) => index)].map((index) => ({
    pointer: `/edits/${index}`,
    keyword: 'unevaluatedProperties',
    message: 'must NOT have unevaluated properties',
    params: { unevaluatedProperty: 'text' },
  }))
  const lines = explain(prompts, { ...SAMPLE_FAILURES['call.invalid-arguments'], errors }).split('\n')
  expect([lines[1], lines.length, lines.at(-1)]).toEqual([
    '- /edits/0 must NOT have unevaluated properties (text)',
    22,
    '(20 more)',
  ])
})
