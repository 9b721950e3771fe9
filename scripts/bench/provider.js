// A loopback server in the place of the provider's API, for the benches.
import { createServer } from 'node:http'

/** @typedef {{ text: string } | { tool: string, input: Record<string, unknown> }} Answer */

/**
 * Starts it. `respond` is asked at every request to the model, with its number from 0, for the answer; undefined leaves it without one.
 * @param {(request: number) => Answer | undefined} respond
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function startProvider(respond) {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method !== 'POST') {
        response.writeHead(404).end()
        return
      }
      const number = requests++
      const answer = respond(number)
      if (answer === undefined) return
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of streamOf(answer, number)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      response.end()
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The events of one streamed message. @param {Answer} answer @param {number} number */
function streamOf(answer, number) {
  const isText = 'text' in answer
  const block = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `toolu_${number}`, name: answer.tool, input: {} }
  const delta = isText
    ? { type: 'text_delta', text: answer.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) }
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  }
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: 'message_stop' },
  ]
}
