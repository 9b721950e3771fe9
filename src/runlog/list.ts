import { type FileHandle, open, readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { RunEventOf, StampedEvent } from '../core/event.ts'
import { addUsage, NO_USAGE, type Usage } from '../core/message.ts'
import type { RunStatus } from '../core/outcome.ts'
import { LOG_FILE, type LogHeader } from './format.ts'
import { parseEvent, parseHeader, readRunLog } from './read.ts'

export interface RunSummary {
  readonly id: string
  /** Absolute path of the log. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** `interrupted`: it has no end, and its process is gone. */
  readonly status: RunStatus | 'running' | 'interrupted'
  readonly task: string
  readonly model: string
  readonly attempts: number
  readonly requests: number
  readonly usage: Usage
  /** From start to end, or to the last event so far. */
  readonly ms: number
}

export interface RunList {
  /** The latest first. */
  readonly runs: readonly RunSummary[]
  /** Logs that can't be summarized, each with the reason in words. */
  readonly unreadable: readonly { readonly id: string; readonly problem: string }[]
}

/** Read first and last of a log; more only where an event is longer. */
const CHUNK_BYTES = 128 * 1024

/** Without events for so long, a run on another machine counts as interrupted. */
const SILENCE_MS = 15 * 60_000

/** Summaries of all runs below `runsDir`; none when it is not there. `now` is milliseconds since the epoch. */
export async function listRuns(runsDir: string, now: number): Promise<RunList> {
  const runs: RunSummary[] = []
  const unreadable: { id: string; problem: string }[] = []
  for (const id of await runIds(runsDir)) {
    const file = path.resolve(runsDir, id, LOG_FILE)
    const summary = await summarize(id, file, now)
    if (typeof summary === 'string') unreadable.push({ id, problem: summary })
    else if (summary !== undefined) runs.push(summary)
  }
  runs.sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
  return { runs, unreadable }
}

async function runIds(runsDir: string): Promise<string[]> {
  try {
    const entries = await readdir(runsDir, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch {
    return []
  }
}

/** Undefined for a folder without a log; the problem for a log that can't be summarized. */
async function summarize(id: string, file: string, now: number): Promise<RunSummary | string | undefined> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `${file} can't be read: ${message}.`
  }
  try {
    const [first = '', second = ''] = await firstLines(handle, 2)
    const header = parseHeader(first)
    if (!header.ok) return `${file} can't be read: ${header.problem}.`
    const started = parseEvent(second, path.dirname(file))
    if (!started.ok || started.event.type !== 'run.started') return `${file} can't be read: it has no start of a run.`
    const last = parseEvent(await lastLine(handle), path.dirname(file))
    const base = { id, path: file, startedAt: started.event.at, ...titleOf(started.event) }
    if (last.ok && last.event.type === 'run.ended') {
      const { status, totals } = last.event.result
      const { attempts, requests, usage, ms } = totals
      return { ...base, status, attempts, requests, usage, ms }
    }
    return await summarizeUnended(base, header.header, file, now)
  } catch (error) {
    return `${file} can't be read: ${(error as Error).message}.`
  } finally {
    await handle.close()
  }
}

function titleOf({ task, model }: RunEventOf<'run.started'>): { task: string; model: string } {
  return { task: task.text, model }
}

/** A run without its end has no totals: they are counted, which takes the whole log. */
async function summarizeUnended(
  base: Pick<RunSummary, 'id' | 'path' | 'startedAt' | 'task' | 'model'>,
  header: LogHeader,
  file: string,
  now: number,
): Promise<RunSummary | string> {
  const log = await readRunLog(file)
  if (!log.ok) return log.problem
  const lastAt = log.events.at(-1)?.at ?? base.startedAt
  const count = (type: StampedEvent['type']): number => log.events.filter((event) => event.type === type).length
  const usage = log.events.reduce(
    (sum, event) => (event.type === 'model.answered' ? addUsage(sum, event.answer.usage) : sum),
    NO_USAGE,
  )
  return {
    ...base,
    status: isAlive(header, lastAt, now) ? 'running' : 'interrupted',
    attempts: count('attempt.started'),
    requests: count('model.requested'),
    usage,
    ms: lastAt - base.startedAt,
  }
}

function isAlive({ pid, host }: LogHeader, lastAt: number, now: number): boolean {
  if (host !== os.hostname()) return now - lastAt < SILENCE_MS
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not ours to signal, but there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function firstLines(handle: FileHandle, count: number): Promise<string[]> {
  const { size } = await handle.stat()
  for (let bytes = CHUNK_BYTES; ; bytes *= 4) {
    const lines = (await readAt(handle, 0, Math.min(bytes, size))).split('\n')
    if (lines.length > count || bytes >= size) return lines.slice(0, count)
  }
}

/** The last line, whole; one that was cut counts, too. */
async function lastLine(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat()
  for (let bytes = CHUNK_BYTES; ; bytes *= 4) {
    const start = Math.max(0, size - bytes)
    const lines = (await readAt(handle, start, size - start)).trimEnd().split('\n')
    if (lines.length > 1 || start === 0) return lines.at(-1) ?? ''
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.toString('utf8', 0, bytesRead)
}
