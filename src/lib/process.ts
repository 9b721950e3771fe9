import type { ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { endGroup, unwatchGroup, watchGroup } from './process-group.ts'
import { HeadTailBuffer, LineSplitter, LogFile } from './process-output.ts'

export interface ProcessRequest {
  /** A path, or a name that is looked up through PATH. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Merged over the environment of this process; `undefined` removes. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly deadlineMs: number
  readonly signal?: AbortSignal
  /** Standard input. Without it there is none: a command that reads gets the end of file at once. */
  readonly input?: string | Uint8Array
  /** Kept of stdout, stderr and both together, head and tail each; 1 MiB by default. */
  readonly maxOutputBytes?: number
  /** Every complete line of either stream, terminal sequences stripped. */
  readonly onLine?: (line: string) => void
  /** Everything that is printed is appended here. */
  readonly logFile?: string
  /** What goes to a reader (`output`, lines, the log) passes through it; `stdout` and `stderr` stay as they were printed. */
  readonly redact?: (text: string) => string
}

export interface ProcessResult {
  /** `killed`: ended by a signal that is not ours. */
  readonly status: 'exited' | 'killed' | 'deadline' | 'aborted' | 'not-started'
  readonly exitCode?: number
  readonly signalName?: string
  readonly stdout: string
  readonly stderr: string
  /** Both streams in the order in which they arrived. */
  readonly output: string
  /** Something was left out of one of the three texts. */
  readonly truncated: boolean
  readonly ms: number
  /** For `not-started`: what is missing, in words. */
  readonly reason?: string
}

interface Exit {
  readonly exitCode: number | null
  readonly signalName: NodeJS.Signals | null
}

const DEFAULT_OUTPUT_BYTES = 1024 * 1024
/** Longest time a Node timer can hold. */
const LONGEST_TIMER = 2 ** 31 - 1
/** After the command's end, how often its pipes are looked at, and how often at most. */
const DRAIN_MS = 100
const DRAIN_TICKS = 10

/**
 * Runs a command in a process group of its own and resolves when it has ended. Never throws. Deadline and abort end the
 * whole group (SIGTERM, SIGKILL within a second); so does the command's own end, since what it left in the background
 * could still change the tree. Output is kept as it was printed, capped.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const startedAt = performance.now()
  const ms = (): number => Math.round(performance.now() - startedAt)
  if (request.signal?.aborted) return { status: 'aborted', ...NO_OUTPUT, ms: ms() }
  const noFolder = await whyNotAFolder(request.cwd)
  if (noFolder !== undefined) return { status: 'not-started', ...NO_OUTPUT, ms: ms(), reason: noFolder }

  const execa = await import('execa')
  const notStarted = (error: unknown): ProcessResult => {
    return { status: 'not-started', ...NO_OUTPUT, ms: ms(), reason: whyNotStarted(request.file, error) }
  }
  let child: ReturnType<typeof start>
  try {
    child = start(execa, request)
  } catch (error) {
    return notStarted(error)
  }
  if (child.pid === undefined) return notStarted((await child).cause)
  watchGroup(child.pid)
  const output = collect(child, request)
  // A started process can still report errors (a failed kill); its end is told by `exit` in any case.
  child.on('error', () => {})
  feed(child, request.input)
  const { exit, ended, ending } = await waitForExit(child, child.pid, request)
  // What a pipeline still has to print is not to be lost to the end of its group.
  if (ending === undefined) await output.drained()
  await (ending ?? endGroup(child.pid))
  await output.drained()
  output.end()
  unwatchGroup(child.pid)
  return {
    status: ended ?? (exit.signalName === null ? 'exited' : 'killed'),
    ...(exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
    ...(exit.signalName === null ? {} : { signalName: exit.signalName }),
    ...output.texts(),
    ms: ms(),
  }
}

const NO_OUTPUT = { stdout: '', stderr: '', output: '', truncated: false } as const

/** Execa finds commands as a shell would on every platform (Windows' `.cmd` files too); loaded with the first command. */
function start({ execa }: typeof import('execa'), request: ProcessRequest) {
  return execa(request.file, [...request.args], {
    cwd: request.cwd,
    env: { ...process.env, ...request.env },
    extendEnv: false,
    // A session of its own: the group can be ended as a whole, and no terminal can be read or stopped by it.
    detached: process.platform !== 'win32',
    // The group is ended here, with this process too; output and end are watched here.
    cleanup: false,
    buffer: false,
    reject: false,
    stdin: request.input === undefined ? 'ignore' : 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

async function whyNotAFolder(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : `${path} is not a folder`
  } catch {
    return `the folder ${path} does not exist or can't be read`
  }
}

function whyNotStarted(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') {
    return /[\\/]/.test(file) ? `${file} does not exist` : `${file} is not installed, or not in a folder of PATH`
  }
  if (code === 'EACCES') return `${file} may not be executed (no permission)`
  if (code === 'E2BIG') return `the arguments of ${file} are too long`
  return `${file} can't be started: ${error instanceof Error ? error.message : String(error)}`
}

function feed(child: ChildProcess, input: string | Uint8Array | undefined): void {
  if (input === undefined || child.stdin === null) return
  // A command need not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
}

/** Waits for the command's own end, which deadline and abort hasten. */
function waitForExit(
  child: ChildProcess,
  pid: number,
  request: ProcessRequest,
): Promise<{ exit: Exit; ended?: 'deadline' | 'aborted'; ending?: Promise<void> }> {
  return new Promise((resolve) => {
    let ended: 'deadline' | 'aborted' | undefined
    let ending: Promise<void> | undefined
    const end = (why: 'deadline' | 'aborted'): void => {
      if (ended !== undefined) return
      ended = why
      ending = endGroup(pid)
    }
    const onAbort = (): void => end('aborted')
    const timer = setTimeout(() => end('deadline'), Math.min(request.deadlineMs, LONGEST_TIMER))
    request.signal?.addEventListener('abort', onAbort, { once: true })
    if (request.signal?.aborted) onAbort()
    child.once('exit', (exitCode, signalName) => {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', onAbort)
      resolve({ exit: { exitCode, signalName }, ...(ended && { ended }), ...(ending && { ending }) })
    })
  })
}

function collect(child: ChildProcess, request: ProcessRequest) {
  const size = request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES
  const both = new HeadTailBuffer(size)
  const { onLine, redact = (text: string) => text } = request
  const log = request.logFile === undefined ? undefined : new LogFile(request.logFile, request.redact)
  let arrived = 0
  const streams = [child.stdout, child.stderr].map((stream) => {
    const buffer = new HeadTailBuffer(size)
    const lines = onLine === undefined ? undefined : new LineSplitter((line) => onLine(redact(line)))
    const closed = new Promise<void>((resolve) => {
      if (stream === null) resolve()
      stream?.once('close', resolve)
    })
    stream?.on('error', () => {})
    stream?.on('data', (chunk: Buffer) => {
      arrived += 1
      buffer.push(chunk)
      both.push(chunk)
      log?.append(chunk)
      lines?.push(chunk)
    })
    return { stream, buffer, lines, closed }
  })
  const closed = Promise.all(streams.map((entry) => entry.closed)).then(() => true)

  return {
    /** Waits until both pipes are closed, or nothing comes any more: somebody else may hold them. */
    async drained(): Promise<void> {
      for (let tick = 0; tick < DRAIN_TICKS; tick += 1) {
        const before = arrived
        const quiet = new Promise<false>((resolve) => setTimeout(resolve, DRAIN_MS, false))
        if (await Promise.race([closed, quiet])) return
        // A timer can be late and come before data that waits: only the turn after it tells.
        await new Promise((resolve) => setImmediate(resolve))
        if (arrived === before) return
      }
    },
    end(): void {
      for (const { stream, lines } of streams) {
        stream?.destroy()
        lines?.end()
      }
      log?.close()
    },
    texts() {
      const [stdout, stderr] = streams.map((entry) => entry.buffer)
      return {
        stdout: stdout?.toString() ?? '',
        stderr: stderr?.toString() ?? '',
        output: redact(both.toString()),
        truncated: both.truncated || streams.some((entry) => entry.buffer.truncated),
      }
    },
  }
}
