import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { StampedEvent } from '../core/event.ts'

vi.setConfig({ testTimeout: 60_000 })

const ROOT = resolve(import.meta.dirname, '../..')
const SAMPLE = join(ROOT, 'fixtures/runs/sample.jsonl')
const sample = readFileSync(SAMPLE, 'utf8')
  .trim()
  .split('\n')
  .map((line): StampedEvent => JSON.parse(line))

// A run whose surroundings are noisy, with the story on stderr as in a real one.
const ENTRY = `
import { readFileSync } from 'node:fs'
import { createJsonPrinter } from './src/print/json.ts'
import { createTextPrinter } from './src/print/text.ts'
const [, , sample, format, times] = process.argv
const events = readFileSync(sample, 'utf8').trim().split('\\n').map((line) => JSON.parse(line))
const printers = [
  createJsonPrinter({ stream: process.stdout, format }),
  createTextPrinter({ stream: process.stderr, color: false }),
]
process.emitWarning('an old way', 'DeprecationWarning')
for (let at = 0; at < Number(times); at += 1) {
  for (const event of events) for (const printer of printers) printer.event(event)
  await new Promise((resolve) => setImmediate(resolve))
}
await Promise.all(printers.map((printer) => printer.close()))
`

let folder: string
let program: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goatfied-print-'))
  program = join(folder, 'entry.mjs')
  const stdin = { contents: ENTRY, resolveDir: ROOT, loader: 'ts' } as const
  await build({ stdin, outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs it to its end; with `leave` the reader of stdout goes away after the first piece. */
function run(format: string, options: { readonly times: number; readonly leave: boolean }): Promise<Ended> {
  const child = spawn(process.execPath, [program, SAMPLE, format, String(options.times)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece
    if (options.leave) child.stdout.destroy()
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece
  })
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })))
}

test('json: exactly one document on stdout, the noise and the story on stderr', async () => {
  const { code, stdout, stderr } = await run('json', { times: 1, leave: false })
  const start = sample[0]
  const end = sample.at(-1)
  if (start?.type !== 'run.started' || end?.type !== 'run.ended') throw new Error('not a whole run')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    runId: start.runId,
    runLog: start.runLog,
    task: start.task.text,
    model: start.model,
    ...end.result,
    plan: sample.find((event) => event.type === 'plan.accepted')?.plan,
    attempts: [
      {
        attempt: 1,
        step: 0,
        outcome: 'rejected',
        changed: ['src/paginate.ts'],
        reasons: ["1 new complaint (tsc): src/paginate.ts:2:28 TS2552 Cannot find name 'Size'. Did you mean 'size'?"],
      },
      { attempt: 2, parent: 1, step: 0, outcome: 'passed', changed: ['src/paginate.ts'], reasons: [] },
      { attempt: 3, step: 1, outcome: 'passed', changed: ['CHANGELOG.md'], reasons: [] },
    ],
  })
  expect(stderr).toContain('DeprecationWarning')
  expect(stderr).toContain('exit 0: validated')
})

test('stream-json: every event on its line, streamed text left out', async () => {
  const { code, stdout } = await run('stream-json', { times: 1, leave: false })
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(sample.filter((event) => event.type !== 'model.text'))
})

test('a reader that goes away ends the printing, not the run', async () => {
  const { code, stderr } = await run('stream-json', { times: 200, leave: true })
  expect(code).toBe(0)
  expect(stderr).not.toContain('EPIPE')
})
