import path from 'node:path'
import { expect } from 'vitest'
import type { RunEvent, StampedEvent } from '../core/event.ts'
import type { RunResult } from '../core/outcome.ts'
import { openRunLog, type RunLog } from './write.ts'

/** Events and logs for tests. */

export const START = Date.UTC(2026, 10, 30)
export const SECRET = 'the-key-in-use'
export const logPath = (dir: string, runId: string): string => path.join(dir, runId, 'log.jsonl')

export function start(dir: string, runId: string): RunLog {
  const opened = openRunLog({ dir, runId, version: '1.2.3', secrets: [SECRET] })
  if (!opened.ok) throw new Error(opened.problem)
  return opened.log
}

export function stamp(events: readonly RunEvent[]): StampedEvent[] {
  return events.map((event, seq) => ({ seq, at: START + seq * 10, ...event }))
}

export function started(runId: string, task = 'mend it'): RunEvent {
  const rest = { version: '1.2.3', root: '/r', model: 'anthropic/m', settings: {} }
  return { type: 'run.started', runId, runLog: `/runs/${runId}/log.jsonl`, task: { text: task }, ...rest }
}

export const notice = (text: string): RunEvent => ({ type: 'notice', text })

export const RESULT: RunResult = {
  status: 'validated',
  exitCode: 0,
  summary: 'done',
  changes: [],
  conflicts: [],
  totals: {
    requests: 4,
    attempts: 2,
    replans: 0,
    failedCalls: 1,
    recoveredCalls: 1,
    usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
    ms: 1_234,
  },
}

export function writeRun(dir: string, runId: string, events: readonly RunEvent[]): StampedEvent[] {
  const log = start(dir, runId)
  const stamped = stamp(events)
  expect(stamped.map((event) => log.write(event))).toEqual(stamped.map(() => undefined))
  log.close()
  return stamped
}
