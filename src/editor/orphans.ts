import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endGroup } from '../lib/process-group.ts'
import { errnoOf } from './file-state.ts'
import { identityOf, isSurely, leftOthers, type ProcessIdentity } from './process-identity.ts'

/** What SIGKILL has hit is gone within this time. */
const GONE_MS = 1000
const POLL_MS = 20

/** Notes the leader of a process group that works in the tree; at once, since the next moment may bring a `kill -9`. */
export function noteGroup(folder: string, leader: number): void {
  try {
    appendFileSync(groupsPath(folder), `${JSON.stringify(identityOf(leader))}\n`, { mode: 0o600 })
  } catch {
    // The command runs all the same; only an orphan of it would not be found.
  }
}

/** Ends the groups that outlived their run, which worked in `root`. One that is not surely the one noted is left alone. */
export async function endOrphans(folder: string, root: string): Promise<void> {
  const text = await readFile(groupsPath(folder), 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return ''
    throw error
  })
  const orphans = text
    .split('\n')
    .flatMap(parse)
    .filter((leader) => isSurely(leader) || leftOthers(leader, root))
  await Promise.all(
    orphans.map(async ({ pid }) => {
      await endGroup(pid)
      for (let waited = 0; waited < GONE_MS && groupExists(pid); waited += POLL_MS) await sleep(POLL_MS)
    }),
  )
}

/** The last line may be torn. */
function parse(line: string): ProcessIdentity[] {
  try {
    return [JSON.parse(line) as ProcessIdentity]
  } catch {
    return []
  }
}

function groupExists(leader: number): boolean {
  try {
    process.kill(-leader, 0)
    return true
  } catch {
    return false
  }
}

function groupsPath(folder: string): string {
  return join(folder, 'groups.jsonl')
}
