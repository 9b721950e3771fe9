import type { Failure } from '../core/failure.ts'
import { isJsonObject } from '../core/json.ts'
import { complaintIn, isComplaint } from './body-complaint.ts'
import { isHtml, oneLine } from './one-line.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import { parseJson } from './wire-json.ts'

/**
 * The failure of a response with status 200 that is no event stream; undefined when it is one. A response that does not
 * say what it is counts as one. Reads the body only of a response that fails.
 */
export async function unstreamedFailure(response: Response, endpoint: Endpoint): Promise<Failure | undefined> {
  const type = response.headers.get('content-type') ?? ''
  if (type === '' || /text\/event-stream/i.test(type)) return undefined
  const start = await firstChunk(response)
  if (/html/i.test(type) || isHtml(start))
    return {
      kind: 'provider.rejected',
      reason: `${endpoint.host} answers with an HTML page: not ${endpoint.api}? Check the base URL`,
      status: response.status,
    }
  const body = parseJson(start)
  if (isJsonObject(body) && isComplaint(body)) return failureOfComplaint(complaintIn(body), endpoint, Date.now())
  const words = oneLine(start, endpoint.apiKey)
  return {
    kind: 'provider.transient',
    reason: `${endpoint.host} answered with ${type} where an event stream belongs: ${words}`,
    status: response.status,
  }
}

/** The first piece of the body: enough to tell what it is, however long the whole may be. */
async function firstChunk(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const chunk = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(chunk?.value)
}
