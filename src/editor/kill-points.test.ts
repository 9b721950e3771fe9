import { execFileSync, spawnSync } from 'node:child_process'
import { link as hardLink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { cases, git, gitStateOf, link, put, repository, temporaryFolder, treeOf } from './testing.ts'

/** Takes a snapshot, edits, runs a command, rolls back, edits again; or gives back what it finds interrupted; or undoes. */
const CHILD = `
import { rmSync, writeFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openEditor, restoreInterrupted } from './recovery.ts'
import { findInterrupted, findRun } from './run-folders.ts'
import { locateState } from './state-dir.ts'
import { undoRun } from './undo.ts'

const [root, what] = process.argv.slice(2)
const location = await locateState(root)
if (what === 'recover') {
  for (const run of await findInterrupted(location.stateDir)) console.log(JSON.stringify(await restoreInterrupted(run)))
} else if (what === 'undo') {
  const run = await findRun(location.stateDir, 'run-1')
  console.log(JSON.stringify(await undoRun(run, { since: undefined, underGit: true })))
} else {
  const { tree, snapshots, close } = await openEditor({ ...location, runId: 'run-1' })
  await snapshots.take('first')
  await tree.write('a.ts', Buffer.from('edited'))
  const second = await snapshots.take('second')
  await tree.write('one.ts', Buffer.from('through a link'))
  await tree.write('made/deep/new.ts', Buffer.from('new'))
  await tree.move('dir/c.ts', 'moved/c.ts')
  await tree.remove('b.ts')
  await tree.observe('ours', async () => {
    writeFileSync(join(root, 'a.ts'), 'command')
    rmSync(join(root, 'l.ts'))
    renameSync(join(root, 'moved/c.ts'), join(root, 'by-command.ts'))
  })
  if (what === 'roll back') await snapshots.restore(second)
  await tree.write('untracked.ts', Buffer.from('last'))
  if (what === 'finish') await close()
}
`

/** Kills the process before its n-th call that writes to the file system; without a number it counts them. */
const COUNTER = `
const fs = process.getBuiltinModule('node:fs')
const { syncBuiltinESMExports } = process.getBuiltinModule('node:module')
const last = Number(process.env.KILL_AT)
let count = 0
const hit = () => {
  if (++count === last) process.kill(process.pid, 'SIGKILL')
}
const counting = (call) => function (...args) {
  hit()
  return call.apply(this, args)
}
const WRITES = ['appendFile', 'chmod', 'copyFile', 'link', 'mkdir', 'rename', 'rm', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes', 'writeFile']
for (const name of WRITES) {
  fs.promises[name] = counting(fs.promises[name])
  fs[name + 'Sync'] = counting(fs[name + 'Sync'])
}
const handle = Object.getPrototypeOf(await fs.promises.open(process.execPath, 'r').then(async (one) => (await one.close(), one)))
for (const name of ['appendFile', 'chmod', 'sync', 'truncate', 'write', 'writeFile']) handle[name] = counting(handle[name])
syncBuiltinESMExports()
process.on('exit', () => { if (!last) process.stderr.write('writes ' + count) })
`

let bundle = ''
beforeAll(async () => {
  const result = await build({
    stdin: { contents: CHILD, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    write: false,
  })
  bundle = result.outputFiles[0]?.text ?? ''
})

type What = 'edit' | 'roll back' | 'finish' | 'recover' | 'undo'

interface Bed {
  /** A fresh copy of the tree, dirty in many ways. */
  copy(): Promise<string>
  /** Plays that part in the tree and is killed at that write, counted from 1. Gives what it printed, and the writes if it ends. */
  play(root: string, what: What, killAt?: number): { readonly printed: readonly string[]; readonly writes: number }
}

async function bed(): Promise<Bed> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'child.mjs'), bundle)
  await writeFile(join(folder, 'counter.mjs'), COUNTER)
  const template = await repository({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'dir/c.ts': 'c\n', 'one.ts': 'one\n' })
  await put(template, 'b.ts', 'staged\n')
  git(template, 'add', 'b.ts')
  await put(template, 'b.ts', 'changed\r\n', 0o600)
  await put(template, 'untracked.ts', 'u', 0o755)
  await link(template, 'l.ts', 'a.ts')
  await hardLink(join(template, 'one.ts'), join(template, 'two.ts'))
  let copies = 0
  return {
    async copy() {
      const root = join(folder, `copy-${++copies}`)
      execFileSync('cp', ['-a', template, root])
      // A copy has other inodes, which git looks at anew.
      git(root, 'status')
      return root
    },
    play(root, what, killAt) {
      const env = { ...process.env, KILL_AT: String(killAt ?? 0) }
      const args = ['--import', join(folder, 'counter.mjs'), join(folder, 'child.mjs'), root, what]
      const { stdout, stderr, signal, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
      if (signal !== 'SIGKILL' && status !== 0) throw new Error(`${what} ended with ${status}: ${stderr}`)
      const printed = stdout.split('\n').filter((text) => text !== '')
      return { printed, writes: Number(/writes (\d+)/.exec(stderr)?.[1] ?? 0) }
    },
  }
}

/** All of the points, or so many of them, evenly. */
function pointsOf(writes: number): number[] {
  const most = Math.min(writes, cases(6))
  return Array.from({ length: most }, (_, index) => 1 + Math.round((index * (writes - 1)) / Math.max(1, most - 1)))
}

const stateOf = async (root: string) => ({ tree: await treeOf(root), git: gitStateOf(root) })
const conflictsIn = (printed: readonly string[]) => printed.map((text) => JSON.parse(text).conflicts)

describe('death at any write', () => {
  it.each<What>(['edit', 'roll back'])(
    'of a run (%s) is made good by the next start, told once',
    async (what) => {
      const { copy, play } = await bed()
      const { writes } = play(await copy(), what)
      expect(writes).toBeGreaterThan(50)
      for (const point of pointsOf(writes)) {
        const root = await copy()
        const before = await stateOf(root)
        play(root, what, point)
        const { printed } = play(root, 'recover')
        const told = conflictsIn(printed)
        expect({ point, told, again: play(root, 'recover').printed, ...(await stateOf(root)) }).toEqual({
          point,
          told: told.length === 0 ? [] : [[]],
          again: [],
          ...before,
        })
      }
    },
    600_000,
  )

  it('of the recovery is made good by the start after it', async () => {
    const { copy, play } = await bed()
    const whole = await copy()
    play(whole, 'edit')
    const { writes } = play(whole, 'recover')
    expect(writes).toBeGreaterThan(10)
    for (const point of pointsOf(writes)) {
      const root = await copy()
      const before = await stateOf(root)
      play(root, 'edit')
      play(root, 'recover', point)
      const { printed } = play(root, 'recover')
      expect({ point, told: conflictsIn(printed).flat(), ...(await stateOf(root)) }).toEqual({
        point,
        told: [],
        ...before,
      })
    }
  }, 600_000)

  it('of an undo is made good by the same undo', async () => {
    const { copy, play } = await bed()
    const whole = await copy()
    play(whole, 'finish')
    const { writes } = play(whole, 'undo')
    expect(writes).toBeGreaterThan(10)
    for (const point of pointsOf(writes)) {
      const root = await copy()
      const before = await stateOf(root)
      play(root, 'finish')
      play(root, 'undo', point)
      const left = play(root, 'undo').printed.map((text) => JSON.parse(text).left)
      expect({ point, left, ...(await stateOf(root)) }).toEqual({ point, left: [[]], ...before })
    }
  }, 600_000)
})
