import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a group has between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 900
/** How long the system may take to end what it was told to kill, in milliseconds. */
const KILL_MS = 500
const POLL_MS = 20

const live = new Set<number>()
const listening = new AsyncLocalStorage<(leader: number) => void>()

/**
 * Tells `listener` the leader of every group that starts within `run`, in the same turn in which it starts: whoever is to
 * end the groups after a `kill -9` of this process can note them.
 */
export function tellingGroups<T>(listener: (leader: number) => void, run: () => Promise<T>): Promise<T> {
  return listening.run(listener, run)
}

/** Notes a group's leader, so that the group dies with this process whatever ends it. */
export function watchGroup(leader: number): void {
  listening.getStore()?.(leader)
  if (live.size === 0) process.once('exit', killLiveGroups)
  live.add(leader)
}

export function unwatchGroup(leader: number): void {
  live.delete(leader)
  if (live.size === 0) process.off('exit', killLiveGroups)
}

/** Ends every process of the group: asks first, then forces. Resolves when none is left. */
export async function endGroup(leader: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM') || (await isGone(leader, GRACE_MS))) return
  signalGroup(leader, 'SIGKILL')
  await isGone(leader, KILL_MS)
}

async function isGone(leader: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += POLL_MS) {
    await sleep(POLL_MS)
    if (!signalGroup(leader, 0)) return true
  }
  return false
}

function killLiveGroups(): void {
  for (const leader of live) signalGroup(leader, 'SIGKILL')
}

/** False when the group has no process any more. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') return signalTree(leader, signal)
  try {
    process.kill(-leader, signal)
    return true
  } catch {
    // macOS answers EPERM for a group of which only zombies are left.
    return false
  }
}

/** Windows has no process groups; `taskkill /T` follows the tree of parents. */
function signalTree(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(leader, 0)
  } catch {
    return false
  }
  if (signal !== 0) spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {})
  return true
}
