import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from './file-state.ts'
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts'
import { treeKey } from './state-dir.ts'

/** Who works in a tree. `since` is an ISO date. */
export interface LockHolder extends ProcessIdentity {
  readonly runId: string
  readonly root: string
  readonly since: string
  readonly released?: true
}

export type TreeLock =
  | { readonly ok: true; release(): Promise<void> }
  | { readonly ok: false; readonly holder: LockHolder }

/**
 * One run at a time in one working tree (`root`: absolute, links resolved). A lock whose process is gone does not count.
 *
 * A lock is a numbered file; the highest number is the one that counts. Whoever links the next number has it, which only
 * one can; holding it is left by marking one's own file. So no file of a living holder is ever removed, and two that find
 * the same dead holder can't both follow it.
 */
export async function lockTree(stateDir: string, root: string, runId: string): Promise<TreeLock> {
  const folder = join(stateDir, 'locks', treeKey(root))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own: LockHolder = { ...ownIdentity(), runId, root, since: new Date().toISOString() }
  for (;;) {
    const last = Math.max(0, ...(await numbers(folder)))
    const holder = last === 0 ? undefined : await readHolder(join(folder, String(last)))
    if (holder !== undefined && holder.released !== true && isAlive(holder)) return { ok: false, holder }
    const mine = join(folder, String(last + 1))
    if (!(await claim(folder, mine, own))) continue
    const present = await numbers(folder)
    if (Math.max(...present) !== last + 1) {
      await rm(mine, { force: true })
      continue
    }
    for (const number of present) if (number <= last) await rm(join(folder, String(number)), { force: true })
    return { ok: true, release: () => put(folder, mine, { ...own, released: true }) }
  }
}

async function numbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Undefined for a file that is gone or that holds no lock: nobody's. */
async function readHolder(path: string): Promise<LockHolder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockHolder
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A link appears whole or not at all, and fails where there is one. */
async function claim(folder: string, path: string, holder: LockHolder): Promise<boolean> {
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}`)
  await writeFile(temporary, JSON.stringify(holder), { mode: 0o600 })
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

async function put(folder: string, path: string, holder: LockHolder): Promise<void> {
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}`)
  await writeFile(temporary, JSON.stringify(holder), { mode: 0o600 })
  await rename(temporary, path)
}
