import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { RunEvent, StampedEvent } from '../core/event.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { sha256 } from '../lib/hash.ts'
import { BLOB_FOLDER, LOG_FILE, LOG_VERSION, type LogHeader, putAside } from './format.ts'
import { createRedactor } from './redact.ts'

/** The log of one run, being written. */
export interface RunLog {
  /** Absolute path of the log. */
  readonly path: string
  /**
   * Appends the event before it returns. Gives a problem, in words for the user, at the first event that could not be written, and never
   * again: nothing is written after it, since a log with a hole can't be replayed. Never throws.
   */
  write(event: StampedEvent): string | undefined
  close(): void
}

/** After these the log has to survive a power cut: they stand before acts that change or give back the tree. */
const SYNCED: ReadonlySet<RunEvent['type']> = new Set(['attempt.started', 'rollback.started', 'run.ended'])

/**
 * Starts `<dir>/<runId>/log.jsonl`. What may be secret is taken out before it reaches the disk: `secrets`, and well-known shapes.
 * `version` is the program's.
 */
export function openRunLog(options: {
  readonly dir: string
  readonly runId: string
  readonly version: string
  readonly secrets: readonly string[]
}): { readonly ok: true; readonly log: RunLog } | { readonly ok: false; readonly problem: string } {
  const folder = path.resolve(options.dir, options.runId)
  const file = path.join(folder, LOG_FILE)
  let descriptor: number
  try {
    // Logs hold source code: they are for the user's own eyes.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    descriptor = openSync(file, 'ax', 0o600)
    const header: LogHeader = { goatfied: options.version, log: LOG_VERSION, pid: process.pid, host: os.hostname() }
    writeWhole(descriptor, `${JSON.stringify(header)}\n`)
  } catch (error) {
    return {
      ok: false,
      problem: `The run log ${file} can't be written (${reasonOf(error)}). Choose another folder with --log-dir.`,
    }
  }
  return { ok: true, log: createLog(file, descriptor, options.secrets) }
}

function createLog(file: string, descriptor: number, secrets: readonly string[]): RunLog {
  const redactor = createRedactor(secrets)
  const blobs = path.join(path.dirname(file), BLOB_FOLDER)
  let state: 'open' | 'failed' | 'closed' = 'open'

  const append = ({ type, ...rest }: StampedEvent): void => {
    const members = redactor.value(rest as unknown as Json) as JsonObject
    const event = putAside(members, (text) => keepBlob(blobs, text)) as JsonObject
    const { seq, at, ...others } = event
    writeWhole(descriptor, `${JSON.stringify({ seq, at, type, ...others })}\n`)
    if (SYNCED.has(type)) fsyncSync(descriptor)
  }

  return {
    path: file,
    write(event) {
      if (state !== 'open' || event.type === 'model.text') return undefined
      try {
        append(event)
        return undefined
      } catch (error) {
        state = 'failed'
        return `The run log ${file} can't be written any more (${reasonOf(error)}). The run goes on, but can't be shown, replayed or resumed from it.`
      }
    },
    close() {
      if (state === 'closed') return
      state = 'closed'
      try {
        closeSync(descriptor)
      } catch {
        // What was written is there, or its failure has been told.
      }
    },
  }
}

/** Stores a text under its hash; one that is there already is left alone. */
function keepBlob(folder: string, text: string): string {
  const hash = sha256(text)
  const file = path.join(folder, hash)
  if (existsSync(file)) return hash
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // By way of another name: a file under its hash is always whole.
  writeFileSync(`${file}.part`, text, { mode: 0o600 })
  renameSync(`${file}.part`, file)
  return hash
}

/** One call of the system may write a part only. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EEXIST') return 'a run of that name has been logged already'
  return message
}
