import type { Failure } from '../core/failure.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { complaintIn, isComplaint } from './body-complaint.ts'
import { nodeFetch } from './node-fetch.ts'
import { isHtml, oneLine } from './one-line.ts'
import { type Endpoint, failureOfComplaint } from './provider-failure.ts'
import { parseJson } from './wire-json.ts'

/** What a response with a good status has for a body. */
export type AnswerBody =
  | { readonly kind: 'stream'; readonly body: AsyncIterable<Uint8Array> | null }
  /** One JSON object. `failure` is what it stands for where it is no answer. */
  | { readonly kind: 'whole'; readonly body: JsonObject; readonly failure: Failure }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** An answer that comes at once is no longer than this; of other bodies the start says enough. */
const MOST_WHOLE = 8 * 2 ** 20
const MOST_OTHER = 2 ** 12
const FIELD = /^\uFEFF?\s*(?:(?:data|event|id|retry)\s*:|:)/

/**
 * Looks at the body of a response with a good status. What calls itself an event stream counts as one; of what does not, or
 * says nothing, the start decides. Throws what reading the body throws.
 */
export async function answerBody(response: Response, endpoint: Endpoint): Promise<AnswerBody> {
  const type = response.headers.get('content-type') ?? ''
  if (/text\/event-stream/i.test(type)) return { kind: 'stream', body: response.body }
  const reading = new BodyStart(response)
  await reading.upTo(16)
  if (FIELD.test(reading.text)) return { kind: 'stream', body: reading.whole() }
  await reading.upTo(/^\s*\{/.test(reading.text) ? MOST_WHOLE : MOST_OTHER)
  await reading.stop()
  const { text } = reading
  if (/html/i.test(type) || isHtml(text))
    return {
      kind: 'failure',
      failure: {
        kind: 'provider.rejected',
        reason: `${endpoint.host} answers with an HTML page: not ${endpoint.api}? Check the base URL`,
        status: response.status,
      },
    }
  const body = parseJson(text)
  if (isJsonObject(body) && isComplaint(body))
    return { kind: 'failure', failure: failureOfComplaint(complaintIn(body), endpoint, Date.now()) }
  const failure = unstreamed(type, text, response.status, endpoint)
  return isJsonObject(body) ? { kind: 'whole', body, failure } : { kind: 'failure', failure }
}

function unstreamed(type: string, text: string, status: number, { host, apiKey }: Endpoint): Failure {
  const what = text.trim() === '' ? 'an empty body' : type === '' ? 'something else' : type
  const words = oneLine(text, apiKey)
  const reason = `${host} answered with ${what} where an event stream belongs${words === '' ? '' : `: ${words}`}`
  return { kind: 'provider.transient', reason, status }
}

/**
 * The status, headers and at most the first 64 KiB of the body of a response that is no answer: nobody reads more of a
 * complaint, and there may be no end to it. A good response as it is.
 */
export async function withShortComplaint(response: Response): Promise<Response> {
  if (response.ok) return response
  const reading = new BodyStart(response)
  // A body that breaks off says what it said before.
  await reading.upTo(2 ** 16).catch(() => undefined)
  await reading.stop()
  const { status, statusText, headers } = response
  // Others can't be made.
  const known = status >= 200 && status <= 599 ? status : 599
  return new Response(known === 304 ? null : reading.text, { status: known, statusText, headers })
}

/** `fetch` for a client library, which reads the body of a complaint to its end. */
export const boundedFetch: typeof fetch = async (input, init) => withShortComplaint(await nodeFetch(input, init))

/** The beginning of a body as text, and from there the whole of it. */
class BodyStart {
  readonly #chunks: AsyncIterator<Uint8Array> | undefined
  readonly #read: Uint8Array[] = []
  readonly #decoder = new TextDecoder()
  text = ''

  constructor(response: Response) {
    this.#chunks = response.body?.[Symbol.asyncIterator]()
  }

  /** Reads on until there are so many characters, or to the end. */
  async upTo(characters: number): Promise<void> {
    while (this.text.length < characters) {
      const chunk = await this.#chunks?.next()
      if (!chunk || chunk.done) return
      this.#read.push(chunk.value)
      this.text += this.#decoder.decode(chunk.value, { stream: true })
    }
  }

  /** Reads no further, and lets go of the connection. */
  async stop(): Promise<void> {
    await this.#chunks?.return?.().catch(() => undefined)
  }

  /** The body as if nothing of it had been read. */
  async *whole(): AsyncGenerator<Uint8Array, undefined> {
    yield* this.#read
    for (;;) {
      const chunk = await this.#chunks?.next()
      if (!chunk || chunk.done) return undefined
      yield chunk.value
    }
  }
}
