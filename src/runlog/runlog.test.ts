import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StampedEvent } from '../core/event.ts'
import { readRunLog } from './read.ts'
import { logPath, notice, RESULT, SECRET, START, stamp, start, started, writeRun } from './testing.ts'
import { openRunLog } from './write.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'goatfied-runlog-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const readable = (events: readonly StampedEvent[]) => ({
  ok: true,
  header: { goatfied: '1.2.3', log: 1, pid: process.pid, host: os.hostname() },
  events,
  torn: false,
})

test('what is written is read again, streamed text left out and large texts put aside', async () => {
  const large = 'line\n'.repeat(20_000)
  const events = writeRun(dir, 'run', [
    started('run'),
    notice('line separators \u2028 \u2029 and \ud800 alone'),
    { type: 'model.text', request: 1, text: 'streamed' },
    { type: 'call.ended', callId: 'c', tool: 'readFile', text: large, edits: [], changed: [], ms: 1 },
    { type: 'call.ended', callId: 'd', tool: 'readFile', text: large, edits: [], changed: [], ms: 1 },
    { type: 'run.ended', result: RESULT },
  ])
  expect(await readRunLog(logPath(dir, 'run'))).toEqual(readable(events.filter((event) => event.type !== 'model.text')))
  expect(statSync(logPath(dir, 'run')).size).toBeLessThan(5_000)
  if (process.platform !== 'win32') expect(statSync(logPath(dir, 'run')).mode & 0o777).toBe(0o600)
})

test('every JSON value comes back as it was', async () => {
  const { write, close } = start(dir, 'values')
  const events: StampedEvent[] = []
  const name = fc.oneof(fc.constantFrom('$blob', '$$blob', '$blobs', '__proto__'), fc.string({ maxLength: 5 }))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, tie('leaf'), fc.array(tie('tree'), { maxLength: 3 }), tie('object')),
    object: fc.array(fc.tuple(name, tie('tree')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    leaf: fc.oneof(fc.string({ maxLength: 9 }), fc.integer(), fc.boolean(), fc.constant(null)),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const settings = { value }
      const event = { ...started('values'), seq: events.length, at: START, settings } as StampedEvent
      events.push(event)
      expect(write(event)).toBeUndefined()
    }),
  )
  close()
  expect(await readRunLog(logPath(dir, 'values'))).toEqual(readable(events))
})

test('secrets do not reach the disk (B105)', () => {
  const large = `${SECRET} `.repeat(10_000)
  writeRun(dir, 'secrets', [
    started('secrets', `use ${SECRET}`),
    {
      type: 'check.progress',
      phase: 'attempt',
      check: { id: 'a', kind: 'tests', tool: 't', command: 'c', cwd: '.' },
      line: 'sk-ant-api03-printed',
    },
    { type: 'call.ended', callId: 'c', tool: 'runCommand', text: large, edits: [], changed: [], ms: 1 },
  ])
  const everything = execFileSync('grep', ['-r', '', path.join(dir, 'secrets')], { encoding: 'utf8' })
  expect(everything).not.toContain(SECRET)
  expect(everything).not.toContain('sk-ant-api03-printed')
  expect(everything.match(/\[redacted\]/g)?.length).toBe(10_002)
})

test('a torn last line is left out, a damaged one in between is told with its number', async () => {
  const events = writeRun(dir, 'torn', [started('torn'), notice('one'), notice('two')])
  truncateSync(logPath(dir, 'torn'), statSync(logPath(dir, 'torn')).size - 5)
  expect(await readRunLog(logPath(dir, 'torn'))).toEqual({ ...readable(events.slice(0, 2)), torn: true })
  appendFileSync(logPath(dir, 'torn'), '\n{}\n')
  expect(await readRunLog(logPath(dir, 'torn'))).toEqual({
    ok: false,
    problem: `${logPath(dir, 'torn')}:4 can't be read: this line is not an event; the log was changed or damaged.`,
  })
})

test('other files, newer logs and missing parts are refused clearly', async () => {
  const file = path.join(dir, 'log.jsonl')
  const problem = async (text: string): Promise<unknown> => {
    writeFileSync(file, text)
    return readRunLog(file)
  }
  const refused = (where: string, reason: string) => ({ ok: false, problem: `${where} can't be read: ${reason}.` })
  const strange = 'it does not begin like a run log of Goatfied'
  expect(await readRunLog(path.join(dir, 'none'))).toEqual(refused(path.join(dir, 'none'), 'there is no such file'))
  expect(await problem('')).toEqual(refused(file, strange))
  expect(await problem('hello\n')).toEqual(refused(file, strange))
  expect(await problem('{"goatfied":"9.0.0","log":2}\n')).toEqual(
    refused(
      file,
      'it was written by a newer version of Goatfied (9.0.0, log format 2; this one reads up to 1); update Goatfied to read it',
    ),
  )
  for (const hash of ['0'.repeat(64), '../../../etc/passwd']) {
    expect(
      await problem(`{"goatfied":"1.0.0","log":1}\n{"seq":0,"at":0,"type":"notice","text":{"$blob":"${hash}"}}\n`),
    ).toEqual(refused(`${file}:2`, `a text that belongs to this line is missing (${path.join(dir, 'blobs', hash)})`))
  }
})

test('a folder that can not be written is told with what to do', () => {
  writeFileSync(path.join(dir, 'file'), '')
  const opened = openRunLog({ dir: path.join(dir, 'file'), runId: 'run', version: '1', secrets: [] })
  expect(opened).toEqual({
    ok: false,
    problem: expect.stringMatching(/log\.jsonl can't be written \(.*ENOTDIR.*--log-dir/),
  })
})

test('a second run of the same name is refused, and the first log stays', async () => {
  const events = writeRun(dir, 'twice', [started('twice')])
  expect(openRunLog({ dir, runId: 'twice', version: '1', secrets: [] })).toEqual({
    ok: false,
    problem: `The run log ${logPath(dir, 'twice')} can't be written (a run of that name has been logged already). Choose another folder with --log-dir.`,
  })
  expect(await readRunLog(logPath(dir, 'twice'))).toEqual(readable(events))
})

test('a failure to write is told once, and nothing is written after it', async () => {
  const log = start(dir, 'full')
  const [first, second, third, fourth] = stamp([
    started('full'),
    notice('x'.repeat(70_000)),
    notice('later'),
    notice('last'),
  ])
  if (!first || !second || !third || !fourth) throw new Error('unreachable')
  expect(log.write(first)).toBeUndefined()
  writeFileSync(path.join(dir, 'full', 'blobs'), 'in the way')
  expect(log.write(second)).toMatch(/^The run log .* can't be written any more \(/)
  expect([log.write(third), log.write(fourth)]).toEqual([undefined, undefined])
  log.close()
  log.close()
  expect(log.write(fourth)).toBeUndefined()
  expect(await readRunLog(logPath(dir, 'full'))).toEqual(readable([first]))
})

test('an event that is no JSON is a failure to write, not an exception', () => {
  const log = start(dir, 'deep')
  let deep: unknown = null
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  expect(log.write({ seq: 0, at: 0, ...started('deep'), settings: { deep } } as StampedEvent)).toMatch(
    /can't be written any more/,
  )
  log.close()
})
