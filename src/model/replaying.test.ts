import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { ModelRequest } from '../core/message.ts'
import { type Cassette, readCassette } from './cassette-reader.ts'
import { replaying } from './replaying.ts'
import { ask, editFile, request, userSays } from './testing.ts'

const SAMPLE = path.join(import.meta.dirname, '../../fixtures/cassettes/sample.jsonl')
const HEADER = '{"cassette":1,"goatfied":"0.1.0"}'
const none = <T>(value: T): T => value

function fileOf(text: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'goatfied-replay-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, 'c.jsonl'), text)
  return path.join(folder, 'c.jsonl')
}

async function read(file: string): Promise<Cassette> {
  const reading = await readCassette(file, none)
  if (!reading.ok) throw new Error(reading.problem)
  return reading.cassette
}

async function problemOf(text: string): Promise<string | undefined> {
  const file = fileOf(text)
  const reading = await readCassette(file, none)
  return reading.ok ? undefined : reading.problem.replace(file, 'FILE')
}

function step(asked: ModelRequest, said: string): string {
  const { role, system, messages, maxOutputTokens } = asked
  const tools = asked.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }
  const value = { content: [{ type: 'text', text: said }], stopReason: 'end', usage, model: 'm' }
  const recorded = { role, system, tools, messages, maxOutputTokens }
  return JSON.stringify({ request: recorded, events: [{ type: 'text', text: said }], outcome: { ok: true, value } })
}

/** Asks a cassette of these steps; `FILE` stands for its path in the reason. */
async function reasonFor(steps: readonly string[], ...asked: readonly ModelRequest[]): Promise<string | undefined> {
  const file = fileOf([HEADER, ...steps, ''].join('\n'))
  const model = replaying(await read(file), 'a/b')
  let reason: string | undefined
  for (const one of asked) {
    const { outcome } = await ask(model, one)
    reason = outcome.ok || outcome.failure.kind !== 'provider.rejected' ? undefined : outcome.failure.reason
  }
  return reason?.replace(file, 'FILE')
}

it('the cassette in fixtures, of format 1, is read and replayed', async () => {
  const cassette = await read(SAMPLE)
  expect([cassette.header, cassette.torn, cassette.left]).toEqual([{ cassette: 1, goatfied: '0.1.0' }, false, 2])
  const model = replaying(cassette, 'anthropic/claude-test')
  const { outcome, events } = await ask(model, request({ role: 'plan' }))
  expect(events).toEqual([
    { type: 'text', text: 'I edit it no' },
    { type: 'text', text: 'w.' },
  ])
  expect(outcome).toEqual({
    ok: true,
    value: {
      content: [
        { type: 'text', text: 'I edit it now.' },
        {
          type: 'call',
          call: {
            id: 'toolu_simulated_1',
            name: 'editFile',
            input: { parsed: true, value: { path: 'src/a.ts' } },
            complete: true,
          },
        },
      ],
      stopReason: 'calls',
      usage: { input: 100, cacheRead: 0, cacheWrite: 0, output: 10 },
      model: 'claude-test',
    },
  })
  const refused = await ask(model, request({ role: 'edit' }))
  expect(refused.outcome).toEqual({
    ok: false,
    failure: {
      kind: 'provider.auth',
      reason: 'the provider does not accept the API key (127.0.0.1 answered 401: invalid)',
    },
  })
  expect(cassette.left).toBe(0)
})

it('equal requests are answered in their order, and others in any', async () => {
  const other = request({ messages: [userSays('Other.')] })
  const file = fileOf([HEADER, step(request(), 'one'), step(other, 'other'), step(request(), 'two'), ''].join('\n'))
  const model = replaying(await read(file), 'a/b')
  const heard: string[] = []
  for (const one of [other, request(), request()]) heard.push((await ask(model, one)).text)
  expect(heard).toEqual(['other', 'one', 'two'])
})

it('a cut last line is left out, whatever it holds', async () => {
  const whole = [HEADER, step(request(), 'one'), step(request(), 'two')].join('\n')
  const torn = await Promise.all([whole, whole.slice(0, -9), `${whole}\n`].map((text) => read(fileOf(text))))
  expect(torn.map((cassette) => [cassette.torn, cassette.left])).toEqual([
    [true, 1],
    [true, 1],
    [false, 2],
  ])
})

