import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { runLogs } from './process-testing.ts'
import {
  bed,
  type Ended,
  edit,
  eventsOf,
  type Files,
  finish,
  inTurn,
  only,
  PROJECT,
  plan,
  QUICK_PROJECT,
  repository,
  stateOf,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const call = (name: string, input: JsonObject) => ({ call: name, input })

/** Its script makes, changes and removes files of every kind, so that a rollback has something to do. */
const WILD: Files = {
  ...QUICK_PROJECT,
  'docs/old.md': 'old\n',
  'docs/moved.md': 'moved\n',
  'data/kept.bin': '\u0000binary\r\n',
  'data/gone.txt': 'gone\n',
  'wild.js': `import fs from 'node:fs'
fs.writeFileSync('data/kept.bin', 'changed')
fs.rmSync('data/gone.txt', { force: true })
fs.chmodSync('src/math.js', 0o755)
fs.mkdirSync('made/deep', { recursive: true })
for (let n = 0; n < 100; n++) fs.writeFileSync('made/deep/' + n + '.txt', String(n))
`,
}

/** Never right, and every time in another way. */
const wrong = (_: unknown, n: number) => [
  ...(n % 2 === 0 ? [plan('src/math.js')] : []),
  edit('src/math.js', 'return a * 2', `return a * ${n + 3}`),
  call('createFile', { path: `new/deep/${n}.js`, content: `export default ${n}\n` }),
  call('deleteFile', { path: 'docs/old.md' }),
  call('moveFile', { from: 'docs/moved.md', to: `docs/${n}.md` }),
  call('runCommand', { command: 'node wild.js' }),
  finish,
]
const right = inTurn([plan('src/math.js'), edit('src/math.js', 'a - b', 'a + b'), finish])

/** Starts a run that would end with the tree given back, and kills it after that event. */
async function killAt(root: string, event: string, later = async () => {}): Promise<Ended> {
  const { start } = await bed(wrong)
  const running = start(['fix', TASK, '-C', root, '--json', '-y', '--max-turns', '3', '--max-attempts', '1'])
  await running.printed(event).then(later, () => {})
  running.kill('SIGKILL')
  return running.ended
}

/** A run that has to end well, from a tree that has to be as `before`. */
async function expectGoodRun(root: string, before: unknown, killed?: Ended): Promise<void> {
  const { run } = await bed(right)
  const ended = await run(['fix', TASK, '-C', root, '--json'])
  const events = eventsOf(ended)
  expect([ended.exitCode, ended.stderr.includes('defect')]).toEqual([0, false])
  if (killed?.stdout.includes('"type":"run.started"') && !killed.stdout.includes('"type":"run.ended"')) {
    const [{ runId } = { runId: '' }] = only(eventsOf(completeLines(killed)), 'run.started')
    expect(only(events, 'notice')[0]?.text).toMatch(new RegExp(`^Run ${runId} was killed; given back: .+\\.$`))
  }
  const file = path.join(root, 'src/math.js')
  expect(readFileSync(file, 'utf8')).toBe(PROJECT['src/math.js']?.replace('a - b', 'a + b'))
  writeFileSync(file, PROJECT['src/math.js'] ?? '')
  expect(stateOf(root)).toEqual(before)
}

const completeLines = (ended: Ended): Ended => ({ ...ended, stdout: ended.stdout.replace(/[^\n]*$/, '') })

/** Mulberry32: the same moments in every run of the test. */
function random(seed: number): number {
  let t = (seed * 0x6d2b79f5) | 0
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

it.each([1, 2, 3, 4, 5, 6])('is given back by the next run after kill -9 at a random moment (%i)', async (seed) => {
  const root = repository(WILD)
  const before = stateOf(root)
  // From the first edit to the second attempt.
  const event = 10 + Math.floor(random(seed) * 24)
  const killed = await killAt(root, `"seq":${event},`, () => sleep(random(seed + 100) * 20))
  await expectGoodRun(root, before, killed)
})

it('is given back by `goatfied runs` as well, once', async () => {
  const root = repository(WILD)
  const before = stateOf(root)
  await killAt(root, '"tool":"runCommand"')
  const [log = []] = runLogs(root)
  const runId = log[0]?.type === 'run.started' ? log[0].runId : ''
  const { run } = await bed(right)
  const listed = await run(['runs', '-C', root, '--json'])
  expect([listed.exitCode, stateOf(root)]).toEqual([0, before])
  expect(JSON.parse(listed.stdout).map((one: { status: string }) => one.status)).toEqual(['interrupted'])
  expect(listed.stderr).toMatch(new RegExp(`^goatfied: Run ${runId} was killed; given back: .*src/math\\.js.*\\.\\n$`))
  expect((await run(['runs', '-C', root])).stderr).toBe('')
})

/** What has happened in the tree when half of a rollback is done. */
const HALVES = {
  'after the first removal': (root: string) => readdirSync(path.join(root, 'made/deep')).length < 100,
  'before the last file is back': (root: string) => existsSync(path.join(root, 'data/gone.txt')),
}

it.each(Object.entries(HALVES))(
  'is given back after kill -9 in the rollback and in the recovery, %s',
  async (_, half) => {
    const root = repository(WILD)
    const before = stateOf(root)
    const reached = () => {
      try {
        return half(root)
      } catch {
        return true
      }
    }
    await killAt(root, '"type":"rollback.started"', () => until(reached))
    const { start } = await bed(right)
    const recovering = start(['runs', '-C', root])
    await Promise.race([until(() => !existsSync(path.join(root, 'new'))), recovering.ended])
    recovering.kill('SIGKILL')
    await recovering.ended
    await expectGoodRun(root, before)
  },
)

/** Looks again and again, since a moment in the middle of a rollback is soon over. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
