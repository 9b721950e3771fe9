import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'

/** A process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in words of the platform's; empty where that can't be found out. */
  readonly started: string
}

export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid)
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startOf(pid) }
}

/** True only when the process lives and surely is that one. */
export function isSurely({ pid, started }: ProcessIdentity): boolean {
  return started !== '' && startOf(pid) === started
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

/**
 * True when the process is gone and others of the session and group that it led surely live on: they work in `folder`, since
 * later than its start. While there are any, no other process gets its number. Only Linux tells; false elsewhere.
 */
export function leftOthers({ pid, started }: ProcessIdentity, folder: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    const [boot, start] = started.split(':')
    const isGone = [undefined, 'Z'].includes(fieldsOf(pid)?.state)
    if (!isGone || start === undefined || boot !== bootId()) return false
    return readdirSync('/proc').some((name) => {
      const other = /^\d+$/.test(name) ? fieldsOf(Number(name)) : undefined
      if (other?.group !== pid || other.session !== pid || other.state === 'Z') return false
      return Number(other.start) >= Number(start) && worksIn(name, folder)
    })
  } catch {
    return false
  }
}

function worksIn(pid: string, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}${sep}`.startsWith(`${folder}${sep}`)
  } catch {
    return false
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** What Linux tells of a process; undefined when there is none. */
function fieldsOf(pid: number) {
  try {
    // The name, in brackets, may itself hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
    return { state: fields[0], group: Number(fields[2]), session: Number(fields[3]), start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const found = fieldsOf(pid)
      if (found === undefined) return ''
      return found.state === 'Z' ? 'ended' : `${bootId()}:${found.start}`
    }
    if (process.platform === 'win32') return ''
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000, env }).trim()
  } catch {
    return ''
  }
}
