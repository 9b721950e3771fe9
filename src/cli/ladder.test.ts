import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { RecordedRequest } from '../simulator/simulator.ts'
import type { AnswerBlock } from '../simulator/turn.ts'
import { expectGoodConversations, resultsOf } from './conversation-testing.ts'
import { bed, edit, eventsOf, finish, inTurn, only, PROJECT, plan, QUICK_PROJECT, repository } from './testing.ts'

const call = (name: string, input: JsonObject): AnswerBlock => ({ call: name, input })
const mend = edit('src/math.js', 'a - b', 'a + b')
const TWINS = { ...QUICK_PROJECT, 'src/a/sum.js': 'export const sum = 1\n', 'src/b/sum.js': 'export const sum = 2\n' }
const read = (file: string) => call('readFile', { path: file })
const rungsOf = (ended: Parameters<typeof eventsOf>[0]) =>
  only(eventsOf(ended), 'recovery.ended').map(({ rung, recovered, cost }) => [rung, recovered, cost.requests])

/** What the path may be in each definition of editFile in a request, as sent: in its list first, then those appended. */
function pathEnums({ body }: RecordedRequest): readonly unknown[] {
  const found: unknown[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) {
      const { name, parameters, input_schema: schema = parameters } = value as JsonObject
      const properties = (schema as { properties?: Record<string, { enum?: unknown }> } | undefined)?.properties
      if (typeof name === 'string' && /^editFile/.test(name) && properties) found.push(properties.path?.enum)
    }
    for (const member of Object.values(value)) look(member)
  }
  look([body.tools, body.messages ?? body.input])
  return found
}

const allowing = (name: string) => ({
  type: 'allowed_tools',
  mode: 'auto',
  tools: expect.arrayContaining([{ type: 'function', name }]),
})

it.each([
  ['anthropic/claude-opus-5-5', {}],
  ['openai/gpt-6', { OPENAI_API_KEY: 'test-key' }],
])(
  '%s: a call that its replay did not settle is held to an appended schema, which is taken back',
  async (model, env) => {
    const root = repository(TWINS)
    const { run, requests, url } = await bed(
      inTurn(
        [plan('src/math.js'), edit('lib/sum.js', 'sum = 1', 'sum = 3')],
        [edit('__none__', 'sum = 1', 'sum = 3')],
        [edit('src/a/sum.js', 'sum = 1', 'sum = 3')],
        [mend, finish],
      ),
    )
    const address = model.startsWith('openai') ? ['--base-url', `${url}/v1`] : []
    const ended = await run(['fix', 'add() is wrong', '-C', root, '--json', '-m', model, ...address], { env })
    expect([ended.exitCode, rungsOf(ended)]).toEqual([
      0,
      [
        ['scoped-replay', false, 1],
        ['overlay', true, 1],
      ],
    ])
    const [first, , overlaid, back] = requests
    if (first === undefined || overlaid === undefined || back === undefined) throw new Error('too few requests')
    const narrowed = ['src/a/sum.js', 'src/b/sum.js', 'src/math.js', 'test/math.test.js', 'check.js', '__none__']
    // The first list is held to the files there are, since they are few.
    const files = ['.gitignore', ...narrowed.slice(0, -1), 'package.json'].sort()
    expect(pathEnums(first)).toEqual([files])
    expect(pathEnums(overlaid)).toEqual([files, expect.arrayContaining(narrowed)])
    // Where definitions replace one another the loose one is appended; where they have names of their own it is allowed again.
    expect(pathEnums(back)).toEqual([
      files,
      expect.arrayContaining(narrowed),
      ...(model.startsWith('openai') ? [] : [files]),
    ])
    expect(overlaid.body.tool_choice).toEqual(model.startsWith('openai') ? allowing('editFile__g1') : undefined)
    expect(back.body.tool_choice).toEqual(model.startsWith('openai') ? allowing('editFile') : undefined)
    expect(JSON.stringify(overlaid.body.tools)).toBe(JSON.stringify(first.body.tools))
    expect(JSON.stringify(back.body.tools)).toBe(JSON.stringify(first.body.tools))
    if (model.startsWith('anthropic')) expectGoodConversations(requests)
  },
)

