import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NO_USAGE } from '../core/message.ts'
import { listRuns } from './list.ts'
import { logPath, notice, RESULT, START, started, writeRun } from './testing.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'goatfied-runlog-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('runs are listed by start, with totals of the end or counted so far', async () => {
  const plain = { status: 'validated', task: 'mend it', model: 'anthropic/m', attempts: 2, requests: 4, ms: 1_234 }
  const changes = Array.from({ length: 60 }, (_, index) => ({
    path: `f${index}`,
    action: 'edited' as const,
    diff: `${index}${'d'.repeat(5_000)}`,
    added: 1,
    removed: 1,
  }))
  writeRun(dir, 'a-ended', [started('a-ended'), notice('x'), { type: 'run.ended', result: { ...RESULT, changes } }])
  writeRun(dir, 'b-open', [
    started('b-open', `long ${'t'.repeat(200_000)}`),
    { type: 'model.requested', request: 1, conversation: 'c', role: 'plan', appended: [], estimatedTokens: 1 },
    {
      type: 'model.answered',
      request: 1,
      answer: {
        content: [],
        stopReason: 'end',
        usage: { input: 5, cacheRead: 0, cacheWrite: 0, output: 6 },
        model: 'm',
      },
      ms: 1,
    },
  ])
  writeRun(dir, 'c-killed', [started('c-killed'), notice('x')])
  const gone = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }))
  const killed = readFileSync(logPath(dir, 'c-killed'), 'utf8').replace(`"pid":${process.pid}`, `"pid":${gone}`)
  writeFileSync(logPath(dir, 'c-killed'), `${killed}{"seq":2,"at":`)
  writeRun(dir, 'd-elsewhere', [started('d-elsewhere'), notice('x')])
  const elsewhere = readFileSync(logPath(dir, 'd-elsewhere'), 'utf8').replace(/"host":"[^"]*"/, '"host":"another.test"')
  writeFileSync(logPath(dir, 'd-elsewhere'), elsewhere)
  mkdirSync(path.join(dir, 'e-newer'))
  writeFileSync(logPath(dir, 'e-newer'), '{"goatfied":"9.0.0","log":2}\n')
  mkdirSync(path.join(dir, 'f-empty'))

  const summary = (id: string) => ({
    id,
    path: logPath(dir, id),
    startedAt: START,
    task: 'mend it',
    model: 'anthropic/m',
  })
  const counted = { attempts: 0, requests: 0, usage: NO_USAGE, ms: 10 }
  const open = {
    ...summary('b-open'),
    status: 'running',
    task: `long ${'t'.repeat(200_000)}`,
    attempts: 0,
    requests: 1,
    ms: 20,
  }
  expect(await listRuns(dir, START + 60_000)).toEqual({
    runs: [
      { ...summary('d-elsewhere'), status: 'running', ...counted },
      { ...summary('c-killed'), status: 'interrupted', ...counted },
      { ...open, usage: { input: 5, cacheRead: 0, cacheWrite: 0, output: 6 } },
      { ...summary('a-ended'), ...plain, usage: RESULT.totals.usage },
    ],
    unreadable: [{ id: 'e-newer', problem: expect.stringContaining('newer version') }],
  })
  const later = await listRuns(dir, START + 3_600_000)
  expect(later.runs.map(({ id, status }) => [id, status])).toEqual([
    ['d-elsewhere', 'interrupted'],
    ['c-killed', 'interrupted'],
    ['b-open', 'running'],
    ['a-ended', 'validated'],
  ])
})

test('a folder that is not there has no runs', async () => {
  expect(await listRuns(path.join(dir, 'none'), START)).toEqual({ runs: [], unreadable: [] })
})
