import { isUtf8 } from 'node:buffer'
import { type ExecFileException, execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, stat, utimes } from 'node:fs/promises'
import { resolve } from 'node:path'

/** What a git call gave. `code` is undefined when git is missing, was ended by the deadline or by a signal. */
export interface GitResult {
  readonly ok: boolean
  readonly code: number | undefined
  readonly stdout: Buffer
  /** What git said on stderr, or why it did not run: one line, for a person. */
  readonly reason: string
  /** Undefined when it did not start. */
  readonly pid: number | undefined
}

export interface GitOptions {
  readonly cwd: string
  /** Added to the environment that git gets. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** True lets git write what it refreshed back to the index; only sensible where `GIT_INDEX_FILE` is a copy of ours. */
  readonly refresh?: boolean
  /** More settings, as `<key>=<value>`. */
  readonly settings?: readonly string[]
}

const DEADLINE_MS = 120_000

/** Configuration of the user's that would run programs of the repository's or write beside what was asked for. */
const QUIET = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'commit.gpgSign=false',
  'submodule.recurse=false',
  'gc.auto=0',
].flatMap((setting) => ['-c', setting])

/** Which `GIT_*` variables say where the user's configuration is; every other one would redirect the call. */
const KEPT = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$/

function environment(options: GitOptions): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && (!name.startsWith('GIT_') || KEPT.test(name))) env[name] = value
  return {
    ...env,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_AUTHOR_NAME: 'goatfied',
    GIT_AUTHOR_EMAIL: 'goatfied@localhost',
    GIT_COMMITTER_NAME: 'goatfied',
    GIT_COMMITTER_EMAIL: 'goatfied@localhost',
    ...options.env,
  }
}

/**
 * Runs git without hooks, signing, file-system monitor and inherited `GIT_*` redirections. Never
 * throws: a caller has to look at `ok`. A call that takes over two minutes gets SIGTERM, so that git removes its own locks.
 */
export async function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const locks = options.refresh === true ? [] : ['--no-optional-locks']
  const settings = (options.settings ?? []).flatMap((setting) => ['-c', setting])
  const { error, stdout, stderr, pid } = await run([...QUIET, ...settings, ...locks, ...args], options)
  const said = stderr.toString('utf8').trim()
  return {
    ok: error === undefined,
    code: error === undefined ? 0 : typeof error.code === 'number' ? error.code : undefined,
    stdout,
    reason: firstLine(said) || (error === undefined ? '' : firstLine(error.message)),
    pid,
  }
}

interface Ended {
  /** Why it did not run, or not to a good end; its `code` is the exit code where git gave one. */
  readonly error: ExecFileException | undefined
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly pid: number | undefined
}

/** By Node's own means: a package for this costs more time at every start than all that git does before the first request. */
function run(args: readonly string[], options: GitOptions): Promise<Ended> {
  const { cwd, input } = options
  const limits = { maxBuffer: 1 << 30, timeout: DEADLINE_MS }
  return new Promise((resolve) => {
    try {
      const settings = { cwd, env: environment(options), encoding: 'buffer', windowsHide: true, ...limits } as const
      const child = execFile('git', args, settings, (error, stdout, stderr) =>
        resolve({ error: error ?? undefined, stdout, stderr, pid: child.pid }),
      )
      // Git need not read all of its input; its exit code tells what came of it.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    } catch (error) {
      // Arguments that no process can be started with: a NUL in them, or too many.
      resolve({
        error: error as ExecFileException,
        stdout: Buffer.alloc(0),
        stderr: Buffer.alloc(0),
        pid: undefined,
      })
    }
  })
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** NUL-separated records as strings. Those that are no UTF-8 are left out: a path of the run's is always text. */
export function records(output: Buffer): string[] {
  return rawRecords(output).flatMap((bytes) => {
    const text = bytes.toString('utf8')
    return Buffer.from(text, 'utf8').equals(bytes) ? [text] : []
  })
}

/** The records that are no UTF-8. */
export function oddRecords(output: Buffer): Buffer[] {
  if (isUtf8(output)) return []
  return rawRecords(output).filter((bytes) => !isUtf8(bytes))
}

export function rawRecords(output: Buffer): Buffer[] {
  const found: Buffer[] = []
  let start = 0
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    found.push(output.subarray(start, end))
    start = end + 1
  }
  return found
}

/** One line of output without its line end. */
export function line(output: Buffer): string {
  return output.toString('utf8').replace(/\r?\n$/, '')
}

/**
 * Copies the index of the repository around `root` to `to`, as old as it is: git tells a file that was changed right after
 * it was staged by the index being no younger, and a younger copy would hide the change. No index is an empty one.
 * Gives the reason when git does not say where it is.
 */
export async function copyIndex(root: string, to: string): Promise<{ readonly failed?: string }> {
  const found = await git(['rev-parse', '--git-path', 'index'], { cwd: root })
  if (!found.ok) return { failed: found.reason }
  const from = resolve(root, line(found.stdout))
  const stats = await stat(from).catch(() => undefined)
  if (stats === undefined) return {}
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const age = new Date(Math.floor(stats.mtimeMs) - 1)
  await utimes(to, age, age)
  return {}
}
