import { readFile } from 'node:fs/promises'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { ModelRequest } from '../core/message.ts'
import { describeMissing } from './cassette-difference.ts'
import {
  CASSETTE_VERSION,
  type CassetteHeader,
  type RecordedStep,
  type Redact,
  recordedRequest,
  requestKey,
} from './cassette-format.ts'
import { numberAt, objectAt, parseJson, stringAt } from './wire-json.ts'

/** A cassette being replayed: each of its steps is given out once. */
export interface Cassette {
  readonly path: string
  readonly header: CassetteHeader
  /** Whether the last line was cut, as when the writer was killed; it is left out. */
  readonly torn: boolean
  /** How many steps have not been given out. */
  readonly left: number
  /** The first step recorded for this request that was not given out yet, or why there is none. */
  take(
    request: ModelRequest,
  ): { readonly ok: true; readonly step: RecordedStep } | { readonly ok: false; readonly reason: string }
}

export type CassetteReading =
  | { readonly ok: true; readonly cassette: Cassette }
  /** What is wrong and where, in words for the user. */
  | { readonly ok: false; readonly problem: string }

/** Reads the cassette in `file`. `redact` has to be the one with which it was recorded, or one like it. */
export async function readCassette(file: string, redact: Redact): Promise<CassetteReading> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return unreadable(file, code === 'ENOENT' ? 'there is no such file' : message)
  }
  // Split at line feeds only: JSON text may hold other characters that count as line ends elsewhere.
  const [first = '', ...lines] = text.split('\n')
  const header = parseHeader(first)
  if (typeof header === 'string') return unreadable(file, header)
  const last = lines.pop()
  const steps: RecordedStep[] = []
  for (const [index, line] of lines.entries()) {
    const step = parseStep(line)
    if (step === undefined)
      return unreadable(`${file}:${index + 2}`, 'this line is no recorded step; the cassette was changed or damaged')
    steps.push(step)
  }
  const torn = last !== undefined && last !== ''
  return { ok: true, cassette: openCassette({ path: file, header, torn }, steps, redact) }
}

function openCassette(
  about: Pick<Cassette, 'path' | 'header' | 'torn'>,
  steps: readonly RecordedStep[],
  redact: Redact,
): Cassette {
  const waiting = new Map<string, RecordedStep[]>()
  for (const step of steps) {
    const key = requestKey(step.request)
    const equal = waiting.get(key)
    if (equal === undefined) waiting.set(key, [step])
    else equal.push(step)
  }
  const given = new Set<RecordedStep>()
  return {
    ...about,
    get left() {
      return steps.length - given.size
    },
    take(request) {
      const wanted = recordedRequest(request, redact)
      const step = waiting.get(requestKey(wanted))?.shift()
      if (step === undefined) return { ok: false, reason: describeMissing(about.path, wanted, steps, given) }
      given.add(step)
      return { ok: true, step }
    },
  }
}

/** The header, or what is wrong with it. */
function parseHeader(line: string): CassetteHeader | string {
  const value = parseJson(line)
  const cassette = numberAt(value, 'cassette')
  const goatfied = stringAt(value, 'goatfied')
  if (cassette === undefined || goatfied === undefined) return 'it does not begin like a cassette of Goatfied'
  if (cassette > CASSETTE_VERSION)
    return `it was written by a newer version of Goatfied (${goatfied}, cassette format ${cassette}; this one reads up to ${CASSETTE_VERSION}); update Goatfied to replay it`
  return { cassette, goatfied }
}

/** A line after the first; undefined for what is no step. */
function parseStep(line: string): RecordedStep | undefined {
  const value = parseJson(line)
  if (!isJsonObject(value)) return undefined
  const { events } = value
  const request = objectAt(value, 'request')
  const outcome = objectAt(value, 'outcome')
  const whole = isRequest(request) && Array.isArray(events) && events.every(isEvent) && isOutcome(outcome)
  return whole ? (value as unknown as RecordedStep) : undefined
}

function isRequest(request: JsonObject | undefined): boolean {
  return (
    stringAt(request, 'role') !== undefined &&
    stringAt(request, 'system') !== undefined &&
    numberAt(request, 'maxOutputTokens') !== undefined &&
    isListOfObjects(request?.messages) &&
    isListOfObjects(request?.tools)
  )
}

function isEvent(event: Json): boolean {
  const type = stringAt(event, 'type')
  if (type === 'text') return stringAt(event, 'text') !== undefined
  return type === 'waiting' && stringAt(objectAt(event, 'failure'), 'kind') !== undefined
}

function isOutcome(outcome: JsonObject | undefined): boolean {
  if (outcome?.ok === false) return stringAt(objectAt(outcome, 'failure'), 'kind') !== undefined
  const answer = objectAt(outcome, 'value')
  return (
    outcome?.ok === true &&
    isListOfObjects(answer?.content) &&
    objectAt(answer, 'usage') !== undefined &&
    stringAt(answer, 'stopReason') !== undefined &&
    stringAt(answer, 'model') !== undefined
  )
}

function isListOfObjects(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every(isJsonObject)
}

function unreadable(where: string, problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: `The cassette ${where} can't be read: ${problem}.` }
}
