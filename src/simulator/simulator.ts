import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { CHAT } from './chat-format.ts'
import { unmet } from './expectation.ts'
import { MESSAGES } from './messages-format.ts'
import { respondWith, sendError } from './respond.ts'
import { RESPONSES } from './responses-format.ts'
import type { Scenario, Turn } from './turn.ts'
import { firstOf, objects, text } from './wire.ts'
import type { WireFormat } from './wire-format.ts'

/** A request as it came, without what authorizes it. */
export interface RecordedRequest {
  /** Which API was asked, by its path. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: JsonObject
  /** The schema in force of each tool that may be called, by the tool's own name. */
  readonly schemas: Readonly<Record<string, JsonObject>>
  /** Why it was rejected: an expectation that does not hold, a call that can't be made, or a rule of the provider's. */
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

const FORMATS: readonly WireFormat[] = [MESSAGES, RESPONSES, CHAT]

const CREDENTIALS = new Set(['authorization', 'x-api-key', 'cookie'])

/**
 * A loopback server that plays the Anthropic Messages API and OpenAI's Responses and Chat Completions, streaming. With a scenario each request takes the next turn;
 * one that does not meet its turn's expectation, that leaves out a tool which the turn calls, or that the real API would
 * reject, is rejected with status 400 and leaves the turn where it is. `port` 0, the default, takes a free one.
 */
export async function startSimulator(
  script: Scenario | ScriptedResponder,
  { port = 0 }: { readonly port?: number } = {},
): Promise<Simulator> {
  const requests: RecordedRequest[] = []
  let received = 0
  let turnsTaken = 0
  let callsMade = 0

  const nextTurn = async (request: RecordedRequest, format: WireFormat): Promise<Turn | string> => {
    if ('respond' in script) {
      const turn = await script.respond(request, received++)
      return uncallable(turn, format, request.body) ?? turn
    }
    const turn = script.turns[turnsTaken]
    if (!turn) return `scenario "${script.name}": the scenario has no more turns than ${script.turns.length}`
    const reason =
      (turn.expect && unmet(turn.expect, format.seen(request.body))) ?? uncallable(turn, format, request.body)
    if (reason !== undefined) return `scenario "${script.name}", turn ${turnsTaken + 1}: ${reason}`
    turnsTaken++
    return turn
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await readBody(incoming)
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    const format = incoming.method === 'POST' ? FORMATS.find(({ path }) => path === pathname) : undefined
    const refuse = (status: number, words: string) =>
      sendError(response, status, (format ?? MESSAGES).errorBody(status, words, undefined))
    if (!format) {
      refuse(404, `there is no ${incoming.method} ${incoming.url}`)
      return
    }
    const body = parseBody(sent)
    if (!body) {
      refuse(400, 'the request body is not a JSON object')
      return
    }
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !CREDENTIALS.has(name)))
    const request: RecordedRequest = { path: format.path, headers, body, schemas: schemasIn(format.seen(body)) }
    const turn = format.refused(body, betasIn(headers)) ?? (await nextTurn(request, format))
    if (typeof turn === 'string') {
      requests.push({ ...request, rejected: turn })
      refuse(400, turn)
      return
    }
    requests.push(request)
    const context = {
      model: typeof body.model === 'string' ? body.model : 'simulated',
      body,
      messageId: `${format.idPrefixes.message}_simulated_${requests.length}`,
      requestBytes: Buffer.byteLength(sent),
      nextCallId: () => `${format.idPrefixes.call}_simulated_${++callsMade}`,
    }
    await respondWith(turn, format, context, response)
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: Error) => {
      // A client that went away while it sent or read is no fault of the script's.
      if (!response.headersSent && !response.destroyed)
        sendError(response, 500, MESSAGES.errorBody(500, error.message, undefined))
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

function schemasIn({ tools }: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(
    objects(tools).map(({ name, input_schema: schema }) => [text(name), isJsonObject(schema) ? schema : {}]),
  )
}

function betasIn(headers: RecordedRequest['headers']): readonly string[] {
  return [headers['anthropic-beta'] ?? []].flat().flatMap((value) => value.split(',').map((beta) => beta.trim()))
}

/** What is wrong with the calls of a turn: that of a tool which the request keeps from being called. */
function uncallable({ answer = [] }: Turn, { calledName }: WireFormat, body: JsonObject): string | undefined {
  return firstOf(answer, (block) => {
    const tool = 'call' in block ? block.call : 'rawCall' in block ? block.rawCall : undefined
    if (tool === undefined || calledName === undefined || calledName(tool, body) !== undefined) return undefined
    return `the answer calls ${tool}, which the request does not allow`
  })
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
