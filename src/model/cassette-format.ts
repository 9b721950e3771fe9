import type { Outcome } from '../core/failure.ts'
import { canonicalJson, type Json, type JsonObject } from '../core/json.ts'
import type { ModelAnswer, ModelRequest } from '../core/message.ts'
import type { ModelEvent } from '../core/ports.ts'

/** The version of the format. A reader refuses a newer one. */
export const CASSETTE_VERSION = 1

/** The first line of a cassette. */
export interface CassetteHeader {
  readonly cassette: number
  /** Version of the program that wrote it. */
  readonly goatfied: string
}

/** A request as far as a model sees it, in plain JSON. */
export interface RecordedRequest {
  readonly role: string
  readonly system: string
  readonly tools: readonly JsonObject[]
  readonly messages: readonly Json[]
  readonly maxOutputTokens: number
}

/** Every line after the first: a request, what came while it was answered, and what it was answered with. */
export interface RecordedStep {
  readonly request: RecordedRequest
  readonly events: readonly ModelEvent[]
  readonly outcome: Outcome<ModelAnswer>
}

/** Takes secrets out of all texts of a value, names of members included. Has to give the same for the same value. */
export type Redact = (value: Json) => Json

/** What is kept of a request and compared with later ones: all that a model sees of it, without secrets. */
export function recordedRequest(request: ModelRequest, redact: Redact): RecordedRequest {
  const { role, system, messages, maxOutputTokens } = request
  const tools = request.tools.map(({ name, description, inputSchema, strict }) => ({
    name,
    description,
    inputSchema,
    strict,
  }))
  return redact(plainJson({ role, system, tools, messages, maxOutputTokens })) as unknown as RecordedRequest
}

/** Equal requests have equal keys. */
export function requestKey(request: RecordedRequest): string {
  return canonicalJson(request as unknown as Json)
}

/** The value as it is after it has been written and read: members that are undefined are gone. */
export function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
