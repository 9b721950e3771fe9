import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../core/json.ts'
import type { Fault, Turn } from './turn.ts'
import type { AnswerContext, ServerEvent, WireFormat } from './wire-format.ts'

const NO_FAULT = { none: true } as const

/** Plays a turn into `response`. Ends early when the client goes; a turn that stalls leaves the response open. */
export async function respondWith(
  turn: Turn,
  format: WireFormat,
  context: AnswerContext,
  response: ServerResponse,
): Promise<void> {
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
    const message = fault.message ?? `simulated ${fault.status}`
    sendError(response, fault.status, format.errorBody(fault.status, message, fault.errorType), {
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
  await stream(turn, fault, format, context, response)
}

/** An error as the API words it. */
export function sendError(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function stream(
  turn: Turn,
  fault: Fault | typeof NO_FAULT,
  format: WireFormat,
  context: AnswerContext,
  response: ServerResponse,
): Promise<void> {
  const events = format.events(turn, context)
  let deltas = 0
  for (const event of 'badEvents' in fault ? format.withUnknownEvents(events) : events) {
    if (response.destroyed) return
    // The point where a fault acts lies before the delta after the last one allowed, or before the end of the answer.
    const atEnd = event.closes === true
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
    if ('garbledAfterDeltas' in fault && reached(fault.garbledAfterDeltas)) response.write(format.garbled)
    if ('errorEvent' in fault && atEnd) {
      response.end(sse(format.errorEvent(fault.errorEvent, fault.message ?? `simulated ${fault.errorEvent}`)))
      return
    }
    if (event.delta) {
      deltas++
      if (turn.delayMs) await sleep(turn.delayMs)
    }
    response.write(sse(event))
  }
  response.end()
}

function sse({ event, data }: ServerEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
