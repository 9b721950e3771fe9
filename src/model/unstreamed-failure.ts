import type { Failure } from '../core/failure.ts'
import { type Endpoint, failureOfComplaint } from './anthropic-failure.ts'
import { isHtml, oneLine } from './one-line.ts'
import { objectAt, parseJson, stringAt } from './wire-json.ts'

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
      reason: `${endpoint.host} answers with an HTML page: not an Anthropic endpoint? Check the base URL`,
      status: response.status,
    }
  const error = objectAt(parseJson(start), 'error')
  const errorType = stringAt(error, 'type')
  if (errorType !== undefined)
    return failureOfComplaint({ type: errorType, words: stringAt(error, 'message') ?? errorType }, endpoint, Date.now())
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
