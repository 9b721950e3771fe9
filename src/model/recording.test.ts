import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { AssistantBlock, Message, ModelRequest } from '../core/message.ts'
import type { Model, ModelEvent } from '../core/ports.ts'
import { createRedactor } from '../runlog/redact.ts'
import type { Turn } from '../simulator/turn.ts'
import { readCassette } from './cassette-reader.ts'
import { createCassette } from './cassette-writer.ts'
import { recording } from './recording.ts'
import { replaying } from './replaying.ts'
import { DEFAULT_RETRY, retrying } from './retrying.ts'
import { type Asked, ask, connect, editFile, request, userSays, withTurns } from './testing.ts'

const KEY = 'sk-secret"key\\1'
const { value: redact } = createRedactor([KEY])

function newFile(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'goatfied-cassette-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'run.jsonl')
}

function newCassette(secrets: readonly string[] = [KEY], clean = redact) {
  const created = createCassette({ file: newFile(), version: '1.2.3', redact: clean, secrets })
  if (!created.ok) throw new Error(created.problem)
  onTestFinished(() => created.cassette.close())
  return created.cassette
}

async function replayOf(file: string): Promise<Model> {
  const read = await readCassette(file, redact)
  if (!read.ok) throw new Error(read.problem)
  return replaying(read.cassette, 'anthropic/claude-test')
}

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** A model that gives these events and then this text. */
function saying(events: readonly ModelEvent[], text: string): Model {
  const value = {
    content: [{ type: 'text' as const, text }],
    stopReason: 'end' as const,
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 },
    model: 'm',
  }
  return {
    schemas: { appends: true, binds: false },
    id: 'test/m',
    async *answer() {
      yield* events
      return { ok: true, value }
    },
  }
}

const text = (piece: string): ModelEvent => ({ type: 'text', text: piece })

/** Asks as the loop does: plans, goes on in the same conversation, asks again on branches, starts anew, is refused. */
async function drive(model: Model): Promise<Asked[]> {
  const heard: Asked[] = []
  const next = async (asked: ModelRequest): Promise<readonly AssistantBlock[]> => {
    const one = await ask(model, asked)
    heard.push(one)
    return one.outcome.ok ? one.outcome.value.content : []
  }
  const messages: Message[] = [userSays('Mend it.')]
  for (const role of ['plan', 'edit'] as const) {
    const content = await next(request({ role, messages }))
    messages.push({ role: 'assistant', content })
    const results = content.flatMap((block) =>
      block.type === 'call'
        ? [{ type: 'result' as const, callId: block.call.id, text: `key: ${KEY}`, failed: true }]
        : [],
    )
    messages.push({ role: 'user', content: [...results, { type: 'text', text: 'Go on.' }] })
  }
  const branch = request({ role: 'repair', tools: [{ ...editFile, strict: true }] })
  await next(branch)
  await next(branch)
  await next(request({ messages, system: 'Anew.' }))
  await next(request({ messages: [userSays('Too long.')] }))
  return heard
}

it('a replay gives the answers, failures and events of the run, without a server', async () => {
  const turns: Turn[] = [
    {
      answer: [{ thinking: 'hm' }, { text: 'First I look around.' }, { call: 'editFile', input: { z: 1, path: 'a' } }],
    },
    { answer: [{ text: 'This breaks off in the middle.' }], fault: { cutAfterDeltas: 2 } },
    { answer: [{ text: `Your key is ${KEY}, or was.` }, { rawCall: 'editFile', arguments: '{"path":"a' }] },
    { answer: [{ call: 'editFile', input: { path: 'one' } }] },
    { answer: [{ call: 'editFile', input: { path: 'two' } }] },
    { answer: [], stopReason: 'refusal' },
    { fault: { status: 400, message: 'prompt is too long' } },
  ]
  const cassette = newCassette()
  const recorded = await withTurns(turns, async (url) => {
    const patient = retrying(await connect(url, { apiKey: 'sk-other' }), {
      ...DEFAULT_RETRY,
      sleep: async () => undefined,
      random: () => 0.5,
    })
    const heard = await drive(recording(patient, cassette))
    return JSON.parse(JSON.stringify(heard).replaceAll(JSON.stringify(KEY).slice(1, -1), '[redacted]')) as Asked[]
  })
  cassette.close()
  expect(cassette.problem).toBeUndefined()
  expect(recorded.map(({ outcome }) => outcome.ok)).toEqual([true, true, true, true, false, false])
  expect(recorded.flatMap(({ events }) => events.filter(({ type }) => type === 'waiting'))).toHaveLength(1)

  const replayed = await drive(await replayOf(cassette.path))
  // Text that held a key comes in one piece.
  expect(replayed.map(({ outcome, text: joined }) => ({ outcome, joined }))).toEqual(
    recorded.map(({ outcome, text: joined }) => ({ outcome, joined })),
  )
  expect(replayed.map(({ events }) => events).filter((_, index) => index !== 1)).toEqual(
    recorded.map(({ events }) => events).filter((_, index) => index !== 1),
  )
  const order = replayed[0]?.outcome.ok && replayed[0].outcome.value.content[2]
  expect(JSON.stringify(order)).toContain('{"z":1,"path":"a"}')
  expect(readFileSync(cassette.path, 'utf8')).not.toContain('sk-secret')
})

