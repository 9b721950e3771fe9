import { describe, expect, it } from 'vitest'
import { ask, connect, connectChat, OPENAI_WIRES, transient, withoutPort, withServer, withTurns } from './testing.ts'

/** Servers, and what stands before them, that answer as no provider of the wire format does. */

describe.each(OPENAI_WIRES)('over %s', (_, connect) => {
  const bodies: [string, number, string, string, object][] = [
    [
      'a page with status 200',
      200,
      'text/html',
      '<html><h1>Sign in</h1></html>',
      {
        kind: 'provider.rejected',
        status: 200,
        reason: expect.stringMatching(
          /^HOST answers with an HTML page: not an OpenAI.* endpoint\? Check the base URL$/,
        ),
      },
    ],
    [
      'a page as its error',
      502,
      'text/html',
      '<html><h1>Bad gateway</h1></html>',
      transient('the provider has a fault (HOST answered 502: an HTML page)', { status: 502 }),
    ],
    [
      'plain JSON',
      200,
      'application/json',
      '{"hello":"world"}',
      transient('HOST answered with application/json where an event stream belongs: {"hello":"world"}', {
        status: 200,
      }),
    ],
    [
      'an error under status 200',
      200,
      'application/json',
      '{"error":{"code":"rate_limit_exceeded","message":"slow"}}',
      transient('rate limited (HOST: slow)'),
    ],
  ]
  it.each(bodies)('a server that answers with %s is told', async (_, status, type, body, failure) => {
    const told = await withServer(
      (_, response) => response.writeHead(status, { 'content-type': type }).end(body),
      async (url) => (await ask(await connect(url))).outcome,
    )
    expect(told.ok ? undefined : withoutPort(told.failure)).toEqual(failure)
  })
})

it.each([['the Messages API', connect], ...OPENAI_WIRES])(
  'over %s a redirect is not followed',
  async (_, connectTo) => {
    await withTurns([{ answer: [] }], async (other, requests) => {
      const told = await withServer(
        ({ url }, response) => response.writeHead(307, { location: `${other}${url}?key=secret` }).end(),
        async (url) => (await ask(await connectTo(url))).outcome,
      )
      expect(told.ok ? undefined : withoutPort(told.failure)).toEqual({
        kind: 'provider.rejected',
        status: 307,
        reason: expect.stringMatching(
          /^it redirects to http:\/\/HOST\/v1\/[a-z/]+, where nothing is sent unless the base URL says so \(HOST answered 307/,
        ),
      })
      expect(requests).toEqual([])
    })
  },
)

it.each(OPENAI_WIRES)('over %s a key is not repeated, in whatever dress it comes back', async (_, connectTo) => {
  const message = 'no sk-\u001b[1msecret for http://api.test/v1/x?key=of-mine'
  const told = await withServer(
    (_, response) => response.writeHead(400).end(JSON.stringify({ error: { message } })),
    async (url) => (await ask(await connectTo(url))).outcome,
  )
  expect(told.ok ? undefined : withoutPort(told.failure)).toEqual({
    kind: 'provider.rejected',
    status: 400,
    reason: 'the provider rejects the request (HOST answered 400: no [API key] for http://api.test/v1/x?...)',
  })
})

it.each([
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '1e300' }, 1e303],
  [{ 'retry-after-ms': '-4', 'retry-after': '3' }, 3000],
] as const)('a wait of %j is understood', async (headers, retryAfterMs) => {
  const told = await withServer(
    (_, response) => response.writeHead(429, headers).end('{"error":{"message":"slow"}}'),
    async (url) => (await ask(await connectChat(url))).outcome,
  )
  const more = retryAfterMs === undefined ? {} : { retryAfterMs }
  expect(told.ok ? undefined : withoutPort(told.failure)).toEqual(
    transient('rate limited (HOST answered 429: slow)', { status: 429, ...more }),
  )
})

const complaints: [string, number, string, object][] = [
  [
    'a list with a delay (Gemini)',
    429,
    '[{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34s"}]}}]',
    transient('rate limited (HOST answered 429: Quota)', { status: 429, retryAfterMs: 34_000 }),
  ],
  [
    'a bare text (Ollama)',
    404,
    '{"error":"model not found, try pulling it first"}',
    {
      kind: 'provider.rejected',
      status: 404,
      reason:
        'model "gpt-test" is not known there, or the base URL is wrong (HOST answered 404: model not found, try pulling it first)',
    },
  ],
  [
    'a message at the top (vLLM)',
    400,
    '{"object":"error","message":"This model\'s maximum context length is 8 tokens.","code":400}',
    {
      kind: 'provider.context-overflow',
      reason:
        "the request is too long for the model (HOST answered 400: This model's maximum context length is 8 tokens.)",
    },
  ],
  [
    'a type of its own (llama.cpp)',
    500,
    '{"error":{"code":500,"message":"no room","type":"exceed_context_size_error"}}',
    { kind: 'provider.context-overflow', reason: 'the request is too long for the model (HOST answered 500: no room)' },
  ],
  [
    'words of another server (OpenRouter)',
    502,
    '{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream down"}}}',
    transient('the provider has a fault (HOST answered 502: Provider returned error: upstream down)', { status: 502 }),
  ],
]
it.each(complaints)('a complaint in the shape of %s is understood', async (_, status, body, failure) => {
  const told = await withServer(
    (_, response) => response.writeHead(status).end(body),
    async (url) => (await ask(await connectChat(url))).outcome,
  )
  expect(told.ok ? undefined : withoutPort(told.failure)).toEqual(failure)
})
