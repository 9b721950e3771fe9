import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockTree } from './lock.ts'
import { isAlive, ownIdentity } from './process-identity.ts'
import { treeKey } from './state-dir.ts'
import { temporaryFolder } from './testing.ts'

describe('the lock of a tree', () => {
  it('has one holder, who is named to the second, and can be had again when released', async () => {
    const state = await temporaryFolder()
    const first = await lockTree(state, '/tree', 'run-1')
    const second = await lockTree(state, '/tree', 'run-2')
    const other = await lockTree(state, '/other', 'run-3')
    expect([first.ok, second, other.ok]).toEqual([
      true,
      {
        ok: false,
        holder: { ...ownIdentity(), runId: 'run-1', root: '/tree', since: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
      true,
    ])
    if (first.ok) await first.release()
    expect((await lockTree(state, '/tree', 'run-4')).ok).toBe(true)
  })

  it('goes to exactly one of many that come at once', async () => {
    const state = await temporaryFolder()
    const locks = await Promise.all(Array.from({ length: 12 }, (_, index) => lockTree(state, '/tree', `run-${index}`)))
    expect(locks.filter(({ ok }) => ok).length).toBe(1)
  })

  it.each([
    ['a process that is gone', async () => ({ ...ownIdentity(), pid: await endedPid() })],
    ['a process whose number was given again', async () => ({ ...ownIdentity(), started: 'earlier' })],
  ])('does not count when held by %s', async (_, holder) => {
    const state = await temporaryFolder()
    const folder = join(state, 'locks', treeKey('/tree'))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '3'), JSON.stringify({ ...(await holder()), runId: 'old', root: '/tree', since: '' }))
    const locks = await Promise.all([lockTree(state, '/tree', 'a'), lockTree(state, '/tree', 'b')])
    expect(locks.filter(({ ok }) => ok).length).toBe(1)
  })
})

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

describe('a process', () => {
  it('is told from one that ended', async () => {
    expect([isAlive(ownIdentity()), isAlive({ pid: await endedPid(), started: '' })]).toEqual([true, false])
  })
})
