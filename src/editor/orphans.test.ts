import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { endOrphans, noteGroup } from './orphans.ts'
import { restoreInterrupted } from './recovery.ts'
import { findInterrupted } from './run-folders.ts'
import { locateState } from './state-dir.ts'
import { repository, temporaryFolder, treeOf } from './testing.ts'

/** Edits a file, then runs a check that refuses SIGTERM and writes to it without end, by a process below its leader, which does what it is told. */
const CHILD = `
import { openEditor } from './recovery.ts'
import { locateState } from './state-dir.ts'
import { runProcess } from '../lib/process.ts'

const root = process.argv[2]
const { tree } = await openEditor({ ...(await locateState(root)), runId: 'run-1' })
await tree.write('a.ts', Buffer.from('run'))
const check = 'trap "" TERM; (while :; do echo check >> a.ts; sleep 0.05; done) & echo $$; ' + process.argv[3]
const request = { file: 'sh', args: ['-c', check], cwd: root, deadlineMs: 60_000, onLine: (line) => console.log(line) }
await tree.observe('kept', () => runProcess(request))
`

it.each([
  ['and its leader', 'wait'],
  ['but for its leader', 'while kill -0 $PPID; do sleep 0.05; done'],
])(
  'a check that outlived a kill -9 of its run, %s, is ended before the tree is given back',
  async (_, leads) => {
    const root = await repository({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
    const before = await treeOf(root)
    const file = join(await temporaryFolder(), 'child.mjs')
    await build({
      stdin: { contents: CHILD, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      outfile: file,
    })
    const child = spawn(process.execPath, [file, root, leads], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    const leader = Number(printed.toString().split('\n', 1)[0])
    onTestFinished(() => {
      try {
        if (leader > 1) process.kill(-leader, 'SIGKILL')
      } catch {
        // Gone, as it should be.
      }
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const written = await readFile(join(root, 'a.ts'), 'utf8')
    await sleep(300)
    expect((await readFile(join(root, 'a.ts'), 'utf8')).length).toBeGreaterThan(written.length)
    const [run] = await findInterrupted((await locateState(root)).stateDir)
    expect(run && (await restoreInterrupted(run))).toMatchObject({ restored: ['a.ts'], conflicts: [] })
    await sleep(300)
    expect(await treeOf(root)).toEqual(before)
  },
  30_000,
)

it.each([
  ['that is surely the one noted', true, (line: string) => line],
  ['whose number somebody else got since', false, (line: string) => line.replace(/:\d+"/, ':1"')],
  ['whose start was not noted', false, (line: string) => line.replace(/"started":".*"/, '"started":""')],
])('a process %s is ended: %s', async (_, ends, write) => {
  const folder = await temporaryFolder()
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  noteGroup(folder, child.pid ?? 0)
  const noted = await readFile(join(folder, 'groups.jsonl'), 'utf8')
  await writeFile(join(folder, 'groups.jsonl'), `${write(noted)}{"pid":`)
  await endOrphans(folder, folder)
  await sleep(50)
  expect(child.signalCode).toBe(ends ? 'SIGTERM' : null)
})

it('there is nothing to end where nothing was noted', async () => {
  await expect(endOrphans(await temporaryFolder(), '/')).resolves.toBe(undefined)
})
