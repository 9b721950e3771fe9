export interface ServerSentEvent {
  /** Null where the server gives the event no name. */
  readonly event: string | null
  readonly data: string
}

/**
 * Far beyond what any model answers: 128,000 tokens, each in an event of its own, are some 50 MB, and the longest event has
 * the whole answer once more.
 */
const LIMITS = { streamBytes: 128 * 2 ** 20, eventCharacters: 8 * 2 ** 20 }

/** The server sends more than any answer has. */
export class EndlessStream extends Error {
  constructor(readonly what: string) {
    super(what)
  }
}

/**
 * The events of a response, in order; an event that the end of the response cuts off counts too, and so does a line that
 * is a JSON object and no field. `onChunk` is called for each piece that arrives: comments are signs of life, and no
 * events. Throws `EndlessStream`, and what reading the body throws.
 */
export async function* serverSentEvents(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  onChunk: () => void,
  limits = LIMITS,
): AsyncGenerator<ServerSentEvent, undefined> {
  const decoder = new TextDecoder()
  const event = new GrowingEvent()
  let received = 0
  let rest = ''
  for await (const chunk of body ?? []) {
    onChunk()
    received += chunk.byteLength
    if (received > limits.streamBytes) throw new EndlessStream(`an answer of more than ${limits.streamBytes} bytes`)
    // A carriage return at the very end may be half of a line end.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const whole = event.take(line)
      if (whole) yield whole
    }
    if (rest.length + event.length > limits.eventCharacters)
      throw new EndlessStream(`an event of more than ${limits.eventCharacters} characters`)
  }
  for (const line of [rest.replace(/\r$/, ''), '']) {
    const whole = event.take(line)
    if (whole) yield whole
  }
  return undefined
}

class GrowingEvent {
  #name: string | null = null
  #data: string[] = []
  #length = 0

  /** Characters so far, line ends included. */
  get length(): number {
    return this.#length
  }

  /** Takes a line; gives back the event that it ends. */
  take(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const whole = this.#data.length > 0 ? { event: this.#name, data: this.#data.join('\n') } : undefined
      this.#name = null
      this.#data = []
      this.#length = 0
      return whole
    }
    // What a server sends that has forgotten the format, above all its errors.
    if (line.startsWith('{')) return { event: null, data: line }
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#name = value
    if (field === 'data') {
      this.#data.push(value)
      this.#length += value.length + 1
    }
    return undefined
  }
}
