import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { AnswerBlock, Turn } from '../simulator/turn.ts'
import { expectGoodConversations, resultsOf } from './conversation-testing.ts'
import {
  bed,
  edit,
  eventsOf,
  finish,
  git,
  inTurn,
  only,
  PROJECT,
  plan,
  QUICK_PROJECT,
  repository,
  stateOf,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const MATH = PROJECT['src/math.js'] ?? ''
const MENDED = MATH.replace('a - b', 'a + b')
const call = (name: string, input: JsonObject): AnswerBlock => ({ call: name, input })
const step = (...files: readonly string[]) => ({ goal: 'Mend it', files })
const planned = plan('src/math.js')
const mend = edit('src/math.js', 'a - b', 'a + b')
const mendLines = edit('src/math.js', 'add(a, b) {\n  return a - b', 'add(a, b) {\n  return a + b')
const spoil = edit('src/math.js', 'a * 2', 'a * 3')
const noMatch = edit('src/math.js', 'return a minus b', 'return a + b')
const read = call('readFile', { path: 'src/math.js' })
const bash = call('bash', { command: 'ls' })
const replaced = (region: string, newText: string) => call('replaceRegion', { region, newText })
const good = [planned, mend, finish]
const cut = (name: string, text: string): AnswerBlock => ({ rawCall: name, arguments: text })
const wrongTypes = [
  call('editFile', { path: 42, edits: 'all of it' }),
  call('editFile', { path: ['src/math.js'], edits: { oldText: 'a - b' } }),
] as const

/** Answers after which the task is solved all the same, and how many requests that takes. Without a mistake it is one. */
const RECOVERED: Readonly<Record<string, readonly [requests: number, ...(Turn | readonly AnswerBlock[])[]]>> = {
  'text before calls': [1, [{ text: 'I see: ' }, planned, { text: 'now the edit' }, mend, finish]],
  'only thinking': [2, [{ thinking: 'What could it be?' }], good],
  'arguments cut short': [2, [planned, cut('editFile', '{"path":"src/math.js","edits":[{"oldT'), finish], [mend]],
  'arguments cut short in the path': [2, [planned, cut('editFile', '{"path":"src/ma'), finish], [mend]],
  'arguments that are no JSON': [2, [planned, cut('editFile', 'src/math.js: a + b'), finish], [mend]],
  'wrong types': [2, [planned, wrongTypes[0], finish], [mend]],
  'wrong types twice': [3, [planned, wrongTypes[0], finish], [wrongTypes[1]], [mend, finish]],
  'an unknown tool three times': [4, [bash], [bash], [bash], good],
  'an unknown tool after the plan': [2, [planned, bash, finish], [mend, finish]],
  'a wrong folder': [2, [planned, edit('source/math.js', 'a - b', 'a + b'), finish], [mend]],
  'a wrong folder and a wrong extension': [2, [planned, edit('lib/math.ts', 'a - b', 'a + b'), finish], [mend]],
  'paths that mean the same (B27)': [
    1,
    [
      planned,
      edit('.\\src//math.js', 'return a - b', 'return a  + b'),
      edit('./src/math.js', 'a  + b', 'a + b'),
      finish,
    ],
  ],
  'a path without its folders (B28)': [2, [planned, edit('math.js', 'a - b', 'a + b'), finish], [mend]],
  'wrong indentation': [1, [planned, edit('src/math.js', '\t\treturn a - b\n\t}', '\t\treturn a + b\n\t}'), finish]],
  'the same edit again (B13)': [1, [planned, mendLines, mendLines, finish]],
  'text that is not in the file': [2, [planned, noMatch, finish], [replaced('line 2', '  return a + b')]],
  'text that is not in the file, twice, and no place for it among those offered': [
    4,
    [planned, noMatch, finish],
    [replaced('__none__', '')],
    [noMatch, finish],
    [mend, finish],
  ],
  'one of two edits that does not match (B14)': [
    2,
    [
      planned,
      call('editFile', {
        path: 'src/math.js',
        edits: [
          { oldText: 'a * 2', newText: 'a * 3' },
          { oldText: 'a minus b', newText: 'a + b' },
        ],
      }),
      finish,
    ],
    [mend, finish],
  ],
  'a part of a long line (B15)': [1, [planned, edit('src/math.js', '- b', '+ b'), finish]],
  'a stream that is cut in a call': [2, { answer: good, fault: { cutAfterDeltas: 6 } }, good],
  'a stream that ends too early': [2, { answer: good, fault: { endAfterDeltas: 6 } }, good],
  'an error in the stream': [2, { answer: good, fault: { errorEvent: 'overloaded_error' } }, good],
  'calls with one id (B41)': [2, { answer: [read, read, read], fault: { duplicateIds: true } }, good],
  'unknown events in the stream': [1, { answer: good, fault: { badEvents: true } }],
  'a plan for a file that is not there': [2, [plan('src/maths.ts'), mend, finish], [planned]],
  'two plans in one answer': [1, [planned, planned, mend, finish]],
  'a plan without steps': [2, [call('submitPlan', { summary: 'x', steps: [] }), mend, finish], [planned]],
  'a plan that is changed after an edit': [1, [planned, mend, planned, finish]],
  'an attempt to take up that does not exist': [
    2,
    [planned, call('resumeAttempt', { attempt: 7 }), finish],
    [mend, finish],
  ],
  'an answer that the output limit cut': [
    2,
    { answer: [planned, cut('editFile', '{"path":"src/math.js","edits":[{"ol')], stopReason: 'max_tokens' },
    [mend, finish],
  ],
  'a rejected attempt taken up again': [
    2,
    [planned, mend, spoil, finish],
    [call('resumeAttempt', { attempt: 1 }), edit('src/math.js', 'a * 3', 'a * 2'), finish],
  ],
}

it.each(Object.entries(RECOVERED))('%s: recovered', async (_, [count, ...answers]) => {
  const root = repository(QUICK_PROJECT)
  const { run, requests } = await bed(inTurn(...answers))
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  expect([ended.exitCode, requests.length, readFileSync(path.join(root, 'src/math.js'), 'utf8')]).toEqual([
    0,
    count,
    MENDED,
  ])
  expect(git(root, 'status', '--porcelain', '-uall')).toBe(' M src/math.js\n')
  expectGoodConversations(requests)
})

it('an edit that breaks the syntax is refused with its place, and nothing is written; the corrected one is taken', async () => {
  const root = repository(QUICK_PROJECT)
  const broken = edit('src/math.js', 'return a - b', 'return (a + b')
  const seen: string[] = []
  const { run, requests } = await bed((_, n) => {
    seen.push(readFileSync(path.join(root, 'src/math.js'), 'utf8'))
    return (
      [
        [planned, broken],
        [mend, finish],
      ][n] ?? []
    )
  })
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  expect([ended.exitCode, requests.length, seen]).toEqual([0, 2, [MATH, MATH]])
  const failures = only(eventsOf(ended), 'call.failed').map(({ failure }) => failure)
  expect(failures).toEqual([expect.objectContaining({ kind: 'edit.syntax', path: 'src/math.js', line: 3, column: 1 })])
  expect(readFileSync(path.join(root, 'src/math.js'), 'utf8')).toBe(MENDED)
  expectGoodConversations(requests)
})

it('the program has its grammars with it: a new file that does not parse is refused', async () => {
  const root = repository(QUICK_PROJECT)
  const create = (content: string) => call('createFile', { path: 'tool.py', content })
  const { run } = await bed(
    inTurn([planned, create('def f(:\n    pass\n')], [create('def f():\n    pass\n'), mend, finish]),
  )
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  const failures = only(eventsOf(ended), 'call.failed').map(({ failure }) => failure)
  expect(failures).toEqual([expect.objectContaining({ kind: 'edit.syntax', path: 'tool.py', line: 1, column: 6 })])
  expect([ended.exitCode, git(root, 'status', '--porcelain', '-uall')]).toEqual([0, ' M src/math.js\n?? tool.py\n'])
})

it('a failed call ends its batch: what follows and changes something is not carried out, each call has one result, in order (B41)', async () => {
  const root = repository(QUICK_PROJECT)
  const create = call('createFile', { path: 'made.js', content: '' })
  const command = call('runCommand', { command: 'node --version' })
  const { run, requests } = await bed(
    inTurn([planned, noMatch, create, read, command, finish], [replaced('__none__', '')], [mend, finish]),
  )
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  const [answer] = only(eventsOf(ended), 'model.answered')
  const ids = answer?.answer.content.flatMap((block) => (block.type === 'call' ? [block.call.id] : []))
  const results = resultsOf(requests[2])
  expect([ended.exitCode, results.map(({ id }) => id)]).toEqual([0, ids])
  expect(results.map(({ failed }) => failed)).toEqual([false, true, true, false, true, true])
  expect(results[3]?.text).toContain('return a - b')
  expect(existsSync(path.join(root, 'made.js'))).toBe(false)
  expectGoodConversations(requests)
})

const step2 = { goal: 'Add a third', files: [], newFiles: ['src/third.js'] }

it('keeps the steps that passed when a later one fails first', async () => {
  const root = repository(QUICK_PROJECT)
  const steps = [step('src/math.js'), step2, { goal: 'Say so', files: [], newFiles: ['notes.md'] }]
  const third = call('createFile', { path: 'src/third.js', content: 'export const third = 3\n' })
  const { run, requests } = await bed(
    inTurn(
      [call('submitPlan', { summary: 'In three', steps }), mend, finish, third, finish],
      [third, spoil, finish],
      [third, finish],
      [call('createFile', { path: 'notes.md', content: 'add() adds.\n' }), finish],
    ),
  )
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  const events = eventsOf(ended)
  expect([ended.exitCode, requests.length]).toEqual([0, 4])
  // What comes behind the end of a step in one answer is not carried out.
  expect(resultsOf(requests[1]).map(({ failed }) => failed)).toEqual([false, false, false, true, true])
  expect(only(events, 'attempt.ended').map(({ outcome, changed }) => [outcome, changed])).toEqual([
    ['passed', ['src/math.js']],
    ['rejected', ['src/math.js', 'src/third.js']],
    ['passed', ['src/third.js']],
    ['passed', ['notes.md']],
  ])
  expect(readFileSync(path.join(root, 'src/math.js'), 'utf8')).toBe(MENDED)
  expect(git(root, 'status', '--porcelain', '-uall')).toBe(' M src/math.js\n?? notes.md\n?? src/third.js\n')
  expectGoodConversations(requests)
})

/** Answers given again and again: how the run ends, and after how many requests at most. */
const ENDLESS: Readonly<Record<string, readonly [exitCode: number, most: number, answer: readonly AnswerBlock[]]>> = {
  'the same text that is not in the file': [1, 30, [planned, noMatch, finish]],
  'the same path that is not there': [1, 30, [planned, edit('lib/nowhere.py', 'a', 'b'), finish]],
  'the same wrong types': [1, 30, [planned, wrongTypes[0], finish]],
  'the same change that breaks a test': [1, 30, [planned, spoil, finish]],
  'a finish without a change': [3, 5, [planned, finish]],
  'only thinking': [3, 2, [{ thinking: 'Hm.' }]],
  'nothing but reading': [1, 12, [read]],
}

it.each(Object.entries(ENDLESS))(
  '%s, without end: the run ends, the tree is as it was',
  async (_, [exitCode, most, answer]) => {
    const root = repository(QUICK_PROJECT)
    const before = stateOf(root)
    const { run, requests } = await bed(inTurn(answer))
    const ended = await run(['fix', TASK, '-C', root, '--max-turns', '31'])
    expect([ended.exitCode, stateOf(root)]).toEqual([exitCode, before])
    expect(requests.length).toBeLessThanOrEqual(most)
    expectGoodConversations(requests)
  },
)

it('starts with at most 1,500 tokens of system prompt and tools', async () => {
  const { run, requests } = await bed(inTurn([{ text: 'Nothing to do.' }]))
  await run(['fix', TASK, '-C', repository(QUICK_PROJECT)])
  const { system, tools } = requests[0]?.body ?? {}
  expect(Buffer.byteLength(JSON.stringify({ system, tools })) / 4).toBeLessThanOrEqual(1500)
})
