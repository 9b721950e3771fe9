import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { StampedEvent } from '../core/event.ts'
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
  repository,
  temporaryFolder,
} from './testing.ts'

const mend = edit('src/math.js', 'a - b', 'a + b')
const TASK = ['fix', 'add() is wrong', '--json']

/** What a run did, without times, places and what they change. */
function deeds(events: readonly StampedEvent[]) {
  return events.map((event) => {
    if (event.type === 'verdict') return [event.type, event.verdict.status, event.verdict.newlyPassing]
    if (event.type === 'attempt.ended') return [event.type, event.outcome, event.patch]
    if (event.type === 'model.answered') return [event.type, event.answer]
    return [event.type]
  })
}

it('plays a recorded run again, without key and network: the same tree, verdicts and events', async () => {
  const [first, second] = [repository(PROJECT), repository(PROJECT)]
  const cassette = path.join(temporaryFolder('cassette'), 'run.jsonl')
  const wrong = edit('src/math.js', 'a * 2', 'a * 3')
  const { run } = await bed(
    inTurn([plan('src/math.js'), edit('lib/math.js', 'a - b', 'a + b')], [mend], [wrong, finish], [mend, finish]),
  )
  const recorded = await run([...TASK, '-C', first, '--record', cassette])
  const offline = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
  const replayed = await run([...TASK, '-C', second, '--replay', cassette], { env: offline })
  expect([recorded.exitCode, replayed.exitCode]).toEqual([0, 0])
  const order = ([type]: readonly unknown[]) => String(type).startsWith('check.') || type === 'baseline.taken'
  const steady = (events: readonly StampedEvent[]) =>
    deeds(events).filter((deed) => !order(deed) && deed[0] !== 'model.text')
  expect(steady(eventsOf(replayed))).toEqual(steady(eventsOf(recorded)))
  expect(git(second, 'diff')).toBe(git(first, 'diff'))
  expect(readFileSync(cassette, 'utf8')).not.toContain('test-key')
})

it('says how a request differs from what was recorded', async () => {
  const [first, second] = [repository(PROJECT), repository(PROJECT)]
  const cassette = path.join(temporaryFolder('cassette'), 'run.jsonl')
  const { run } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  await run([...TASK, '-C', first, '--record', cassette])
  const replayed = await run(['fix', 'something else', '--json', '-C', second, '--replay', cassette])
  const [ended] = only(eventsOf(replayed), 'run.ended')
  expect([replayed.exitCode, ended?.result.failure?.kind, ended?.result.summary]).toEqual([
    51,
    'provider.rejected',
    expect.stringContaining('something else'),
  ])
})

it('begins no cassette over a file, and reads none that is not there', async () => {
  const root = repository(PROJECT)
  const there = path.join(root, 'package.json')
  const { run, requests } = await bed(inTurn([finish]))
  const [over, missing] = [
    await run(['fix', 'x', '-C', root, '--record', there]),
    await run(['fix', 'x', '-C', root, '--replay', path.join(root, 'none.jsonl')]),
  ]
  expect([over.exitCode, missing.exitCode, requests.length, git(root, 'status', '--porcelain')]).toEqual([2, 2, 0, ''])
  expect([over.stderr, missing.stderr].map((text) => text.split(':').slice(0, 2))).toEqual([
    ['goatfied', ' --record'],
    ['goatfied', ' --replay'],
  ])
})
