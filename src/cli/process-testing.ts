import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { StampedEvent } from '../core/event.ts'
import { type Files, git, PROJECT } from './testing.ts'

/** Whether processes that hold on to it are alive: each has a connection, which goes with the process whatever ends it. */
export interface Lifeline {
  readonly env: Readonly<Record<string, string>>
  /** Resolves when so many processes hold on. */
  held(count: number): Promise<void>
  /** Resolves when none does any more. */
  free(): Promise<void>
}

export async function lifeline(): Promise<Lifeline> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket)
        server.emit('change')
      })
    server.emit('change')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (holds()) resolve()
      }
      server.on('change', look)
      look()
    })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    env: { LIFELINE: String(port) },
    held: (count) => until(() => sockets.size >= count),
    free: () => until(() => sockets.size === 0),
  }
}

/**
 * The project with one more test, which sleeps once `add` has been mended, and so does a child of its that ignores
 * SIGTERM; both hold on to the lifeline and end with it.
 */
export const SLEEPING_PROJECT: Files = {
  ...PROJECT,
  'test/slow.test.js': `import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import net from 'node:net'
test('is slow once the change is made', async () => {
  if (!readFileSync(new URL('../src/math.js', import.meta.url), 'utf8').includes('a + b')) return
  const child = "process.on('SIGTERM', () => {}); require('node:net').connect(+process.env.LIFELINE).resume()"
  spawn(process.execPath, ['-e', child], { stdio: 'ignore' })
  await new Promise((resolve) => net.connect(+process.env.LIFELINE).resume().on('close', resolve))
})
`,
}

/** Processes with that variable in their environment, as far as the system tells (Linux). */
export function processesWith(name: string, value: string): readonly string[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${name}=${value}`)
    } catch {
      // It ended meanwhile, or is another user's.
      return false
    }
  })
}

/** The events in the logs of all runs in a repository, run by run, oldest first. */
export function runLogs(root: string): readonly (readonly StampedEvent[])[] {
  const runs = path.resolve(root, git(root, 'rev-parse', '--git-common-dir').trim(), 'goatfied/runs')
  const names = existsSync(runs) ? readdirSync(runs).sort() : []
  return names.flatMap((name) => {
    const log = path.join(runs, name, 'log.jsonl')
    if (!existsSync(log)) return []
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(1)
    return [lines.map((line) => JSON.parse(line) as StampedEvent)]
  })
}
