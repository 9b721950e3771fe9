import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in words of the platform's; empty where that can't be found out. */
  readonly started: string
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) }
}

/** True while the process exists; where its start can't be compared, a process of that number counts as it. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && sameStart(startOf(pid), started)
  }
  return sameStart(startOf(pid), started)
}

function sameStart(present: string, then: string): boolean {
  return present === '' || then === '' || present === then
}

function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      // The name, in brackets, may itself hold blanks and brackets; the start is the 20th field after it.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
      if (fields[0] === 'Z') return 'ended'
      return `${boot}:${fields[19] ?? ''}`
    }
    if (process.platform === 'win32') return ''
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000, env }).trim()
  } catch {
    return ''
  }
}
