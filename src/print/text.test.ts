import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import stringWidth from 'string-width'
import { afterEach, expect, test, vi } from 'vitest'
import type { StampedEvent } from '../core/event.ts'
import { createTextPrinter, renderResult } from './text.ts'

const RUNS = resolve(import.meta.dirname, '../../fixtures/runs')
const sample = readFileSync(`${RUNS}/sample.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line): StampedEvent => JSON.parse(line))

afterEach(() => {
  vi.useRealTimers()
})

function memory(columns?: number) {
  const stream = Object.assign(new PassThrough(), columns === undefined ? {} : { columns })
  return { stream, text: () => String(stream.read() ?? '') }
}

test('the story as lines, but for the diff of the whole change', async () => {
  const { stream, text } = memory()
  const printer = createTextPrinter({ stream, color: false })
  for (const event of sample) printer.event(event)
  await printer.close()
  const whole = readFileSync(`${RUNS}/sample.txt`, 'utf8').trimEnd().split('\n')
  const end = whole.findIndex((line) => line.startsWith('✓ validated'))
  const diff = /^ {4}(@@|[ +-])/
  const expected = whole.filter((line, at) => at < end || !diff.test(line) || line.includes('test.ts >'))
  expect(text().trimEnd().split('\n')).toEqual(expected)
})

test('colour, and lines cut to the terminal by display columns', async () => {
  const { stream, text } = memory(24)
  const printer = createTextPrinter({ stream, color: true, widthOf: stringWidth })
  const edits = [
    { path: '日本⚠️日本日本日本.ts', action: 'edited' as const, diff: '@@ -1 +1 @@\n-a\n+b', added: 1, removed: 1 },
  ]
  printer.event({
    type: 'call.ended',
    callId: 'c',
    tool: 'editFile',
    text: '',
    edits,
    changed: [],
    ms: 1,
    seq: 0,
    at: 0,
  })
  await printer.close()
  expect(text()).toBe(
    '  editFile 日本⚠️日本日…\n' +
      '\u001b[36m    @@ -1 +1 @@\u001b[39m\n' +
      '\u001b[31m    -a\u001b[39m\n' +
      '\u001b[32m    +b\u001b[39m\n',
  )
})

test('a line tells after thirty silent seconds what goes on, until the run ends', () => {
  vi.useFakeTimers({ now: sample[0]?.at ?? 0 })
  const { stream, text } = memory()
  const printer = createTextPrinter({ stream, color: false })
  const requested = sample.findIndex((event) => event.type === 'model.requested')
  const start = sample[0]
  const request = sample[requested]
  const end = sample.at(-1)
  if (!start || !request || !end) throw new Error('no sample')
  printer.event(start)
  text()
  printer.event({ ...request, at: start.at })
  vi.advanceTimersByTime(29_999)
  const before = text()
  vi.advanceTimersByTime(30_001)
  const after = text()
  printer.event(end)
  text()
  vi.advanceTimersByTime(120_000)
  expect([before, after, text()]).toEqual(['', '  … planning 30 s\n  … planning 1 min 0 s\n', ''])
})

test('a stream that fails stops the printing and nothing else', async () => {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  })
  const printer = createTextPrinter({ stream, color: false })
  for (const event of sample) {
    printer.event(event)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await printer.close()
  expect(stream.destroyed).toBe(true)
})

test('the result for stdout: how it ended, what is proven, the diff', () => {
  const end = sample.at(-1)
  if (end?.type !== 'run.ended') throw new Error('no end')
  expect(renderResult(end.result)).toBe(`validated: The page count is rounded up, and the changelog says it.
  1 test failed before and passes now
    test/paginate.test.ts > paginate > shows the last partial page
  3 tests still passing

--- a/CHANGELOG.md
+++ b/CHANGELOG.md
@@ -1 +1,3 @@
 # Changes
+
+- The last partial page is counted.
--- a/src/paginate.ts
+++ b/src/paginate.ts
@@ -1,3 +1,3 @@
 export function pageCount(items: number, size: number) {
-  return Math.floor(items / size)
+  return Math.ceil(items / size)
 }
`)
  expect(
    renderResult({
      ...end.result,
      status: 'stopped',
      exitCode: 51,
      summary: 'The provider failed.',
      failure: { kind: 'provider.transient', reason: 'overloaded\u001b[2J', status: 529 },
      changes: [],
      proof: undefined,
      conflicts: ['a.ts'],
    }),
  ).toBe('stopped: The provider failed.\n' + '  not given back: a.ts\n')
})
