// Measures programs for the benches: processor time of a child and what it started, resident memory, a table of the results.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export const BIN = path.join(import.meta.dirname, '../../bin/goatfied.js')

/**
 * `cpuMs` is user and system time of the process, all of its threads, and of those children that it has waited for: a git call
 * that is over counts, a check that is still running does not.
 * @typedef {{ cpuMs: number, wallMs: number, exitCode: number, rssBytes?: number }} Measure
 */
/** @typedef {{ pid: () => number, stop: () => void }} Child the Node process that is measured; `stop` notes its memory and ends it */

/** Node below a shell that reports the processor time of its children, to the millisecond, however they ended. */
const SCRIPT =
  'node_bin=$1 state=$2; shift 2; "$node_bin" "$@" <&0 & echo $! >"$state/pid"; wait $!; echo $? >"$state/code"; times >"$state/times"'

/**
 * Runs Node and gives what it used.
 * @param {readonly string[]} args of Node
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, started?: (child: Child) => void, terminal?: (child: Child) => (data: string) => void }} options
 *   `terminal`: it runs in a pseudo-terminal, and what it prints goes to the function that this gives
 * @returns {Promise<Measure>}
 */
export async function measure(args, { cwd, env, started, terminal }) {
  const state = mkdtempSync(path.join(os.tmpdir(), 'goatfied-measure-'))
  const command = ['-c', SCRIPT, 'measure', process.execPath, state, ...args]
  /** @type {number | undefined} */
  let rssBytes
  const pid = () => Number(readFileSync(path.join(state, 'pid'), 'utf8'))
  const stop = () => {
    // At once, since what it goes on to do while `ps` runs is not to be measured.
    process.kill(pid(), 'SIGSTOP')
    rssBytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid())], { encoding: 'utf8' })) * 1024
    process.kill(pid(), 'SIGKILL')
  }
  try {
    const begun = performance.now()
    if (terminal === undefined) {
      const child = spawn('bash', command, { cwd, env, stdio: ['ignore', 'ignore', 'ignore'] })
      started?.({ pid, stop })
      await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject))
    } else {
      const { spawn: spawnInTerminal } = await import('@lydell/node-pty')
      const child = spawnInTerminal('bash', command, { cwd, env, cols: 100, rows: 30 })
      child.onData(terminal({ pid, stop }))
      await new Promise((resolve) => child.onExit(resolve))
    }
    const wallMs = performance.now() - begun
    const [, children = ''] = readFileSync(path.join(state, 'times'), 'utf8').split('\n')
    let cpuMs = 0
    for (const [, minutes, seconds] of children.matchAll(/(\d+)m([\d.]+)s/g)) {
      cpuMs += Number(minutes) * 60_000 + Number(seconds) * 1_000
    }
    const exitCode = Number(readFileSync(path.join(state, 'code'), 'utf8'))
    return { cpuMs, wallMs, exitCode, ...(rssBytes === undefined ? {} : { rssBytes }) }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

/**
 * A repository with a file of `lines` lines, a test and one commit, and an environment in which neither the user's settings nor keys count.
 * @param {number} lines
 */
export function makeRepository(lines) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'goatfied-bench-'))
  const root = path.join(base, 'repository')
  mkdirSync(root)
  mkdirSync(path.join(base, 'home'))
  const file = Array.from({ length: lines }, (_, index) => `export const value${index} = ${index}\n`).join('')
  writeFileSync(path.join(root, 'values.js'), file)
  const manifest = { name: 'bench', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }
  writeFileSync(path.join(root, 'package.json'), JSON.stringify(manifest))
  // It sleeps, so that the baseline is going on and not ended when the first request comes: its cost is not ours.
  const test =
    "import test from 'node:test'\nimport { setTimeout } from 'node:timers/promises'\ntest('a', () => setTimeout(1_500))\n"
  writeFileSync(path.join(root, 'values.test.js'), test)
  const { PATH, TMPDIR } = process.env
  const identity = {
    GIT_AUTHOR_NAME: 'b',
    GIT_AUTHOR_EMAIL: 'b@b.test',
    GIT_COMMITTER_NAME: 'b',
    GIT_COMMITTER_EMAIL: 'b@b.test',
  }
  const env = {
    PATH,
    TMPDIR,
    HOME: path.join(base, 'home'),
    TERM: 'xterm-256color',
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_API_KEY: 'bench-key',
  }
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'one'],
  ]) {
    execFileSync('git', args, { cwd: root, env: { ...env, ...identity } })
  }
  return { root, env, remove: () => rmSync(base, { recursive: true, force: true }) }
}

/** @param {readonly number[]} values */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return { minimum: sorted[0] ?? Number.NaN, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN }
}

/**
 * Prints rows of text in columns, the first to the left, the others to the right.
 * @param {readonly (readonly string[])[]} rows
 */
export function printTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    process.stdout.write(`${cells.join('  ')}\n`)
  }
}