it('lets the model pick among candidates where no schema can be appended', async () => {
  const root = repository(TWINS)
  const { run, requests, url } = await bed(
    inTurn(
      [plan('src/math.js'), edit('lib/sum.js', 'sum = 2', 'sum = 3')],
      [edit('__none__', 'sum = 2', 'sum = 3')],
      [call('pickCandidate', { choice: 'p2' })],
      [mend, finish],
    ),
  )
  const args = ['-m', 'vllm/qwen', '--base-url', `${url}/v1`]
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json', ...args])
  expect([ended.exitCode, rungsOf(ended)]).toEqual([
    0,
    [
      ['scoped-replay', false, 1],
      ['overlay', true, 1],
    ],
  ])
  expect(readFileSync(path.join(root, 'src/b/sum.js'), 'utf8')).toBe('export const sum = 3\n')
  const messages = JSON.stringify(requests[2]?.body.messages)
  expect(messages).toContain('p1 src/a/sum.js\\np2 src/b/sum.js')
  expect(JSON.stringify(requests[3]?.body.messages)).toContain(
    '(corrected: path \\"lib/sum.js\\" became \\"src/b/sum.js\\")',
  )
})

it('climbs when none of the candidates was meant, and has nothing to pick before', async () => {
  const root = repository(TWINS)
  const { run, url } = await bed(
    inTurn(
      [call('pickCandidate', { choice: 'p1' })],
      [plan('src/math.js'), edit('lib/sum.js', 'sum = 2', 'sum = 3')],
      [edit('__none__', 'sum = 2', 'sum = 3')],
      [call('pickCandidate', { choice: 'none' })],
      [mend, finish],
    ),
  )
  const args = ['-m', 'vllm/qwen', '--base-url', `${url}/v1`]
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json', ...args])
  const decisions = only(eventsOf(ended), 'decision').map(({ failure, decision }) => [failure.kind, decision.kind])
  expect([ended.exitCode, decisions]).toEqual([
    0,
    [
      ['call.unknown-tool', 'replan'],
      ['target.not-found', 'retry'],
      ['target.not-found', 'replan'],
    ],
  ])
})

it('corrects a path that was corrected before without asking again', async () => {
  const root = repository(TWINS)
  const { run, requests } = await bed(
    inTurn(
      [read('lib/sum.js')],
      [read('src/b/sum.js')],
      [read('lib/sum.js'), call('searchCode', { pattern: 'sum', path: 'lib/sum.js' })],
      [plan('src/math.js'), mend, finish],
    ),
  )
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  const repaired = only(eventsOf(ended), 'call.repaired').map(({ tool, repairs }) => [tool, repairs])
  const repair = { pointer: '/path', from: 'lib/sum.js', to: 'src/b/sum.js', reason: 'corrected so before' }
  expect([ended.exitCode, requests.length, repaired]).toEqual([
    0,
    4,
    [
      ['readFile', [repair]],
      ['searchCode', [repair]],
    ],
  ])
  expect(resultsOf(requests[3]).map(({ failed }) => failed)).toEqual([false, false])
})

it('sees the third failure of a kind as a loop, however the arguments vary (B60)', async () => {
  const root = repository(QUICK_PROJECT)
  const wrong = (n: number) => edit(`lib/qqqq${n}.xyz`, 'a', 'b')
  const { run } = await bed((request, n) =>
    n === 0
      ? [plan('src/math.js'), wrong(n)]
      : JSON.stringify(request.body.messages).includes('has failed 3 times')
        ? [plan('src/math.js'), mend, finish]
        : [wrong(n)],
  )
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  const events = eventsOf(ended)
  const decisions = only(events, 'decision').map(({ level, failure, decision }) => [level, failure.kind, decision.kind])
  expect([ended.exitCode, decisions]).toEqual([
    0,
    [
      ['call', 'target.not-found', 'retry'],
      ['call', 'target.not-found', 'replan'],
      ['call', 'progress.repeated', 'retry'],
      ['attempt', 'progress.repeated', 'replan'],
    ],
  ])
  expect(only(events, 'recovery.ended').at(-1)).toMatchObject({ rung: 'end-of-attempt', recovered: true })
})

it('takes twelve edits of twelve files by one tool for no loop', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `src/part${n}.js`)
  const root = repository({ ...PROJECT, ...Object.fromEntries(names.map((name) => [name, 'export const n = 1\n'])) })
  const edits = names.map((name) => [edit(name, 'n = 1', 'n = 2')])
  const { run, requests } = await bed(inTurn([plan('src/math.js')], ...edits, [mend, finish]))
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  expect([ended.exitCode, requests.length, only(eventsOf(ended), 'call.failed')]).toEqual([0, 14, []])
})

it('does not answer the very same read a third time while nothing has changed', async () => {
  const root = repository(QUICK_PROJECT)
  const again = [read('src/math.js')]
  const { run, requests } = await bed(
    inTurn(again, again, again, [plan('src/math.js'), mend, read('src/math.js'), finish]),
  )
  const ended = await run(['fix', 'add() is wrong', '-C', root, '--json'])
  expect([ended.exitCode, only(eventsOf(ended), 'call.failed').map(({ failure }) => failure.kind)]).toEqual([
    0,
    ['progress.repeated'],
  ])
  expect(resultsOf(requests[3])[0]?.text).toContain('nothing has changed since')
})
