import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts'

async function eventsOf(pieces: readonly Uint8Array[]): Promise<{ events: ServerSentEvent[]; chunks: number }> {
  let chunks = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const events: ServerSentEvent[] = []
  const reading = serverSentEvents(new Response(body), () => chunks++)
  for await (const event of reading) events.push(event)
  return { events, chunks }
}

const text = [
  '\ufeff: a comment',
  'event: first',
  'data: {"a":',
  'data:"\u{1F600} caf\u00e9"}',
  'id: 7',
  '',
  'retry: 5',
  '',
  'data',
  '',
  '',
  'data: [DONE]',
].join('\n')
const events = [
  { event: 'first', data: '{"a":\n"\u{1F600} caf\u00e9"}' },
  { event: null, data: '' },
  { event: null, data: '[DONE]' },
]

it('are the same however they are cut, with whatever line ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(120), { maxLength: 12 }),
      async (end, cuts) => {
        const bytes = new TextEncoder().encode(text.replaceAll('\n', end))
        const places = [...new Set([0, ...cuts, bytes.length])].filter((at) => at <= bytes.length).sort((a, b) => a - b)
        const pieces = places.slice(1).map((at, n) => bytes.slice(places[n], at))
        expect(await eventsOf(pieces)).toEqual({ events, chunks: pieces.length })
      },
    ),
    { numRuns: 200 },
  )
})

it('are JSON lines where a server has forgotten the format', async () => {
  const bytes = new TextEncoder().encode('{"error":\n{"error":"out of memory"}\n')
  const lines = ['{"error":', '{"error":"out of memory"}'].map((data) => ({ event: null, data }))
  expect((await eventsOf([bytes])).events).toEqual(lines)
})

it.each([
  ['without a line end', 'data: aaaaaaaa', 'an event of more than 32 characters'],
  ['of one event', 'data: aaaaaaaa\n', 'an event of more than 32 characters'],
  ['of events', 'data: a\n\n', 'an answer of more than 64 bytes'],
  ['of comments', ': a\n\n', 'an answer of more than 64 bytes'],
])('are given up %s without an end', async (_, piece, what) => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(piece)),
  })
  const reading = serverSentEvents(new Response(body), () => undefined, { streamBytes: 64, eventCharacters: 32 })
  const readAll = async () => {
    for await (const event of reading) expect(event).toEqual({ event: null, data: 'a' })
  }
  await expect(readAll()).rejects.toMatchObject({ name: 'Error', what })
})

it('are none where there is no body', async () => {
  const reading = serverSentEvents(new Response(null), () => undefined)
  expect(await reading.next()).toEqual({ done: true, value: undefined })
})
