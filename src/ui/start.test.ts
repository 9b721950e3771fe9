import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const SAMPLE = join(ROOT, 'fixtures/runs/sample.jsonl')
// A process that hangs fails its test; how fast it is on a busy machine doesn't matter.
vi.setConfig({ testTimeout: 60_000 })

const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'

// Replays a log on the screen. What it prints after `close` tells that the process got that far and still can print.
const ENTRY = `
import { readFileSync } from 'node:fs'
import { startUi } from './src/ui/start.tsx'
import { canUseUi } from './src/ui/can-use.ts'
const [, , sample, mode] = process.argv
if (!canUseUi(process.stdin, process.stdout, process.env)) throw new Error('no terminal')
const events = readFileSync(sample, 'utf8').trim().split('\\n').map((line) => JSON.parse(line))
const cancelled = new AbortController()
const ui = startUi({ stdin: process.stdin, stdout: process.stdout, color: mode !== 'plain', onInterrupt: () => end(130) })
process.on('SIGTERM', () => end(143))
async function end(code) {
  if (cancelled.signal.aborted) return
  cancelled.abort()
  await ui.close()
  process.exitCode = code
  console.log('closed ' + code)
}
for (const event of events) {
  if (cancelled.signal.aborted) break
  if (event.type === 'run.ended' && mode === 'wait') {
    console.log('waiting')
    await new Promise((resolve) => {
      const alive = setInterval(() => {}, 1000)
      cancelled.signal.addEventListener('abort', () => resolve(clearInterval(alive)))
    })
    break
  }
  ui.event(mode === 'broken' && event.type === 'plan.accepted' ? { ...event, plan: { ...event.plan, steps: [7, 8].map((goal) => ({ goal, files: [], newFiles: [] })) } } : event)
  if (event.type === 'approval.asked' && (mode === 'ask' || mode === 'broken')) {
    const allowed = await ui.ask('rm \\u001b[2J x && ' + 'y'.repeat(90), cancelled.signal)
    console.log('answer ' + allowed)
  }
  if (mode === 'flood' && event.type === 'model.requested') {
    for (let at = 0; at < 2000; at += 1) ui.event({ type: 'model.text', request: event.request, text: 'word ', seq: 0, at: event.at })
  }
  await new Promise((resolve) => setTimeout(resolve, mode === 'flood' ? 0 : 4))
}
await end(0)
`

