import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { RunEvent, StampedEvent } from '../core/event.ts'
import { type RecordedRequest, startSimulator } from '../simulator/simulator.ts'
import type { AnswerBlock, Turn } from '../simulator/turn.ts'

const PACKAGE = path.resolve(import.meta.dirname, '../..')
const BIN = path.join(PACKAGE, 'bin/goatfied.js')

export interface Ended {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** Resolves when it has printed that text, on stdout or stderr; rejects when it ends without. */
  printed(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** A temporary folder that goes with the test. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `goatfied-${name}-`)))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Files = Readonly<Record<string, string>>

/** A small project: `add` in src/math.js is wrong, which one of its two tests shows. Its checks take some 100 ms. */
export const PROJECT: Files = {
  'package.json': JSON.stringify({ name: 'project', type: 'module', scripts: { test: 'node --test' } }),
  '.gitignore': 'node_modules/\nignored.txt\n',
  'src/math.js': 'export function add(a, b) {\n  return a - b\n}\n\nexport function twice(a) {\n  return a * 2\n}\n',
  'test/math.test.js': [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { add, twice } from '../src/math.js'",
    "test('adds', () => assert.equal(add(1, 2), 3))",
    "test('doubles', () => assert.equal(twice(2), 4))",
    '',
  ].join('\n'),
}

/** The same, judged by a script that takes as long as Node takes to start; it passes unless `twice` is wrong. */
export const QUICK_PROJECT: Files = {
  ...PROJECT,
  'package.json': JSON.stringify({ name: 'project', type: 'module', scripts: { test: 'node check.js' } }),
  'check.js': "import { twice } from './src/math.js'\nif (twice(2) !== 4) throw new Error('twice')\n",
}

/** The same with types, judged by the real tsc as well. */
export const TYPED_PROJECT: Files = {
  ...PROJECT,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      types: [],
      skipLibCheck: true,
    },
    include: ['src'],
  }),
  'src/price.ts': 'export function total(prices: number[]): number {\n  return prices.length\n}\n',
}

/** Writes the files into a fresh repository with one commit. Packages of this checkout are linked in by name. */
export function repository(
  files: Files,
  { packages = [], git: underGit = true }: { readonly packages?: readonly string[]; readonly git?: boolean } = {},
): string {
  const root = temporaryFolder('repository')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  for (const name of packages) {
    mkdirSync(path.join(root, 'node_modules'), { recursive: true })
    symlinkSync(path.join(PACKAGE, 'node_modules', name), path.join(root, 'node_modules', name))
  }
  if (underGit) {
    git(root, 'init', '--quiet', '--initial-branch=main')
    git(root, 'add', '--all')
    git(root, '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit', '--quiet', '--message', 'first')
  }
  return root
}

export function git(cwd: string, ...args: readonly string[]): string {
  const { execFileSync } = process.getBuiltinModule('node:child_process')
  return execFileSync('git', [...args], { cwd, encoding: 'utf8' })
}

/** Everything a person could lose: git's view, and every byte, mode and link outside of .git and node_modules. */
export function stateOf(root: string, { underGit = true }: { readonly underGit?: boolean } = {}): unknown {
  const files: Record<string, string> = {}
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name)
      const name = path.relative(root, full)
      if (name === '.git' || name === 'node_modules') continue
      const { mode } = lstatSync(full)
      if (entry.isDirectory()) {
        files[`${name}/`] = ''
        walk(full)
      } else if (entry.isSymbolicLink()) files[name] = `-> ${readlinkSync(full)}`
      else
        files[name] = `${(mode & 0o777).toString(8)} ${createHash('sha256').update(readFileSync(full)).digest('hex')}`
    }
  }
  walk(root)
  if (!underGit) return { files }
  return {
    files,
    status: git(root, 'status', '--porcelain=v2', '-z', '--ignored'),
    index: git(root, 'ls-files', '-s', '-z'),
    head: git(root, 'rev-parse', 'HEAD'),
    stashes: git(root, 'stash', 'list'),
  }
}

/** A scripted model over real sockets, and the program run against it as a person would. */
export interface Bed {
  /** Where the scripted model listens, without a path. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  start(args: readonly string[], options?: RunOptions): Running
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** `respond` gives the blocks or the turn for the n-th request, from 0. */
export async function bed(
  respond: (request: RecordedRequest, n: number) => Turn | readonly AnswerBlock[],
): Promise<Bed> {
  const simulator = await startSimulator({
    respond: (request, n) => {
      const turn = respond(request, n)
      return 'map' in turn ? { answer: turn } : turn
    },
  })
  onTestFinished(() => simulator.close())
  const home = temporaryFolder('home')
  const start = (args: readonly string[], { env = {}, cwd = home }: RunOptions = {}): Running => {
    const { PATH, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = process.env
    const base = {
      PATH,
      GIT_CONFIG_GLOBAL,
      GIT_CONFIG_NOSYSTEM,
      HOME: home,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: simulator.url,
    }
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
        child.emit('printed')
      })
    }
    const ended = new Promise<Ended>((resolve) =>
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal, ...output })),
    )
    const printed = (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.stdout.includes(text) || output.stderr.includes(text)) resolve()
        }
        child.on('printed', look)
        ended.then(() => reject(new Error(`it ended without printing ${text}: ${output.stderr}`)))
        look()
      })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { pid: child.pid ?? 0, ended, printed, kill: (signal) => void child.kill(signal) }
  }
  return { url: simulator.url, requests: simulator.requests, start, run: (args, options) => start(args, options).ended }
}

/** A scripted model that gives these answers one after the other, then the last again and again. */
export const inTurn =
  (...answers: readonly (Turn | readonly AnswerBlock[])[]) =>
  (_: RecordedRequest, n: number): Turn | readonly AnswerBlock[] =>
    answers[Math.min(n, answers.length - 1)] ?? []

export const plan = (...files: readonly string[]): AnswerBlock => ({
  call: 'submitPlan',
  input: { summary: 'Mend it', steps: [{ goal: 'Mend it', files }] },
})

export const edit = (file: string, oldText: string, newText: string): AnswerBlock => ({
  call: 'editFile',
  input: { path: file, edits: [{ oldText, newText }] },
})

export const finish: AnswerBlock = { call: 'finishStep', input: { summary: 'Mended.' } }

/** The events that a run printed with `--json`. */
export function eventsOf(ended: Ended): readonly StampedEvent[] {
  return ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StampedEvent)
}

export function only<T extends RunEvent['type']>(
  events: readonly StampedEvent[],
  type: T,
): readonly Extract<StampedEvent, { type: T }>[] {
  return events.filter((event): event is Extract<StampedEvent, { type: T }> => event.type === type)
}
