import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFile } from './blob-store.ts'
import { errnoOf, stampOf } from './file-state.ts'

/** How new content gets into its place. */
export interface Way {
  /** Overwrites the file itself, since a rename would lose its other hard links or its owner, or the folder is read-only. */
  readonly inPlace: boolean
  /** The name under which new content lies until it is renamed. */
  readonly temporary: string
}

/**
 * Chooses the way for the file at `absolute`; touches nothing. Without `keepLinks` a file with several hard links is
 * replaced, not overwritten: what the other names have stays theirs.
 */
export async function chooseWay(absolute: string, keepLinks = true): Promise<Way> {
  const temporary = join(dirname(absolute), `.goatfied-${randomBytes(9).toString('hex')}.tmp`)
  const stamp = await stampOf(absolute)
  if (!stamp?.isFile()) return { inPlace: false, temporary }
  const foreign = process.geteuid !== undefined && stamp.uid !== BigInt(process.geteuid())
  const writable = await access(dirname(absolute), constants.W_OK).then(
    () => true,
    () => false,
  )
  const alone = stamp.nlink < 2n
  return { inPlace: !writable || (alone ? foreign : keepLinks), temporary }
}

/** Puts a file there. Without `inPlace` a reader sees the former content or the new one, never a part. */
export async function placeFile(absolute: string, bytes: Uint8Array, mode: number, way: Way): Promise<void> {
  if (way.inPlace) return overwrite(absolute, bytes, mode)
  await viaTemporary(absolute, way.temporary, async () => {
    const handle = await open(way.temporary, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await keepGroup(handle, absolute)
      await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
  })
}

/** The group survives where the user may give it; else the file gets the group of any new one. */
async function keepGroup(handle: FileHandle, absolute: string): Promise<void> {
  const former = await stampOf(absolute)
  if (!former?.isFile()) return
  const present = await handle.stat()
  if (present.gid !== Number(former.gid)) await handle.chown(present.uid, Number(former.gid)).catch(() => undefined)
}

export async function placeLink(absolute: string, target: string, way: Way): Promise<void> {
  await viaTemporary(absolute, way.temporary, () => symlink(target, way.temporary))
}

async function viaTemporary(absolute: string, temporary: string, make: () => Promise<void>): Promise<void> {
  try {
    await make()
    await rename(temporary, absolute)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFile(dirname(absolute))
}

async function overwrite(absolute: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await openForWriting(absolute)
  try {
    let written = 0
    while (written < bytes.length)
      written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten
    await handle.truncate(bytes.length)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const present = await lstat(absolute)
  if ((present.mode & 0o7777) !== mode) await chmod(absolute, mode)
}

async function openForWriting(absolute: string): Promise<FileHandle> {
  try {
    return await open(absolute, 'r+')
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
    await chmod(absolute, ((await lstat(absolute)).mode & 0o7777) | 0o200)
    return open(absolute, 'r+')
  }
}

/** The directories above `absolute` that are missing, outermost first, down from `root`. */
export async function missingParents(root: string, absolute: string): Promise<string[]> {
  const missing: string[] = []
  for (
    let folder = dirname(absolute);
    folder !== root && (await stampOf(folder)) === undefined;
    folder = dirname(folder)
  )
    missing.unshift(folder)
  return missing
}

/** True when the folder above `absolute`, as far as it exists, is where it seems to be: no link leads out of it. */
export async function parentIsReal(absolute: string): Promise<boolean> {
  let folder = dirname(absolute)
  while ((await stampOf(folder)) === undefined) folder = dirname(folder)
  const real = await realpath(folder).catch(() => undefined)
  return real === folder && (await lstat(folder)).isDirectory()
}

export async function makeParents(absolute: string): Promise<void> {
  await mkdir(dirname(absolute), { recursive: true })
}

/** Removes a file or link; true when there was one. */
export async function removeFile(absolute: string): Promise<boolean> {
  try {
    await unlink(absolute)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
  await syncFile(dirname(absolute))
  return true
}

/** Removes the directory if it is there and empty. */
export async function removeIfEmpty(absolute: string): Promise<void> {
  try {
    await rmdir(absolute)
  } catch (error) {
    const code = errnoOf(error) ?? ''
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EINVAL'].includes(code)) throw error
  }
}

/**
 * Keeps what is at `absolute` in `folder` and gives the name of the copy; there is none of a link that stays, or that can't be
 * moved. `move` takes it away, else it stays.
 */
export async function displace(absolute: string, folder: string, move: boolean): Promise<string | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${randomBytes(4).toString('hex')}-${basename(absolute).slice(-80)}`
  const target = join(folder, name)
  const link = (await lstat(absolute)).isSymbolicLink()
  if (move) {
    try {
      await rename(absolute, target)
      await syncFile(dirname(absolute))
      return name
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error
    }
  }
  // A link's target is in the journal; copying it would copy what it points to.
  if (!link) {
    await copyFile(absolute, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    await syncFile(target)
  }
  if (move) await unlink(absolute)
  return link ? undefined : name
}
