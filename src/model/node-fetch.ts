import type { IncomingMessage, RequestOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { Headers } from './headers.ts'

/**
 * `fetch` by Node's plain HTTP modules, which load in a fifth of the time that the global takes at its first use. It takes a
 * body of text, asks for an unpacked answer, and never follows a redirect: neither a key nor code goes to an address that
 * nobody gave. Rejects with the system's error, which has a `code`, or with an AbortError.
 */
export const nodeFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url)
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const { body } = init
  if (typeof body !== 'string' && body !== undefined && body !== null) throw new TypeError('the body must be text')
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const unanswered = Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })
    request(url, optionsOf(init))
      .on('response', resolve)
      .on('error', reject)
      // A switch to another protocol is neither an answer nor an error.
      .on('close', () => reject(unanswered))
      .end(body)
  })
  // The parts of a response that the client libraries and the adapters read.
  return new NodeResponse(message, await unpacked(message), url.href) as unknown as Response
}

function optionsOf({ method = 'GET', headers, signal }: RequestInit): RequestOptions {
  const given = new Headers(headers as ConstructorParameters<typeof Headers>[0])
  if (!given.has('accept-encoding')) given.set('accept-encoding', 'identity')
  return { method, headers: Object.fromEntries(given), ...(signal ? { signal } : {}) }
}

class NodeResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly url: string
  readonly #readable: Readable
  #body: ReadableStream<Uint8Array> | undefined

  constructor({ statusCode = 0, statusMessage = '', headers }: IncomingMessage, readable: Readable, url: string) {
    this.status = statusCode
    this.statusText = statusMessage
    this.headers = new Headers(headers)
    this.url = url
    this.#readable = readable
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): ReadableStream<Uint8Array> {
    this.#body ??= webStream(this.#readable)
    return this.#body
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.body) chunks.push(chunk)
    return new TextDecoder().decode(Buffer.concat(chunks))
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}

/** As it is read, and no further ahead: Node's own conversion costs more a chunk. */
function webStream(readable: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = readable[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel() {
        readable.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The body without the packing that a server uses though nobody asked for it. */
async function unpacked(message: IncomingMessage): Promise<Readable> {
  const packing = message.headers['content-encoding'] ?? 'identity'
  if (!/^(?:x-)?gzip$|^deflate$|^br$/i.test(packing)) return message
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  const { pipeline } = await import('node:stream')
  // What breaks on the way is thrown where the unpacked body is read.
  return pipeline(message, /^br$/i.test(packing) ? createBrotliDecompress() : createUnzip(), () => {})
}
