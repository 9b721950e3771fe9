import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../core/failure.ts'
import type { Turn } from '../simulator/turn.ts'
import { ask, connect, failureOf, transient, withoutPort, withTurns } from './testing.ts'

describe('a connection', () => {
  it.each([
    ['closed without a word', { fault: { reset: true } }],
    ['that breaks amid the answer', { answer: [{ text: 'Some words to begin with' }], fault: { cutAfterDeltas: 1 } }],
  ] satisfies [string, Turn][])('%s', async (_, turn) => {
    const failure = await failureOf(turn)
    expect(failure).toEqual(
      transient(expect.stringMatching(/^HOST closed the connection \((ECONNRESET|UND_ERR_SOCKET)\)$/)),
    )
  })

  it('that nobody takes', async () => {
    const server = createTcpServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    })
    await new Promise((resolve) => server.close(resolve))
    const { outcome } = await ask(await connect(`http://127.0.0.1:${port}/base`))
    expect(outcome).toEqual({
      ok: false,
      failure: transient(`127.0.0.1:${port} refuses the connection (ECONNREFUSED): nothing listens there`),
    })
  })

  it('that does not speak TLS', async () => {
    await withTurns([{ answer: [] }], async (url) => {
      const { outcome } = await ask(await connect(url.replace('http:', 'https:')))
      const failure = outcome.ok ? undefined : withoutPort(outcome.failure)
      expect(failure).toEqual(transient(expect.stringMatching(/^no trusted TLS connection to HOST \(/)))
    })
  })
})

describe('a server that is none', () => {
  async function failureFrom(listener: RequestListener): Promise<Failure | undefined> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { outcome } = await ask(await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
      return outcome.ok ? undefined : withoutPort(outcome.failure)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }

  it('with a page as its error', async () => {
    const failure = await failureFrom((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>')
    })
    expect(failure).toEqual(transient('the provider has a fault (HOST answered 502: an HTML page)', { status: 502 }))
  })

  it('with plain JSON', async () => {
    const failure = await failureFrom((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":"world"}')
    })
    expect(failure).toEqual(
      transient('HOST answered with application/json where an event stream belongs: {"hello":"world"}', {
        status: 200,
      }),
    )
  })

  it('with an error under status 200', async () => {
    const failure = await failureFrom((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}')
    })
    expect(failure).toEqual(transient('the provider is overloaded (HOST: busy)'))
  })
})
