import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { AnswerBlock } from '../simulator/turn.ts'
import {
  type Bed,
  bed,
  type Ended,
  edit,
  type Files,
  finish,
  git,
  PROJECT,
  plan,
  QUICK_PROJECT,
  repository,
  stateOf,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const MATH = PROJECT['src/math.js'] ?? ''
const MENDED = MATH.replace('a - b', 'a + b')
const mend = edit('src/math.js', 'a - b', 'a + b')
const call = (name: string, input: JsonObject): AnswerBlock => ({ call: name, input })
const create = (file: string, content: string) => call('createFile', { path: file, content })

const WILD: Files = {
  ...QUICK_PROJECT,
  'docs/old.md': 'old\n',
  'docs/moved.md': 'moved\n',
  'wild.js': `import fs from 'node:fs'
fs.writeFileSync('by-command.txt', 'made')
fs.chmodSync('check.js', 0o755)
fs.rmSync('docs/old.md')
`,
}
const WILDLY = [
  mend,
  create('made/deep/new.js', 'export {}\n'),
  call('moveFile', { from: 'docs/moved.md', to: 'docs/new.md' }),
  call('runCommand', { command: 'node wild.js' }),
]

/** A model that answers with these blocks, one after the other, run after run. */
async function scripted(...answers: readonly (readonly AnswerBlock[])[]): Promise<Bed> {
  return bed((_, n) => answers[n] ?? [])
}

async function fix({ run }: Bed, root: string, ...flags: readonly string[]): Promise<number | null> {
  return (await run(['fix', TASK, '-C', root, '-y', ...flags])).exitCode
}

const undo = ({ run }: Bed, root: string, ...args: readonly string[]): Promise<Ended> =>
  run(['undo', '-C', root, ...args])
const read = (root: string, name: string): string => readFileSync(path.join(root, name), 'utf8')
const write = (root: string, name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}
const runIds = (root: string): string[] => readdirSync(path.join(root, '.git/goatfied/runs')).sort()
const refs = (root: string): string[] =>
  git(root, 'for-each-ref', '--format=%(refname)', 'refs/goatfied').trim().split('\n')

it('gives back everything that a good run changed, and that can be undone and done again', async () => {
  const root = repository(WILD)
  write(root, 'mine.txt', 'untracked')
  const before = stateOf(root)
  const model = await scripted([plan('src/math.js'), ...WILDLY, finish])
  expect(await fix(model, root)).toBe(0)
  const after = stateOf(root)
  const [run] = runIds(root)

  const ended = await undo(model, root)
  expect([ended.exitCode, ended.stderr, stateOf(root)]).toEqual([0, '', before])
  expect(ended.stdout.replaceAll(/\S+\/displaced\/\w+-/g, '<copies>/')).toBe(
    `7 files given back as before run ${run}
  deleted by-command.txt  +0 -1
  edited check.js  +0 -0
  created docs/moved.md  +1 -0
  deleted docs/new.md  +0 -1
  created docs/old.md  +1 -0
  deleted made/deep/new.js  +0 -1
  edited src/math.js  +1 -1
  what a command had written to by-command.txt is in <copies>/by-command.txt
  what a command had written to check.js is in <copies>/check.js
  to take this back: goatfied undo ${run}/undo
`,
  )
  expect(refs(root)).toContain(`refs/goatfied/${run}/undo`)

  const redone = await undo(model, root, `${run}/undo`)
  expect([redone.exitCode, redone.stderr, stateOf(root)]).toEqual([0, '', after])
  expect([(await undo(model, root)).exitCode, stateOf(root)]).toEqual([0, before])
  const again = await undo(model, root)
  expect([again.exitCode, again.stdout]).toEqual([3, 'no run has left anything to undo here\n'])
})

it('leaves what a person changed since, says where the former content is, and goes on with the rest', async () => {
  const root = repository(WILD)
  const model = await scripted([plan('src/math.js'), ...WILDLY, finish])
  expect(await fix(model, root)).toBe(0)
  write(root, 'src/math.js', `${MENDED}// by hand\n`)
  write(root, 'made/deep/new.js', 'mine\n')
  rmSync(path.join(root, 'docs/new.md'))
  write(root, 'made/mine.js', 'mine\n')
  git(root, 'add', 'src/math.js')
  const ended = await undo(model, root, '--json')
  const { changes, left } = JSON.parse(ended.stdout)
  const blob = /^its former content is in (.*)$/.exec(left[1]?.former)?.[1] ?? ''
  expect([ended.exitCode, readFileSync(blob, 'utf8'), left]).toEqual([
    1,
    MATH,
    [
      { what: 'made/deep/new.js', former: 'the run had made it' },
      { what: 'src/math.js', former: `its former content is in ${blob}` },
    ],
  ])
  expect(changes.map(({ path: name }: { path: string }) => name)).toEqual([
    'by-command.txt',
    'check.js',
    'docs/moved.md',
    'docs/old.md',
  ])
  expect(git(root, 'status', '--porcelain=v1', '--untracked-files=all')).toBe(
    'M  src/math.js\n?? made/deep/new.js\n?? made/mine.js\n',
  )
  const again = await undo(model, root)
  expect([again.exitCode, again.stdout.split('\n')[0]]).toEqual([1, `nothing given back of run ${runIds(root)[0]}`])
})

it('shows in a preview what it then does, and changes nothing', async () => {
  const root = repository(WILD)
  const model = await scripted([plan('src/math.js'), ...WILDLY, finish])
  expect(await fix(model, root)).toBe(0)
  write(root, 'check.js', 'mine\n')
  const before = [stateOf(root), refs(root)]
  const preview = await undo(model, root, '--preview')
  const planned = await undo(model, root, '--preview', '--json')
  expect([preview.exitCode, planned.exitCode, stateOf(root), refs(root)]).toEqual([1, 1, ...before])
  expect(preview.stdout).toContain('    -  return a + b\n    +  return a - b\n')
  const { changes, left } = JSON.parse((await undo(model, root, '--json')).stdout)
  expect({ changes, left }).toEqual({
    changes: JSON.parse(planned.stdout).changes,
    left: JSON.parse(planned.stdout).left,
  })
  expect(left).toEqual([{ what: 'check.js', former: expect.stringContaining('its former content is in ') }])
})

it('gives back from an attempt on', async () => {
  const root = repository(QUICK_PROJECT)
  const steps: JsonObject[] = [
    { goal: 'Mend it', files: ['src/math.js'] },
    { goal: 'Tell of it', files: [], newFiles: ['NEWS.md'] },
  ]
  const model = await scripted(
    [call('submitPlan', { summary: 'Mend it', steps }), mend, finish],
    [create('NEWS.md', 'mended\n'), finish],
  )
  expect(await fix(model, root)).toBe(0)
  const [run = ''] = runIds(root)
  expect([read(root, 'src/math.js'), existsSync(path.join(root, 'NEWS.md'))]).toEqual([MENDED, true])
  const ended = await undo(model, root, run.slice(0, -2), '--attempt', '2')
  expect(ended.stdout).toBe(
    `1 file given back as before attempt-2 of run ${run}
  deleted NEWS.md  +0 -1
  to take this back: goatfied undo ${run}/undo
`,
  )
  expect([read(root, 'src/math.js'), existsSync(path.join(root, 'NEWS.md'))]).toEqual([MENDED, false])
  const none = await undo(model, root, run, '--attempt', '3')
  expect([none.exitCode, none.stderr.split('\n')[0]]).toEqual([
    2,
    `goatfied: Run ${run} has no state "attempt-3" to go back to (there are: start, attempt-1, attempt-2, undo). An attempt that went on with the changes of the one before has none of its own.`,
  ])
  expect([(await undo(model, root)).exitCode, read(root, 'src/math.js')]).toEqual([0, MATH])
})

it('takes the last run that changed something, then the one before it, and passes over one that gave up', async () => {
  const root = repository(QUICK_PROJECT)
  const model = await scripted(
    [plan('src/math.js'), mend, finish],
    [plan('src/math.js'), create('second.js', ''), finish],
    [plan('src/math.js'), edit('src/math.js', 'a * 2', 'a * 3'), finish],
  )
  expect([await fix(model, root), await fix(model, root)]).toEqual([0, 0])
  expect(await fix(model, root, '--max-attempts', '1', '--max-turns', '1')).toBe(53)
  const given = async () => {
    const ended = await undo(model, root)
    return [ended.exitCode, read(root, 'src/math.js'), existsSync(path.join(root, 'second.js'))]
  }
  expect([await given(), await given(), await given()]).toEqual([
    [0, MENDED, false],
    [0, MATH, false],
    [3, MATH, false],
  ])
})

it.each([
  ['without git', (root: string) => rmSync(path.join(root, '.git'), { recursive: true })],
  [
    'before the first commit',
    (root: string) => {
      rmSync(path.join(root, '.git'), { recursive: true })
      git(root, 'init', '--quiet')
      git(root, 'add', 'src')
    },
  ],
])('gives back %s too', async (_, prepare) => {
  const root = repository(WILD)
  prepare(root)
  const before = stateOf(root, { underGit: false })
  const model = await scripted([plan('src/math.js'), ...WILDLY, finish])
  expect(await fix(model, root)).toBe(0)
  const changed = stateOf(root, { underGit: false })
  const ended = await undo(model, root, '--json')
  expect([ended.exitCode, stateOf(root, { underGit: false })]).toEqual([0, before])
  expect((await undo(model, root, JSON.parse(ended.stdout).again)).exitCode).toBe(0)
  expect(stateOf(root, { underGit: false })).toEqual(changed)
})

it('of a run that was killed is its recovery, and touches no earlier run', async () => {
  const root = repository(QUICK_PROJECT)
  const model = await scripted(
    [plan('src/math.js'), mend, finish],
    [plan('src/math.js'), edit('src/math.js', 'a * 2', 'a + a'), call('runCommand', { command: 'sleep 100' })],
  )
  expect(await fix(model, root)).toBe(0)
  const running = model.start(['fix', TASK, '-C', root, '-y', '--json'])
  await running.printed('"tool":"editFile"')
  const busy = await undo(model, root)
  running.kill('SIGKILL')
  await running.ended
  const [, killed] = runIds(root)
  const preview = await undo(model, root, '--preview')
  expect([preview.exitCode, preview.stderr]).toEqual([
    0,
    `goatfied: Run ${killed} was killed: it is given back as a whole at the next start.\n`,
  ])
  const ended = await undo(model, root)
  expect([ended.exitCode, ended.stderr, read(root, 'src/math.js')]).toEqual([
    0,
    `goatfied: Run ${killed} was killed; given back: src/math.js.\n`,
    MENDED,
  ])
  expect([busy.exitCode, busy.stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`^goatfied: Run ${killed} \\(process \\d+, since .*\\) is working in this tree`)),
  ])
})

