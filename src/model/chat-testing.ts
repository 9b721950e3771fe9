import type { Outcome } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import { ask, connectChat, request, withServer } from './testing.ts'

/** The outcome of an answer that is sent as these chunks; a string goes over the wire as it is. */
export async function answerOf(
  chunks: readonly (object | string)[],
  { provider = 'vllm', maxOutputTokens = 1000, keepOpen = false } = {},
): Promise<Outcome<ModelAnswer>> {
  const text = chunks.map((one) => (typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`)).join('')
  return withServer(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text)
      if (!keepOpen) response.end()
    },
    async (url) => {
      const model = await connectChat(url, { provider, idleMs: 400 })
      return (await ask(model, request({ maxOutputTokens }))).outcome
    },
  )
}

/** A call as it is in the answer. */
export const made = (id: string, name: string, value: object) => ({
  type: 'call',
  call: { id, name, input: { parsed: true, value }, complete: true },
})
