import { expect, test } from 'vitest'
import type { Failure, FailureKind } from '../failure.ts'
import { adviceFor } from './advice.ts'
import { describeFailure } from './failure.ts'

const of = { callId: 'c', tool: 'editFile' }
const diagnostic = { source: 'tsc', severity: 'error', message: 'no' } as const
const reason = 'because\u001b[2J'

const SAMPLES: { readonly [K in FailureKind]: readonly [Extract<Failure, { kind: K }>, string] } = {
  'call.unknown-tool': [
    { kind: 'call.unknown-tool', callId: 'c', tool: 'writeFile', known: ['editFile', 'createFile'], notNow: false },
    'there is no tool writeFile; there are: editFile, createFile',
  ],
  'call.invalid-arguments': [
    {
      kind: 'call.invalid-arguments',
      ...of,
      errors: [
        { pointer: '/edits/0', keyword: 'type', message: 'must be object', params: {} },
        { pointer: '', keyword: 'required', message: 'must have path', params: {} },
      ],
    },
    'invalid arguments: edits.0 must be object; must have path',
  ],
  'call.truncated': [{ kind: 'call.truncated', ...of }, 'the call was cut off by the token limit and not executed'],
  'call.denied': [{ kind: 'call.denied', ...of, by: 'settings' }, 'not allowed: nobody could be asked'],
  'call.skipped': [
    { kind: 'call.skipped', ...of, because: 'earlier-failure' },
    'not executed: a call before it failed',
  ],
  'target.not-found': [
    {
      kind: 'target.not-found',
      ...of,
      target: 'path',
      pointer: '/path',
      value: 'b.ts',
      candidates: ['a.ts', 'c.ts', 'd.ts', 'e.ts'],
      exhaustive: true,
      lead: 0,
    },
    'path b.ts does not exist; nearest: a.ts, c.ts, d.ts, … 1 more',
  ],
  'edit.no-match': [
    {
      kind: 'edit.no-match',
      ...of,
      path: 'a.ts',
      edit: 0,
      tried: ['exact'],
      nearest: [{ startLine: 7, endLine: 9, text: '' }],
    },
    'the text to replace is not in a.ts; most alike: line 7',
  ],
  'edit.ambiguous': [
    { kind: 'edit.ambiguous', ...of, path: 'a.ts', edit: 0, lines: [1, 5], regions: [] },
    'the text to replace is in a.ts 2 times (lines 1, 5)',
  ],
  'edit.stale': [{ kind: 'edit.stale', ...of, path: 'a.ts', content: '' }, 'a.ts is not what the model last saw'],
  'edit.out-of-scope': [
    { kind: 'edit.out-of-scope', ...of, path: 'a.ts', reason: 'not in the step' },
    'a.ts: not in the step',
  ],
  'edit.syntax': [
    { kind: 'edit.syntax', ...of, path: 'a.ts', line: 2, column: 7, message: 'Unexpected token', shown: '' },
    'the edit would leave a.ts unparsable: 2:7 Unexpected token',
  ],
  'check.syntax': [{ kind: 'check.syntax', diagnostics: [diagnostic] }, 'syntax: 1 error'],
  'check.types': [{ kind: 'check.types', diagnostics: [diagnostic, diagnostic] }, 'types: 2 new errors'],
  'check.lint': [{ kind: 'check.lint', diagnostics: [diagnostic] }, 'lint: 1 new complaint'],
  'check.tests': [{ kind: 'check.tests', diagnostics: [], failing: ['t'] }, 'tests: 1 test newly failing'],
  'check.tampered': [
    { kind: 'check.tampered', paths: ['a.test.ts'], reason: 'a test was skipped' },
    'the checks themselves were changed (a.test.ts): a test was skipped',
  ],
  'check.unavailable': [
    { kind: 'check.unavailable', check: 'tests', reason: 'vitest is not installed' },
    'the check "tests" could not run: vitest is not installed',
  ],
  'provider.transient': [
    { kind: 'provider.transient', reason, status: 529 },
    'the provider is not available for now (529): because',
  ],
  'provider.auth': [{ kind: 'provider.auth', reason }, 'the provider did not accept the credentials: because'],
  'provider.quota': [{ kind: 'provider.quota', reason }, "the provider's quota is used up: because"],
  'provider.refused': [{ kind: 'provider.refused', reason }, 'the model refused: because'],
  'provider.rejected': [
    { kind: 'provider.rejected', reason, status: 400 },
    'the provider rejected the request (400): because',
  ],
  'provider.context-overflow': [
    { kind: 'provider.context-overflow', reason },
    'the conversation is too long for the model: because',
  ],
  'io.transient': [{ kind: 'io.transient', reason }, 'the file system is busy: because'],
  'progress.repeated': [{ kind: 'progress.repeated', what: 'readFile a.ts' }, 'the same thing again: readFile a.ts'],
  'progress.none': [{ kind: 'progress.none', reason }, 'no progress: because'],
  'budget.turns': [{ kind: 'budget.turns', limit: 40 }, 'the limit of 40 requests is reached'],
  'budget.time': [{ kind: 'budget.time', limitMs: 600_000 }, 'the time limit of 10 min 0 s is reached'],
  'budget.money': [{ kind: 'budget.money', limitUsd: 2 }, 'the budget of $2 is used up'],
  'user.cancelled': [{ kind: 'user.cancelled', signal: 'SIGTERM' }, 'ended by SIGTERM'],
  'internal.defect': [{ kind: 'internal.defect', reason }, 'a defect in goatfied: because'],
  'internal.restore': [
    { kind: 'internal.restore', reason, paths: ['a.ts'] },
    'the tree could not be given back in full (a.ts): because',
  ],
}

test.each(Object.values(SAMPLES))('$kind in one clean line, with something to try', (failure, words) => {
  expect(describeFailure(failure)).toBe(words)
  expect(adviceFor(failure).every((advice) => advice !== '')).toBe(true)
  expect(adviceFor(failure)).not.toEqual([])
})