let folder: string
let program: string
const running: IPty[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goatfied-ui-'))
  program = join(folder, 'stdin.mjs')
  await build({
    stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'tsx' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // Ink loads its developer tools on demand only: in a chunk of their own their missing package is never asked for.
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    external: ['react-devtools-core'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
})

afterAll(async () => {
  for (const pty of running) {
    try {
      pty.kill('SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  await rm(folder, { recursive: true, force: true })
})

interface Session {
  readonly pty: IPty
  readonly text: () => string
  /** Resolves when the output holds `part`. */
  readonly until: (part: string) => Promise<void>
  readonly ended: Promise<{ readonly exitCode: number; readonly text: string }>
}

function run(mode: string, columns: number, rows: number): Session {
  const { CI, CONTINUOUS_INTEGRATION, NO_COLOR, FORCE_COLOR, ...env } = process.env
  const pty = spawn(process.execPath, [program, SAMPLE, mode], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: folder,
    env: { ...env, TERM: 'xterm-256color' },
  })
  running.push(pty)
  let text = ''
  const waiting = new Set<() => void>()
  pty.onData((data) => {
    text += data
    for (const check of waiting) check()
  })
  const ended = new Promise<{ exitCode: number; text: string }>((done) => {
    pty.onExit(({ exitCode }) => done({ exitCode, text }))
  })
  const until = (part: string) =>
    new Promise<void>((done) => {
      const check = () => {
        if (!text.includes(part)) return
        waiting.delete(check)
        done()
      }
      waiting.add(check)
      check()
    })
  return { pty, text: () => text, until, ended }
}

/** What must hold of everything that was written to a terminal. */
function expectRestored(text: string): void {
  expect({
    clearsHistory: text.includes('\u001b[3J'),
    clearsScreen: text.includes('\u001b[2J'),
    cursorHidden: text.lastIndexOf(HIDE) > text.lastIndexOf(SHOW),
  }).toEqual({ clearsHistory: false, clearsScreen: false, cursorHidden: false })
}

test.concurrent.each([
  [80, 24],
  [40, 20],
])(
  'a run at %i by %i is told in full, the terminal restored, and the process ends by itself',
  async (columns, rows) => {
    const { exitCode, text } = await run('replay', columns, rows).ended
    expect(exitCode).toBe(0)
    expectRestored(text)
    expect(text).toContain('exit 0: validated')
    expect(text).toContain('closed 0')
  },
)

test.concurrent('resizing in the middle of a run clears nothing of the history', async () => {
  const session = run('replay', 100, 24)
  await session.until('attempt 1 of 3')
  session.pty.resize(60, 24)
  await session.until('attempt 2 of 3')
  session.pty.resize(40, 5)
  const { exitCode, text } = await session.ended
  expect(exitCode).toBe(0)
  expectRestored(text)
})

test.concurrent('Ctrl-C is heard in raw mode, and the process ends with what the caller says', async () => {
  const session = run('wait', 80, 24)
  await session.until('waiting')
  session.pty.write('\u0003')
  const { exitCode, text } = await session.ended
  expect(exitCode).toBe(130)
  expectRestored(text)
  expect(text).toContain('closed 130')
})

test.concurrent('SIGTERM leaves a restored terminal', async () => {
  const session = run('wait', 80, 24)
  await session.until('waiting')
  session.pty.kill('SIGTERM')
  const { exitCode, text } = await session.ended
  expect(exitCode).toBe(143)
  expectRestored(text)
})

test.concurrent.each([
  ['y', 'answer true'],
  ['n', 'answer false'],
  ['\u001b', 'answer false'],
])('a question is shown in full, with its control characters, and answered by the key %j', async (key, answer) => {
  const session = run('ask', 80, 24)
  await session.until('[y] yes')
  session.pty.write(key)
  await session.until(answer)
  const { exitCode, text } = await session.ended
  expect(exitCode).toBe(0)
  expectRestored(text)
  expect(text).toContain('rm \\u001b[2J x && ')
  expect(text.match(/y{20,}/g)?.join('').length).toBeGreaterThanOrEqual(90)
})

test.concurrent('Ctrl-C ends a question with no', async () => {
  const session = run('ask', 80, 24)
  await session.until('[y] yes')
  session.pty.write('\u0003')
  const { exitCode, text } = await session.ended
  expect(exitCode).toBe(130)
  expect(text).toContain('answer false')
})

test.concurrent('a component that throws falls back to plain lines; keys are still heard and the run is told to its end', async () => {
  const session = run('broken', 80, 24)
  await session.until('may this be done?')
  session.pty.write('y')
  const { exitCode, text } = await session.ended
  expect(exitCode).toBe(0)
  expectRestored(text)
  expect(text).toContain('answer true')
  expect(text).toContain('exit 0: validated')
  expect(text).not.toContain('TypeError')
})

test.concurrent('a flood of streamed text is drawn a few times only', async () => {
  const { exitCode, text } = await run('flood', 80, 24).ended
  expect(exitCode).toBe(0)
  // Ink brackets every frame; 12,000 pieces of text are streamed.
  expect(text.split('\u001b[?2026h').length).toBeLessThan(600)
})

test.concurrent('without colour there is no styling at all', async () => {
  const { text } = await run('plain', 80, 24).ended
  expect(text.match(/\u001b\[[\d;]*m/g)).toEqual(null)
})