it('what is no cassette, a newer or a damaged one is refused', async () => {
  const good = step(request(), 'one')
  const problems = await Promise.all(
    ['', '{"log":1}\n', '{"cassette":2,"goatfied":"9.0.0"}\n', `${HEADER}\n${good}\n{"request":{}}\n`].map(problemOf),
  )
  expect([...problems, await readCassette('/none/c.jsonl', none)]).toEqual([
    "The cassette FILE can't be read: it does not begin like a cassette of Goatfied.",
    "The cassette FILE can't be read: it does not begin like a cassette of Goatfied.",
    "The cassette FILE can't be read: it was written by a newer version of Goatfied (9.0.0, cassette format 2; this one reads up to 1); update Goatfied to replay it.",
    "The cassette FILE:3 can't be read: this line is no recorded step; the cassette was changed or damaged.",
    { ok: false, problem: "The cassette /none/c.jsonl can't be read: there is no such file." },
  ])
})

it('a request that is not on the cassette is told apart from the nearest one', async () => {
  const recorded = request({
    messages: [userSays('Mend it.'), { role: 'assistant', content: [] }, userSays('x'.repeat(500))],
  })
  const steps = [step(request(), 'one'), step(recorded, 'two'), step(request({ role: 'plan' }), 'three')]
  const narrowed = {
    ...editFile,
    inputSchema: { ...editFile.inputSchema, properties: { path: { enum: ['src/a.ts'] } } },
  }
  const start = 'FILE has no answer to this request'
  expect([
    await reasonFor(steps, request({ system: 'You mend the code.' })),
    await reasonFor(steps, request({ tools: [narrowed] })),
    await reasonFor(steps, request({ tools: [] })),
    await reasonFor(steps, request({ messages: [...recorded.messages.slice(0, 2), userSays(`${'x'.repeat(490)}y`)] })),
    await reasonFor(steps, request({ messages: recorded.messages.slice(0, 2) })),
    await reasonFor(steps, request({ role: 'repair' })),
    await reasonFor(steps, request(), request()),
  ]).toEqual([
    `${start} (edit, 1 messages). Nearest is line 2, which differs in the system prompt: "You mend the code.", recorded "You mend code."`,
    `${start} (edit, 1 messages). Nearest is line 2, which differs in the tool editFile at /inputSchema/properties/path/enum: ["src/a.ts"], recorded nothing`,
    `${start} (edit, 1 messages). Nearest is line 2, which differs in the list of tools: none, recorded editFile`,
    `${start} (edit, 3 messages). Nearest is line 3, which differs in message 3 (user) at /content/0/text: ..."${'x'.repeat(20)}y", recorded ..."${'x'.repeat(30)}"`,
    `${start} (edit, 2 messages). Nearest is line 3, which differs in the number of messages: 2, recorded 3`,
    `${start} (repair, 1 messages), nor any for the role repair`,
    'FILE has this request 1 times, and it is made once more',
  ])
})

it('what is said of many and long differences is short', async () => {
  const many = Array.from({ length: 9 }, (_, index) => userSays(`${index}${'\u{1F600}'.repeat(400)}`))
  const reason = await reasonFor([step(request({ messages: many, system: 's' }), 'one')], {
    ...request(),
    messages: many.map((_, index) => userSays(`${index + 1}${'z'.repeat(400)}`)),
  })
  expect(reason?.length).toBeLessThan(1300)
  expect(reason).toMatch(/; and 6 more$/)
})

it('an abort ends a replay', async () => {
  const model = replaying(await read(SAMPLE), 'a/b')
  const stop = new AbortController()
  const reason = new FailureError({ kind: 'user.cancelled', signal: 'SIGTERM' }, 'terminated')
  const answering = model.answer(request({ role: 'plan' }), stop.signal)
  expect((await answering.next()).done).toBe(false)
  stop.abort(reason)
  expect(await answering.next()).toEqual({ done: true, value: { ok: false, failure: reason.failure } })
  expect((await ask(model, request(), stop.signal)).outcome).toEqual({ ok: false, failure: reason.failure })
})
