import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { ProviderComplaint } from './provider-failure.ts'
import { numberAt, objectAt, parseJson, stringAt } from './wire-json.ts'

/** A complaint in the body of a response, or in an event of a stream. */
export interface BodyComplaint extends ProviderComplaint {
  /** What a server would have had as a call, had it been a valid one. */
  readonly failedGeneration?: string
}

/**
 * The complaint in a body, in the shapes that servers of this family have for it: `{"error": {...}}`, `{"error": "..."}`,
 * `[{"error": {...}}]`, `{"message": ...}`, `{"detail": ...}`, or plain text. A status in it counts where the response has
 * none of its own.
 */
export function complaintOf(text: string): BodyComplaint {
  const parsed = parseJson(text)
  const root = Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed
  return isJsonObject(root) ? complaintIn(root) : { words: text }
}

export function complaintIn(root: JsonObject): BodyComplaint {
  const error = objectAt(root, 'error') ?? root
  const code = numberAt(error, 'code') ?? stringAt(error, 'code')
  const type = stringAt(error, 'type')
  // A server that passes requests on has the words of the one behind it aside.
  const raw = stringAt(objectAt(error, 'metadata'), 'raw')
  const words =
    stringAt(error, 'message') ?? stringAt(root, 'error') ?? stringAt(root, 'detail') ?? type ?? JSON.stringify(root)
  const failedGeneration = stringAt(error, 'failed_generation')
  const wait = retryDelay(error)
  return {
    words: raw === undefined ? words : `${words}: ${raw}`,
    ...(type !== undefined && { type }),
    ...(typeof code === 'string' && { code }),
    ...(typeof code === 'number' && code >= 400 && code <= 599 && { status: code }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(failedGeneration !== undefined && { failedGeneration }),
  }
}

/** Whether what should be an answer is a complaint. */
export function isComplaint(value: JsonObject): boolean {
  return (
    isJsonObject(value.error) || typeof value.error === 'string' || value.object === 'error' || value.type === 'error'
  )
}

/** Google's `details: [{"retryDelay": "34s"}]`, in milliseconds. */
function retryDelay(error: JsonObject): number | undefined {
  const details = Array.isArray(error.details) ? (error.details as readonly Json[]) : []
  const delays = details.map((detail) => /^([\d.]+)s$/.exec(stringAt(detail, 'retryDelay') ?? '')?.[1])
  const found = delays.find((delay) => delay !== undefined)
  return found === undefined ? undefined : Number(found) * 1000
}
