import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, type Connect, connect, OPENAI_WIRES, transient, withoutPort, withServer } from './testing.ts'

/** Servers that never come to an end, each of which would hold a run up for ever or fill the memory. */

/** Writes `piece` again and again, as fast as it is read or every `everyMs`. */
function writeForEver(response: ServerResponse, piece: string | Buffer, everyMs?: number): void {
  if (everyMs !== undefined) {
    const timer = setInterval(() => response.write(piece), everyMs)
    response.on('close', () => clearInterval(timer))
    return
  }
  response.once('drain', () => writeForEver(response, piece))
  for (let room = true; room && !response.destroyed; ) room = response.write(piece)
}

const streams = { 'content-type': 'text/event-stream' }
const wires: readonly [string, Connect][] = [['the Messages API', connect], ...OPENAI_WIRES]

async function toldOf(listener: (response: ServerResponse) => void, connectTo: Connect, idleMs = 5000) {
  const told = await withServer(
    (_, response) => listener(response),
    async (url) => (await ask(await connectTo(url, { idleMs }))).outcome,
  )
  return told.ok ? told.value.content : withoutPort(told.failure)
}

describe.each(wires)('over %s', (_, connectTo) => {
  it('a line without an end is given up', async () => {
    const told = await toldOf((response) => {
      response.writeHead(200, streams)
      writeForEver(response, Buffer.alloc(2 ** 20, 97))
    }, connectTo)
    expect(told).toEqual({
      kind: 'provider.rejected',
      reason: 'HOST sends without an end: an event of more than 8388608 characters',
    })
  })

  it('signs of life alone do not hold a request up for ever', async () => {
    const told = await toldOf(
      (response) => {
        response.writeHead(200, streams)
        writeForEver(response, ': waiting\n\n', 5)
      },
      connectTo,
      100,
    )
    // A machine under load may take a sign of life for none.
    expect(told).toEqual(
      transient(expect.stringMatching(/^HOST sent nothing (but signs of life for too long|for 0\.1 s)$/)),
    )
  })

  it('of a complaint without an end only the beginning is read', async () => {
    const told = await toldOf((response) => {
      response.writeHead(400, { 'content-type': 'text/plain' })
      writeForEver(response, 'no '.repeat(5000), 1)
    }, connectTo)
    expect(told).toEqual({
      kind: 'provider.rejected',
      status: 400,
      reason: expect.stringMatching(/^the provider rejects the request \(HOST answered 400: no no /),
    })
  })

  it('a switch to another protocol is no answer', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { outcome } = await ask(await connectTo(url))
    expect(outcome.ok ? undefined : withoutPort(outcome.failure)).toEqual(
      transient('HOST closed the connection (ECONNRESET)'),
    )
  })
})

const ends: readonly [string, Connect, readonly object[]][] = [
  [
    'Chat Completions',
    OPENAI_WIRES[1]?.[1] ?? connect,
    [{ choices: [{ delta: { content: 'Hi.' }, finish_reason: 'stop' }] }],
  ],
  [
    'Responses',
    OPENAI_WIRES[0]?.[1] ?? connect,
    [{ type: 'response.completed', response: { output: [{ type: 'message', content: [{ text: 'Hi.' }] }] } }],
  ],
]
it.each(ends)('over %s an answer stands, whatever a server goes on to say after it', async (_, connectTo, events) => {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const told = await toldOf((response) => {
    response.writeHead(200, streams).write(text)
    writeForEver(response, 'data: {"more":1}\n\n: and more\n\n', 5)
  }, connectTo)
  expect(told).toEqual([{ type: 'text', text: 'Hi.' }])
})

const manyCalls: readonly [string, Connect, string, (n: number) => object][] = [
  [
    'Chat Completions',
    OPENAI_WIRES[1]?.[1] ?? connect,
    'calls',
    (index) => ({ choices: [{ delta: { tool_calls: [{ index, function: { name: 'editFile', arguments: '{}' } }] } }] }),
  ],
  [
    'Responses',
    OPENAI_WIRES[0]?.[1] ?? connect,
    'items',
    (output_index) => ({ type: 'response.output_item.added', output_index, item: { type: 'function_call' } }),
  ],
]
it.each(manyCalls)('over %s calls without an end are given up', async (_, connectTo, what, call) => {
  const told = await toldOf((response) => {
    response.writeHead(200, streams)
    for (let n = 0; n < 1100; n++) response.write(`data: ${JSON.stringify(call(n))}\n\n`)
  }, connectTo)
  expect(told).toEqual({ kind: 'provider.rejected', reason: `HOST sends ${what} without an end` })
})
