import { describe, expect, it } from 'vitest'
import type { Message } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { type RecordedRequest, startSimulator } from '../simulator/simulator.ts'
import { LISTED, tightened } from './overlay-testing.ts'
import { ask, connect, connectOpenAi, editFile, request, userSays, withServer } from './testing.ts'

/** Providers that don't take a definition within a conversation, or what goes with it. */

const strict = tightened(editFile, 'a.ts')
const loose: ToolDefinition = { ...strict, strict: false }
const overlaid = (definition = loose) => {
  const messages: Message[] = [userSays('Mend it.'), { role: 'tools', definitions: [definition] }]
  return request({ tools: LISTED, messages })
}

/** Asks twice of a server that complains about requests for which `takes` is false. */
async function askTwice(
  connectTo: (url: string) => Promise<Model>,
  asked: ReturnType<typeof overlaid>,
  takes: (request: RecordedRequest) => boolean,
  message: string,
  status = 400,
) {
  const simulator = await startSimulator({
    respond: (sent) => (takes(sent) ? { answer: [{ text: 'ok' }] } : { fault: { status, message } }),
  })
  try {
    const model = await connectTo(simulator.url)
    const outcomes = [(await ask(model, asked)).outcome.ok, (await ask(model, asked)).outcome.ok]
    return { outcomes, sent: simulator.requests.map(({ body, headers }) => formOf(JSON.stringify(body), headers)) }
  } finally {
    await simulator.close()
  }
}

/** Which of the things in question a request has. */
function formOf(text: string, headers: RecordedRequest['headers']): string {
  const has = {
    definition: /tool_addition|additional_tools/.test(text),
    strict: /"strict":true/.test(text),
    beta: 'anthropic-beta' in headers,
    choice: /allowed_tools/.test(text),
  }
  const names = Object.entries(has).flatMap(([name, is]) => (is ? [name] : []))
  return names.join('+')
}

const WIRES: readonly [string, (url: string) => Promise<Model>, string, readonly string[]][] = [
  [
    'the Messages API',
    connect,
    'definition+beta',
    [
      "messages.1.content.0: Input tag 'tool_addition' found using 'type' does not match any of the expected tags",
      'Unexpected value(s) `inline-tools-2026-09-15` for the `anthropic-beta` header.',
      "messages.1.role: Input should be 'user' or 'assistant'",
      'messages: Unexpected role "system".',
      'messages.1.content.0.tool.definition: Extra inputs are not permitted',
      'tool_name_conflict: editFile',
    ],
  ],
  [
    'Responses',
    connectOpenAi,
    'definition+choice',
    [
      "Invalid value: 'additional_tools'. Supported values are: 'message' and 'function_call'.",
      "Invalid type for 'tool_choice': expected one of 'none', 'auto' or 'required'.",
      "Tool choice 'editFile__g1' not found in 'tools' parameter.",
      "Missing required parameter: 'input[1].content'.",
      "Invalid value: 'developer'.",
    ],
  ],
]

describe.each(WIRES)('over %s', (_, connectTo, whole, complaints) => {
  const definition = ({ body }: RecordedRequest) => /tool_addition|additional_tools/.test(JSON.stringify(body))
  const strictly = ({ body }: RecordedRequest) => /"strict":true/.test(JSON.stringify(body))

  it.each(complaints)('they are left out for the rest of the run after: %s', async (message) => {
    expect(await askTwice(connectTo, overlaid(), (sent) => !definition(sent), message)).toEqual({
      outcomes: [true, true],
      sent: [whole, '', ''],
    })
  })

  it.each(complaints)('a request is repeated once, whatever comes then: %s', async (message) => {
    expect(await askTwice(connectTo, overlaid(), () => false, message)).toEqual({
      outcomes: [false, false],
      sent: [whole, '', ''],
    })
  })

  it('a strict one that is refused is sent loose, and stays', async () => {
    const message = 'the compiled grammar of editFile__g1 in tool_addition is too large'
    expect(await askTwice(connectTo, overlaid(strict), (sent) => !strictly(sent), message)).toEqual({
      outcomes: [true, true],
      sent: [whole.replace('definition', 'definition+strict'), whole, whole],
    })
  })

  it('a complaint that fits both is followed in two steps', async () => {
    const message = 'strict is not known in tool_addition (input[1])'
    expect(await askTwice(connectTo, overlaid(strict), (sent) => !definition(sent), message)).toEqual({
      outcomes: [true, true],
      sent: [whole.replace('definition', 'definition+strict'), whole, '', ''],
    })
  })

  it.each([
    [400, 'messages.0: something else is wrong'],
    [500, 'tool_addition and additional_tools'],
    [429, 'tool_addition and additional_tools'],
  ])('another complaint changes nothing: %d %s', async (status, message) => {
    expect(await askTwice(connectTo, overlaid(), () => false, message, status)).toEqual({
      outcomes: [false, false],
      sent: [whole, whole],
    })
  })
})

it('a model that is known not to take them is not asked', async () => {
  const older = (url: string) => connect(url, { model: 'claude-sonnet-5' })
  expect(await askTwice(older, overlaid(), () => true, '')).toEqual({ outcomes: [true, true], sent: ['', ''] })
})

it('asks for the beta as the SDK does, and only where it needs it', async () => {
  const asked: (string | undefined)[][] = []
  await withServer(
    ({ url, headers }, response) => {
      asked.push([url, headers['anthropic-beta'] as string | undefined])
      response.writeHead(500).end()
    },
    async (url) => {
      const model = await connect(url)
      await ask(model, request({ tools: LISTED }))
      await ask(model, overlaid())
      // Of a tool that the request does not have.
      await ask(model, overlaid({ ...loose, name: 'moveFile' }))
    },
  )
  expect(asked).toEqual([
    ['/v1/messages', undefined],
    ['/v1/messages?beta=true', 'inline-tools-2026-09-15'],
    ['/v1/messages', undefined],
  ])
})
