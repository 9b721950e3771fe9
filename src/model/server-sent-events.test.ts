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

it('are none where there is no body', async () => {
  const reading = serverSentEvents(new Response(null), () => undefined)
  expect(await reading.next()).toEqual({ done: true, value: undefined })
})
