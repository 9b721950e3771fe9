import { expect, test } from 'vitest'
import { FailureError } from '../core/failure.ts'
import { faultOf, refusalOf } from './file-system-faults.ts'
import { callOf } from './testing.ts'

const call = callOf('editFile', {})
const error = (code: string): Error => Object.assign(new Error('from the system'), { code })
const refused = (reason: string) => ({
  kind: 'edit.out-of-scope',
  callId: 'c1',
  tool: 'editFile',
  path: 'a.ts',
  reason,
})

test.each([
  [error('EACCES'), refused('there is no permission to change it')],
  [error('ENOTDIR'), refused('a part of the path is a file, not a folder')],
  [error('EBUSY'), { kind: 'io.transient', reason: 'a.ts: the file is in use' }],
  [error('ENOSPC'), { kind: 'io.transient', reason: 'a.ts: the disk is full' }],
  [
    new FailureError({ kind: 'internal.restore', reason: 'x', paths: [] }, 'x'),
    { kind: 'internal.restore', reason: 'x', paths: [] },
  ],
  [error('ESOMETHING'), undefined],
  [new Error('a defect'), undefined],
  ['thrown text', undefined],
])('%s', (thrown, failure) => {
  expect(faultOf(thrown, call, 'a.ts')).toEqual(failure)
})

test('a check refuses what the file system does not allow, also for now, and no defect', () => {
  expect(refusalOf(error('EBUSY'), call, 'a.ts')).toEqual(refused('a.ts: the file is in use'))
  expect(refusalOf(error('EACCES'), call, 'a.ts')).toEqual(refused('there is no permission to change it'))
  expect(refusalOf(new Error('a defect'), call, 'a.ts')).toBe(undefined)
})
