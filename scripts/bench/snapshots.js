// What a snapshot and a restore cost beside git's own status and stash, in one run. Options: --files <n>, --rounds <n>, --json.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { printTable, summary } from './measure.js'

const ROOT = path.join(import.meta.dirname, '../..')
const FILES_A_FOLDER = 100
const DIRTY = 100
const UNTRACKED = 20
const RESTORED = 10
const BULK_BYTES = 1 << 30

const { values: options } = parseArgs({
  options: {
    files: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '7' },
    json: { type: 'boolean' },
  },
})

/** @param {string} root @param {number} n */
const folderOf = (root, n) => path.join(root, `folder${Math.floor(n / FILES_A_FOLDER)}`)
/** @param {string} root @param {number} n */
const fileOf = (root, n) => path.join(folderOf(root, n), `file${n % FILES_A_FOLDER}.js`)
/** @param {number} n @param {number} count @param {number} files */
const spread = (n, count, files) => Math.floor((n * files) / count)

// Neither the user's configuration nor the machine's may decide what is measured.
Object.assign(process.env, { GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' })
const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'goatfied-bench-snapshots-')))
try {
  const root = makeTree(Number(options.files))
  const editor = await openEditor(root)
  report(await measure(root, editor, Number(options.rounds)))
  await editor.close()
} finally {
  rmSync(base, { recursive: true, force: true })
}

/** @param {string} root @param {readonly string[]} args */
function git(root, ...args) {
  const identity = ['-c', 'user.name=b', '-c', 'user.email=b@b.test']
  return execFileSync('git', [...identity, ...args], {
    cwd: root,
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** A committed tree with changed and untracked files. @param {number} files */
function makeTree(files) {
  const root = path.join(base, 'repository')
  for (let n = 0; n < files; n++) {
    if (n % FILES_A_FOLDER === 0) mkdirSync(folderOf(root, n), { recursive: true })
    writeFileSync(fileOf(root, n), `export const value${n} = ${n}\n`.repeat(10))
  }
  writeFileSync(path.join(root, '.gitignore'), 'ignored.bin\n')
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'one')
  for (let n = 0; n < DIRTY; n++) appendFileSync(fileOf(root, spread(n, DIRTY, files)), '// changed\n')
  for (let n = 0; n < UNTRACKED; n++)
    writeFileSync(path.join(folderOf(root, spread(n, UNTRACKED, files)), 'untracked.js'), 'untracked\n')
  return root
}

/** @param {string} root @returns {Promise<import('../../src/editor/recovery.ts').Editor>} */
async function openEditor(root) {
  const file = path.join(base, 'editor.mjs')
  await build({
    stdin: {
      contents: "export { openEditor } from './recovery.ts'; export { locateState } from './state-dir.ts'",
      resolveDir: path.join(ROOT, 'src/editor'),
      loader: 'ts',
    },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  const editor = await import(pathToFileURL(file).href)
  return editor.openEditor({ ...(await editor.locateState(root)), runId: 'bench' })
}

/** @typedef {'status' | 'snapshot' | 'restore' | 'stash' | 'bulkStatus' | 'bulkSnapshot'} Case */

/** @param {string} root @param {import('../../src/editor/recovery.ts').Editor} editor @param {number} rounds */
async function measure(root, { tree, snapshots }, rounds) {
  /** @type {Record<Case, number[]>} */
  const times = { status: [], snapshot: [], restore: [], stash: [], bulkStatus: [], bulkSnapshot: [] }
  /** @template T @param {Case} name @param {() => T | Promise<T>} work */
  const timed = async (name, work) => {
    const begun = performance.now()
    const value = await work()
    times[name].push(performance.now() - begun)
    return value
  }
  const files = Number(options.files)
  let limitation
  // Interleaved, so that whatever else the machine does meets all cases alike.
  for (let round = 0; round < rounds; round++) {
    // Brings the index up to date, which git does for itself in every status.
    git(root, 'status', '--porcelain')
    await timed('status', () => git(root, 'status', '--porcelain', '--untracked-files=all'))
    const snapshot = await timed('snapshot', () => snapshots.take(`round ${round}`))
    if (snapshot.ref === undefined) throw new Error(snapshot.limitation)
    for (let n = 0; n < RESTORED; n++) {
      const name = path.relative(root, fileOf(root, spread(n, RESTORED, files)))
      await tree.write(name, Buffer.from(`export const edited = ${round}\n`))
    }
    const { restored } = await timed('restore', () => snapshots.restore(snapshot))
    if (restored.length !== RESTORED) throw new Error(`restored ${restored.length} files`)
    await timed('stash', () => {
      git(root, 'stash', 'push', '-q', '-u')
      git(root, 'stash', 'pop', '-q', '--index')
    })
    const bulk = ['untracked.bin', 'ignored.bin'].map((name) => path.join(root, name))
    for (const file of bulk) {
      writeFileSync(file, '')
      truncateSync(file, BULK_BYTES)
    }
    git(root, 'status', '--porcelain')
    await timed('bulkStatus', () => git(root, 'status', '--porcelain', '--untracked-files=all'))
    limitation = (await timed('bulkSnapshot', () => snapshots.take(`bulk ${round}`))).limitation
    for (const file of bulk) rmSync(file)
  }
  return { times, limitation }
}

/** @param {{ times: Record<Case, number[]>, limitation: string | undefined }} measured */
function report({ times, limitation }) {
  const least = (/** @type {Case} */ name) => summary(times[name]).minimum
  const ratios = {
    snapshotToStatus: least('snapshot') / least('status'),
    bulkSnapshotToStatus: least('bulkSnapshot') / least('bulkStatus'),
    restoreOverStatusMs: least('restore') - least('status'),
    stashToBoth: least('stash') / (least('snapshot') + least('restore')),
  }
  if (options.json) {
    const figures = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, summary(values)]))
    const { files, rounds } = options
    const all = {
      files: Number(files),
      rounds: Number(rounds),
      ms: figures,
      ...ratios,
      limitation,
      node: process.version,
    }
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    return
  }
  printTable([
    [`${options.files} files, ${DIRTY} changed, ${UNTRACKED} untracked`, 'least', 'median'],
    row('git status', times.status),
    row('snapshot', times.snapshot),
    row(`restore of ${RESTORED} files`, times.restore),
    row('git stash push -u, pop --index', times.stash),
    row('git status, 2 GB more', times.bulkStatus),
    row('snapshot, 2 GB more', times.bulkSnapshot),
  ])
  process.stdout.write(
    [
      `snapshot: ${ratios.snapshotToStatus.toFixed(2)} x git status, ${ratios.bulkSnapshotToStatus.toFixed(2)} x with 2 GB more (${limitation})`,
      `restore: ${ratios.restoreOverStatusMs.toFixed(0)} ms over git status`,
      `stash: ${ratios.stashToBoth.toFixed(1)} x snapshot and restore`,
      '',
    ].join('\n'),
  )
}

/** @param {string} name @param {readonly number[]} values */
function row(name, values) {
  const { minimum, median } = summary(values)
  return [name, `${minimum.toFixed(0)} ms`, `${median.toFixed(0)} ms`]
}
