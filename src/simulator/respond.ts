import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnswerContext, answerEvents, type ServerEvent, withUnknownEvents } from './answer-events.ts'
import type { Fault, Turn } from './turn.ts'

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const NO_FAULT = { none: true } as const

/** Plays a turn into `response`. Ends early when the client goes; a turn that stalls leaves the response open. */
export async function respondWith(turn: Turn, context: AnswerContext, response: ServerResponse): Promise<void> {
  const fault = turn.fault ?? NO_FAULT
  if ('silence' in fault) return
  if ('reset' in fault) {
    response.socket?.resetAndDestroy()
    return
  }
  if ('html' in fault) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html><body>Welcome</body></html>')
    return
  }
  if ('status' in fault) {
    sendError(response, fault.status, fault.message ?? `simulated ${fault.status}`, fault.errorType, {
      ...(fault.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
      ...(fault.retryAfterMs !== undefined && { 'retry-after-ms': String(fault.retryAfterMs) }),
    })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  if ('stallAfterHeaders' in fault) {
    response.write(': connected\n\n')
    return
  }
  await stream(turn, fault, answerEvents(turn, context), response)
}

/** An error as the API words it. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  type = ERROR_TYPES[status] ?? 'api_error',
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}

async function stream(
  turn: Turn,
  fault: Fault | typeof NO_FAULT,
  events: readonly ServerEvent[],
  response: ServerResponse,
): Promise<void> {
  let deltas = 0
  for (const event of 'badEvents' in fault ? withUnknownEvents(events) : events) {
    if (response.destroyed) return
    // The point where a fault acts lies before the delta after the last one allowed, or before the end of the answer.
    const atEnd = event.event === 'message_delta'
    const reached = (limit: number) => (event.delta && deltas >= limit) || atEnd
    if ('cutAfterDeltas' in fault && reached(fault.cutAfterDeltas)) {
      await sleep(10) // What was written so far has to arrive before the connection breaks.
      response.socket?.resetAndDestroy()
      return
    }
    if ('endAfterDeltas' in fault && reached(fault.endAfterDeltas)) {
      response.end()
      return
    }
    if ('stallAfterDeltas' in fault && reached(fault.stallAfterDeltas)) return
    if ('garbledAfterDeltas' in fault && reached(fault.garbledAfterDeltas))
      response.write('event: content_block_delta\ndata: {"type":"content_bl\n\n')
    if ('errorEvent' in fault && atEnd) {
      const error = { type: fault.errorEvent, message: fault.message ?? `simulated ${fault.errorEvent}` }
      response.end(sse('error', { type: 'error', error }))
      return
    }
    if (event.delta) {
      deltas++
      if (turn.delayMs) await sleep(turn.delayMs)
    }
    response.write(sse(event.event, event.data))
  }
  response.end()
}

function sse(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
