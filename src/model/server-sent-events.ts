export interface ServerSentEvent {
  /** Null where the server gives the event no name. */
  readonly event: string | null
  readonly data: string
}

/**
 * The events of a response, in order; an event that the end of the response cuts off counts too. `onChunk` is called for
 * each piece that arrives: comments are signs of life, and no events. Throws what reading the body throws.
 */
export async function* serverSentEvents(
  response: Response,
  onChunk: () => void,
): AsyncGenerator<ServerSentEvent, undefined> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  const event = new GrowingEvent()
  let rest = ''
  for (;;) {
    const chunk = await reader?.read()
    if (!chunk || chunk.done) break
    onChunk()
    // A carriage return at the very end may be half of a line end.
    const lines = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const whole = event.take(line)
      if (whole) yield whole
    }
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

  /** Takes a line; gives back the event that it ends. */
  take(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const whole = this.#data.length > 0 ? { event: this.#name, data: this.#data.join('\n') } : undefined
      this.#name = null
      this.#data = []
      return whole
    }
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#name = value
    if (field === 'data') this.#data.push(value)
    return undefined
  }
}