it('refuses a run that is not there, and two that could be meant', async () => {
  const root = repository(QUICK_PROJECT)
  const model = await scripted(
    [plan('src/math.js'), mend, finish],
    [plan('src/math.js'), create('second.js', ''), finish],
  )
  expect([await fix(model, root), await fix(model, root)]).toEqual([0, 0])
  const [first, second] = runIds(root)
  const told = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await undo(model, root, ...args)
    return [exitCode, stderr]
  }
  expect([await told('x'), await told('2'), await told(`${first}/undo`, '--attempt', '1')]).toEqual([
    [2, `goatfied: There is no run "x" that worked in ${root}. "goatfied runs" lists them.\n`],
    [2, `goatfied: "2" could be 2 runs, of ${first} to ${second}: give more of it.\n`],
    [2, 'goatfied: Give either --attempt or the name of an undo.\n'],
  ])
})

it('is possible for the runs that are kept: older ones go at the end of a run, with their refs', async () => {
  const root = repository(QUICK_PROJECT)
  const model = await scripted(
    [plan('src/math.js'), mend, finish],
    [plan('src/math.js'), create('second.js', ''), finish],
    [plan('src/math.js'), create('third.js', ''), finish],
  )
  const env = { GOATFIED_KEEP_RUNS: '2' }
  const first = await model.run(['fix', TASK, '-C', root], { env })
  const [gone] = runIds(root)
  for (const _ of [2, 3]) expect((await model.run(['fix', TASK, '-C', root], { env })).exitCode).toBe(0)
  const kept = runIds(root)
  expect([first.exitCode, kept.length, kept.includes(gone ?? '')]).toEqual([0, 2, false])
  const points = ['attempt-1', 'start']
  expect(refs(root)).toEqual(kept.flatMap((run) => points.map((point) => `refs/goatfied/${run}/${point}`)))
})
