import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { StampedEvent } from '../core/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { BLOB_FOLDER, LOG_VERSION, type LogHeader, putBack } from './format.ts'

export interface ReadLog {
  readonly ok: true
  readonly header: LogHeader
  readonly events: readonly StampedEvent[]
  /** Whether the last line was cut, as when the writer was killed; it is left out. */
  readonly torn: boolean
}

export interface Unreadable {
  readonly ok: false
  /** What is wrong and where, in words for the user. */
  readonly problem: string
}

/** Reads the log at `file` whole, texts put aside included. */
export async function readRunLog(file: string): Promise<ReadLog | Unreadable> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    return unreadable(file, reason)
  }
  // Split at line feeds only: JSON text may hold other characters that count as line ends elsewhere.
  const [first = '', ...lines] = text.split('\n')
  const header = parseHeader(first)
  if (!header.ok) return unreadable(file, header.problem)

  const last = lines.pop()
  const events: StampedEvent[] = []
  for (const [index, line] of lines.entries()) {
    const event = parseEvent(line, path.dirname(file))
    if (!event.ok) return unreadable(`${file}:${index + 2}`, event.problem)
    events.push(event.event)
  }
  return { ok: true, header: header.header, events, torn: last !== undefined && last !== '' }
}

/** The first line of a log, without its line end. */
export function parseHeader(line: string): { ok: true; header: LogHeader } | Unreadable {
  const value = parseObject(line)
  if (value === undefined || typeof value.log !== 'number' || typeof value.goatfied !== 'string') {
    return { ok: false, problem: 'it does not begin like a run log of Goatfied' }
  }
  if (value.log > LOG_VERSION) {
    const newer = `it was written by a newer version of Goatfied (${value.goatfied}, log format ${value.log}; this one reads up to ${LOG_VERSION})`
    return { ok: false, problem: `${newer}; update Goatfied to read it` }
  }
  const { goatfied, log, pid, host } = value
  return {
    ok: true,
    header: { goatfied, log, pid: typeof pid === 'number' ? pid : 0, host: typeof host === 'string' ? host : '' },
  }
}

/** One line of a log after the first; `folder` is where the log is. */
export function parseEvent(line: string, folder: string): { ok: true; event: StampedEvent } | Unreadable {
  const value = parseObject(line)
  if (value === undefined || typeof value.type !== 'string' || typeof value.seq !== 'number') {
    return { ok: false, problem: 'this line is not an event; the log was changed or damaged' }
  }
  let missing: string | undefined
  const event = putBack(value, (hash) => {
    const file = path.join(folder, BLOB_FOLDER, hash)
    // Only a hash may name a file: a log that somebody made up must not read elsewhere.
    if (/^[0-9a-f]{64}$/.test(hash) && existsSync(file)) return readFileSync(file, 'utf8')
    missing = file
    return ''
  })
  if (missing !== undefined) return { ok: false, problem: `a text that belongs to this line is missing (${missing})` }
  return { ok: true, event: event as unknown as StampedEvent }
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function unreadable(where: string, reason: string): Unreadable {
  return { ok: false, problem: `${where} can't be read: ${reason}.` }
}
