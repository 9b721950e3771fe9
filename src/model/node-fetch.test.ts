import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { nodeFetch } from './node-fetch.ts'

async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

it('sends what it is given and tells what comes back', async () => {
  const seen: unknown[] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { 'content-length': length, 'x-one': one, 'accept-encoding': packing } = request.headers
    seen.push(request.method, request.url, { length, one, packing }, Buffer.concat(chunks).toString())
    response.writeHead(429, 'Slow Down', { 'retry-after': '3', 'X-Twice': ['a', 'b'] }).end('{"say":"no é"}')
  }
  await withServer(listener, async (url) => {
    const response = await nodeFetch(url, { method: 'POST', headers: { 'X-One': '1' }, body: 'an é' })
    const { status, statusText, ok, headers } = response
    expect(seen).toEqual(['POST', '/path?query=1', { length: '5', one: '1', packing: 'identity' }, 'an é'])
    expect({ status, statusText, ok, url: response.url }).toEqual({
      status: 429,
      statusText: 'Slow Down',
      ok: false,
      url,
    })
    expect([headers.get('Retry-After'), headers.get('x-twice'), headers.get('none')]).toEqual(['3', 'a, b', null])
    expect(await response.json()).toEqual({ say: 'no é' })
  })
})

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('unpacks %s, which it did not ask for', async (encoding, pack) => {
  const listener: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(pack('some text'))
  }
  expect(await withServer(listener, async (url) => (await nodeFetch(url)).text())).toBe('some text')
})

it('does not follow a redirect', async () => {
  const asked: string[] = []
  const listener: RequestListener = (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(307, { location: '/elsewhere' }).end()
  }
  const { status } = await withServer(listener, (url) => nodeFetch(url, { method: 'POST', body: 'secret' }))
  expect([status, asked]).toEqual([307, ['/path?query=1']])
})

it('uses a connection again after an answer that was read to its end', async () => {
  const ports = new Set<number | undefined>()
  const listener: RequestListener = (request, response) => {
    ports.add(request.socket.remotePort)
    response.end('read')
  }
  await withServer(listener, async (url) => {
    for (let time = 0; time < 3; time++) await (await nodeFetch(url)).text()
  })
  expect(ports.size).toBe(1)
})

it('ends by an abort, before and amid the answer', async () => {
  const listener: RequestListener = (_, response) => {
    response.write('begun')
  }
  await withServer(listener, async (url) => {
    await expect(nodeFetch(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    const abort = new AbortController()
    const response = await nodeFetch(url, { signal: abort.signal })
    abort.abort()
    await expect(response.text()).rejects.toBeInstanceOf(Error)
  })
})
