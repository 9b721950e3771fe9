import type { WorkingTree } from '../../core/ports.ts'
import { type ProcessRequest, type ProcessResult, runProcess } from '../../lib/process.ts'
import type { Command } from './check.ts'

export interface Execution {
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly observe: WorkingTree['observe']
  readonly onLine: (line: string) => void
  readonly logFile?: string
  readonly redact: (text: string) => string
}

/** Enough for the whole text of a report on stdout; what is shown is capped later. */
const OUTPUT_BYTES = 8 * 1024 * 1024

/** Runs a command of a check. What it changes in the tree is noted and stays. Throws the signal's reason on an abort. */
export async function execute(command: Command, how: Execution): Promise<ProcessResult> {
  how.signal.throwIfAborted()
  const request: ProcessRequest = {
    ...program(command),
    cwd: how.cwd,
    env: { ...how.env, ...command.env },
    deadlineMs: how.deadlineMs,
    signal: how.signal,
    maxOutputBytes: OUTPUT_BYTES,
    onLine: how.onLine,
    redact: how.redact,
    ...(how.logFile === undefined ? {} : { logFile: how.logFile }),
  }
  const { value } = await how.observe('kept', () => runProcess(request))
  how.signal.throwIfAborted()
  return value
}

/** A shell only where the repository's own words need one; on Windows patterns reach the tool as they do with npm. */
function program(command: Command): { file: string; args: string[] } {
  if (command.kind === 'shell') return shell(command.text)
  if (process.platform === 'win32' || command.words.every((word) => word.plain)) {
    return { file: command.file, args: command.words.map((word) => word.value) }
  }
  const quoted = `'${command.file.replaceAll("'", `'\\''`)}'`
  return shell(`exec ${[quoted, ...command.words.map((word) => word.raw)].join(' ')}`)
}

function shell(text: string): { file: string; args: string[] } {
  return process.platform === 'win32'
    ? { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', text] }
    : { file: 'sh', args: ['-c', text] }
}
