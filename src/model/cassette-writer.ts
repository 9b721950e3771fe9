import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Outcome } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import type { ModelEvent } from '../core/ports.ts'
import {
  CASSETTE_VERSION,
  type CassetteHeader,
  plainJson,
  type RecordedRequest,
  type RecordedStep,
  type Redact,
  requestKey,
} from './cassette-format.ts'
import { joinedTexts, redactEvents } from './cassette-texts.ts'

/** A cassette that is being written. */
export interface CassetteWriter {
  readonly path: string
  readonly redact: Redact
  /**
   * What went wrong, in words for the user, from the first step on that could not be recorded. Nothing is recorded after
   * it, since a cassette with a hole can't be replayed.
   */
  readonly problem: string | undefined
  /** Appends the step, and returns when it is on the disk. `request` has its secrets taken out already. Never throws. */
  write(step: RecordedStep): void
  close(): void
}

/** Shorter texts are no secrets, and would be found in ordinary words. */
const SHORTEST_SECRET = 6

/** A text in JSON text in JSON text: call arguments may hold that. */
const DEEPEST_ESCAPES = 3

/**
 * Starts a cassette in a new file. `redact` takes secrets out of what is written; `secrets` are looked for afterwards,
 * and a line that still holds one is not written. `version` is the program's.
 */
export function createCassette(options: {
  readonly file: string
  readonly version: string
  readonly redact: Redact
  readonly secrets: readonly string[]
}): { readonly ok: true; readonly cassette: CassetteWriter } | { readonly ok: false; readonly problem: string } {
  const { file, version } = options
  try {
    // It holds source code: it is for the user's own eyes until the user shows it. What is there is never overwritten.
    const descriptor = openSync(file, 'ax', 0o600)
    const header: CassetteHeader = { cassette: CASSETTE_VERSION, goatfied: version }
    append(descriptor, `${JSON.stringify(header)}\n`)
    return { ok: true, cassette: createWriter(descriptor, options) }
  } catch (error) {
    return { ok: false, problem: `The cassette ${file} can't be written: ${reasonOf(error)}.` }
  }
}

function createWriter(
  descriptor: number,
  { file, redact, secrets }: { readonly file: string; readonly redact: Redact; readonly secrets: readonly string[] },
): CassetteWriter {
  const forms = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(escapedForms)
  let steps = 0
  let problem: string | undefined
  let open = true
  return {
    path: file,
    redact,
    get problem() {
      return problem
    },
    write(step) {
      if (!open || problem !== undefined) return
      steps += 1
      try {
        const events = redactEvents(step.events, redact)
        const line = lineOf(step.request, events, redact(plainJson(step.outcome)) as unknown as Outcome<ModelAnswer>)
        // A secret may come in pieces, none of which shows it.
        const whole = [line, ...joinedTexts(events)].join('\n')
        if (forms.some((form) => whole.includes(form)))
          problem = `The cassette ${file} ends before step ${steps}: an API key would have got into it. The run goes on, but can't be replayed from it.`
        else append(descriptor, line)
      } catch (error) {
        problem = `The cassette ${file} can't be written any more: ${reasonOf(error)}. The run goes on, but can't be replayed from it.`
      }
    },
    close() {
      if (!open) return
      open = false
      try {
        closeSync(descriptor)
      } catch {
        // What was written is there, or its failure has been told.
      }
    },
  }
}

/** The answer keeps the order of its members: a call's arguments are shown to models in the order in which they came. */
function lineOf(request: RecordedRequest, events: readonly ModelEvent[], outcome: Outcome<ModelAnswer>): string {
  return `{"request":${requestKey(request)},"events":${JSON.stringify(events)},"outcome":${JSON.stringify(outcome)}}\n`
}

/** The secret as it stands in a text, and as JSON writes it. */
function escapedForms(secret: string): readonly string[] {
  const forms = new Set([secret])
  let form = secret
  for (let depth = 0; depth < DEEPEST_ESCAPES; depth++) {
    form = JSON.stringify(form).slice(1, -1)
    forms.add(form)
  }
  return [...forms]
}

function append(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  // One call of the system may write a part only.
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
  fsyncSync(descriptor)
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EEXIST') return 'there is a file of that name already; choose another, or remove it'
  if (code === 'ENOENT') return 'its folder does not exist'
  return message
}
