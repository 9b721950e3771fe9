import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../lib/hash.ts'
import type { FileState } from './file-state.ts'
import { inspect, permissions, stampOf } from './file-state.ts'

/** Raw bytes by their SHA-256, one file each. */
export class BlobStore {
  constructor(private readonly folder: string) {}

  /** Keeps the bytes; on stable storage when this resolves, unless `durable` is false. */
  async put(bytes: Uint8Array, durable = true): Promise<string> {
    const hash = sha256(bytes)
    const target = this.pathOf(hash)
    if (await exists(target)) {
      if (durable) await syncFile(target)
      return hash
    }
    await mkdir(this.folder, { recursive: true })
    const temporary = join(this.folder, `.${randomBytes(8).toString('hex')}`)
    try {
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        if (durable) await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, target)
      if (durable) await syncFile(this.folder)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    return hash
  }

  /** The state of what is at `absolute`, links not followed; the bytes of a file of at most `maxBytes` are kept. */
  async capture(absolute: string, options: { durable: boolean; maxBytes?: number }): Promise<FileState> {
    const stamp = await stampOf(absolute)
    if (!stamp?.isFile() || (options.maxBytes !== undefined && stamp.size > options.maxBytes)) return inspect(absolute)
    const bytes = await readFile(absolute)
    const hash = await this.put(bytes, options.durable)
    return { kind: 'file', mode: permissions(stamp), size: bytes.length, hash }
  }

  /** The bytes; throws when they were never kept or are not what they were. */
  async read(hash: string): Promise<Buffer> {
    const bytes = await readFile(this.pathOf(hash))
    if (sha256(bytes) !== hash) throw new Error(`the kept copy ${this.pathOf(hash)} is damaged`)
    return bytes
  }

  async has(hash: string): Promise<boolean> {
    return exists(this.pathOf(hash))
  }

  /** Brings bytes that were kept in haste to stable storage. */
  async settle(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) if (await this.has(hash)) await syncFile(this.pathOf(hash))
    if (hashes.length > 0) await syncFile(this.folder)
  }

  /** Where the bytes lie, if they were kept. */
  pathOf(hash: string): string {
    return join(this.folder, hash)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** fsync of a file or folder; a platform that can't sync a folder is left in peace. */
export async function syncFile(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (process.platform !== 'win32') throw error
  }
}