it('a line holds what the model saw, in an order of its own, and the file is for its owner alone', async () => {
  const cassette = newCassette()
  await ask(recording(saying([text('Do'), text('ne.')], 'Done.'), cassette), request())
  expect(readFileSync(cassette.path, 'utf8')).toBe(
    [
      '{"cassette":1,"goatfied":"1.2.3"}',
      '{"request":{"maxOutputTokens":1000,"messages":[{"content":[{"text":"Mend it.","type":"text"}],"role":"user"}],"role":"edit","system":"You mend code.","tools":[{"description":"Edits a file.","inputSchema":{"additionalProperties":false,"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"},"name":"editFile"}]},"events":[{"type":"text","text":"Do"},{"type":"text","text":"ne."}],"outcome":{"ok":true,"value":{"content":[{"type":"text","text":"Done."}],"stopReason":"end","usage":{"input":1,"cacheRead":0,"cacheWrite":0,"output":1},"model":"m"}}}',
      '',
    ].join('\n'),
  )
  expect(statSync(cassette.path).mode & 0o777).toBe(0o600)
})

it('a secret that comes in pieces is taken out', async () => {
  const cassette = newCassette()
  const pieces = [text('It is sk-se'), text('cret"key\\1.'), text(' Well.')]
  await ask(recording(saying(pieces, 'ok'), cassette), request())
  expect(linesOf(cassette.path)[1]).toMatchObject({ events: [{ type: 'text', text: 'It is [redacted]. Well.' }] })
})

it.each([
  ['the answer', saying([], `the key ${KEY}`), request()],
  ['call arguments in JSON', saying([], JSON.stringify({ a: JSON.stringify({ b: KEY }) })), request()],
  ['pieces of text', saying([text('sk-secret'), text('"key\\1')], 'ok'), request()],
  ['the request', saying([], 'ok'), request({ system: KEY })],
])(
  'a secret that redaction leaves in %s keeps the step, and all that follow, out of the cassette',
  async (_, model, asked) => {
    const cassette = newCassette([KEY], (value) => value)
    await ask(recording(saying([], 'fine'), cassette), request())
    const before = readFileSync(cassette.path, 'utf8')
    const { outcome } = await ask(recording(model, cassette), asked)
    await ask(recording(saying([], 'fine'), cassette), request())
    expect(outcome.ok).toBe(true)
    expect(cassette.problem).toBe(
      `The cassette ${cassette.path} ends before step 2: an API key would have got into it. The run goes on, but can't be replayed from it.`,
    )
    expect(readFileSync(cassette.path, 'utf8')).toBe(before)
  },
)

it('what can’t be written is told, and the run goes on', async () => {
  const create = (file: string) => createCassette({ file, version: '1', redact, secrets: [] })
  const file = newFile()
  const there = create(file)
  expect(there.ok).toBe(true)
  const absent = path.join(path.dirname(file), 'none/run.jsonl')
  expect([create(file), create(absent)]).toEqual([
    {
      ok: false,
      problem: `The cassette ${file} can't be written: there is a file of that name already; choose another, or remove it.`,
    },
    { ok: false, problem: `The cassette ${absent} can't be written: its folder does not exist.` },
  ])
  const failing = newCassette([], () => {
    throw new Error('the redactor is broken')
  })
  failing.write({
    request: { role: 'edit', system: '', tools: [], messages: [], maxOutputTokens: 1 },
    events: [],
    outcome: { ok: false, failure: { kind: 'provider.auth', reason: 'no' } },
  })
  expect(failing.problem).toBe(
    `The cassette ${failing.path} can't be written any more: the redactor is broken. The run goes on, but can't be replayed from it.`,
  )
  if (there.ok) there.cassette.close()
})

it('an answer that was aborted, or that nobody waited for, is not recorded', async () => {
  const cassette = newCassette()
  const stop = new AbortController()
  const cancelled = new FailureError({ kind: 'user.cancelled', signal: 'SIGTERM' }, 'terminated')
  let closed = 0
  const slow: Model = {
    schemas: { appends: true, binds: false },
    id: 'test/m',
    async *answer() {
      try {
        yield text('a')
        return { ok: false, failure: cancelled.failure }
      } finally {
        closed += 1
      }
    },
  }
  const left = recording(slow, cassette).answer(request(), stop.signal)
  await left.next()
  await left.return({ ok: false, failure: cancelled.failure })
  stop.abort(cancelled)
  await ask(recording(slow, cassette), request(), stop.signal)
  expect(closed).toBe(2)
  expect(linesOf(cassette.path)).toEqual([{ cassette: 1, goatfied: '1.2.3' }])
})
