import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { ask, connectChat, editFile, request, withServer } from './testing.ts'

/** Over a server that takes only what it knows, one thing after the other. */

const strictTool: ToolDefinition = { ...editFile, strict: true }
const replay = request({ tools: [strictTool] })

async function bodyOf(incoming: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
}

/** `refuse` gives status and words for what is not taken. Gives back whether each was answered, and all requests. */
async function withRefusing(
  refuse: (body: JsonObject, n: number) => readonly [number, string] | undefined,
  provider = 'vllm',
  times = 2,
): Promise<{ readonly answered: readonly boolean[]; readonly bodies: readonly JsonObject[] }> {
  const bodies: JsonObject[] = []
  const answered: boolean[] = []
  await withServer(
    async (incoming, response) => {
      const body = await bodyOf(incoming)
      const refused = refuse(body, bodies.push(body))
      if (refused) response.writeHead(refused[0]).end(JSON.stringify({ error: { message: refused[1] } }))
      else
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end('data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n')
    },
    async (url) => {
      const model = await connectChat(url, { provider })
      for (let n = 0; n < times; n++) answered.push((await ask(model, replay)).outcome.ok)
    },
  )
  return { answered, bodies }
}

const roleOf = ({ messages }: JsonObject) => (messages as JsonObject[])[0]?.role
const isStrict = (body: JsonObject) => JSON.stringify(body.tools).includes('"strict":true')

it('each is made once, and kept', async () => {
  const { answered, bodies } = await withRefusing((body) => {
    if (body.stream_options) return [400, `${'Extra inputs. '.repeat(50)}stream_options`]
    if (body.parallel_tool_calls !== undefined) return [422, 'parallel_tool_calls: extra field']
    if (typeof body.tool_choice === 'object') return [400, 'Invalid tool_choice type: object']
    if (body.tool_choice) return [400, 'tool_choice is not supported']
    if (body.max_tokens) return [400, 'max_tokens is not supported: use max_completion_tokens instead']
    if (roleOf(body) === 'system') return [500, 'Jinja Exception: System role not supported']
    if (roleOf(body) === 'developer') return [400, 'Unexpected role: developer']
    return isStrict(body) ? [400, 'strict: unknown field'] : undefined
  })
  const last = {
    model: 'gpt-test',
    max_completion_tokens: 1000,
    stream: true,
    messages: [{ role: 'user', content: 'You mend code.\n\nMend it.' }],
    tools: [
      {
        type: 'function',
        function: { name: 'editFile', description: 'Edits a file.', parameters: editFile.inputSchema },
      },
    ],
  }
  expect([answered, bodies.length, bodies.slice(-2)]).toEqual([[true, true], 10, [last, last]])
})

it('a router that has no server for all that is asked is asked for less', async () => {
  const { answered, bodies } = await withRefusing(
    (body) => (body.provider ? [404, 'No endpoints found that can handle the requested parameters.'] : undefined),
    'openrouter',
  )
  expect([answered, bodies.map(({ provider }) => provider !== undefined)]).toEqual([
    [true, true],
    [true, false, false],
  ])
})

it('what did not help is taken back', async () => {
  const words = 'stream_options, parallel_tool_calls, tool_choice, max_tokens unsupported, system role, strict'
  const { answered, bodies } = await withRefusing((_, n) => (n <= 9 ? [400, words] : undefined))
  expect([answered, bodies.length]).toEqual([[false, true], 10])
  expect(bodies.at(-1)).toEqual(bodies[0])
})
