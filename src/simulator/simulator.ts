import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { unmet } from './expectation.ts'
import { refusedByProvider } from './provider-rules.ts'
import { respondWith, sendError } from './respond.ts'
import type { Scenario, Turn } from './turn.ts'

/** A request as it came, without what authorizes it. */
export interface RecordedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: JsonObject
  /** Why it was rejected: an expectation that does not hold, or a rule of the provider's. */
  readonly rejected?: string
}

/** Answers by a function. `n` counts the requests from 0. */
export interface ScriptedResponder {
  readonly respond: (request: RecordedRequest, n: number) => Turn | Promise<Turn>
}

export interface Simulator {
  /** Base URL for a client, without a trailing slash. */
  readonly url: string
  /** All requests so far, also those that were rejected. */
  readonly requests: readonly RecordedRequest[]
  /** Ends all connections, also those that stall. */
  close(): Promise<void>
}

const CREDENTIALS = new Set(['authorization', 'x-api-key', 'cookie'])

/**
 * A loopback server that plays the Anthropic Messages API, streaming. With a scenario each request takes the next turn;
 * one that does not meet its turn's expectation, or that the real API would reject, is rejected with status 400 and leaves
 * the turn where it is. `port` 0, the default, takes a free one.
 */
export async function startSimulator(
  script: Scenario | ScriptedResponder,
  { port = 0 }: { readonly port?: number } = {},
): Promise<Simulator> {
  const requests: RecordedRequest[] = []
  let received = 0
  let turnsTaken = 0
  let callsMade = 0

  const nextTurn = async (request: RecordedRequest): Promise<Turn | string> => {
    if ('respond' in script) return script.respond(request, received++)
    const turn = script.turns[turnsTaken]
    if (!turn) return `scenario "${script.name}": the scenario has no more turns than ${script.turns.length}`
    const reason = turn.expect && unmet(turn.expect, request.body)
    if (reason !== undefined) return `scenario "${script.name}", turn ${turnsTaken + 1}: ${reason}`
    turnsTaken++
    return turn
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(incoming)
    if (new URL(incoming.url ?? '/', 'http://localhost').pathname !== '/v1/messages' || incoming.method !== 'POST') {
      sendError(response, 404, `there is no ${incoming.method} ${incoming.url}`)
      return
    }
    const body = parseBody(text)
    if (!body) {
      sendError(response, 400, 'the request body is not a JSON object')
      return
    }
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !CREDENTIALS.has(name)))
    const request: RecordedRequest = { headers, body }
    const turn = refusedByProvider(body) ?? (await nextTurn(request))
    if (typeof turn === 'string') {
      requests.push({ ...request, rejected: turn })
      sendError(response, 400, turn)
      return
    }
    requests.push(request)
    const context = {
      model: typeof body.model === 'string' ? body.model : 'simulated',
      messageId: `msg_simulated_${requests.length}`,
      requestBytes: Buffer.byteLength(text),
      nextCallId: () => `toolu_simulated_${++callsMade}`,
    }
    await respondWith(turn, context, response)
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: Error) => {
      // A client that went away while it sent or read is no fault of the script's.
      if (!response.headersSent && !response.destroyed) sendError(response, 500, error.message)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parseBody(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
