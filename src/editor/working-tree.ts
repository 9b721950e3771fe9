import { readFile, readlink, realpath, rename } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { FileContent, WorkingTree } from '../core/ports.ts'
import { sha256 } from '../lib/hash.ts'
import { ABSENT, errnoOf, type FileState, sameState, stampOf } from './file-state.ts'
import { changesInPlace, noteAlias } from './hard-links.ts'
import type { Observer } from './observe.ts'
import { chooseWay, makeParents, missingParents, placeFile, removeFile } from './place.ts'
import { asFailure, type RunStore, refusal } from './run-store.ts'

const MOST_LINKS = 40

/** The run's way to change files: every change is announced in the journal, with the former bytes, before it is made. */
export class JournalledTree implements WorkingTree {
  constructor(
    private readonly store: RunStore,
    private readonly observer: Observer,
  ) {}

  async read(path: string): Promise<FileContent | undefined> {
    try {
      const target = await this.locate(path, 'target')
      if (!(await stampOf(target))?.isFile()) return undefined
      const bytes = await readFile(target)
      return { bytes, hash: sha256(bytes) }
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw asFailure(error)
    }
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return this.exclusively(async () => {
      const absolute = await this.locate(path, 'target')
      const before = await this.former(absolute)
      const mode = before.kind === 'file' ? before.mode : 0o666 & ~process.umask()
      const after: FileState = { kind: 'file', mode, size: bytes.length, hash: sha256(bytes) }
      if (sameState(before, after)) return
      await this.store.blobs.put(bytes, false)
      const way = await chooseWay(absolute)
      const name = this.store.relative(absolute)
      await this.store.change(
        {
          origin: 'editor',
          ...(way.inPlace
            ? await changesInPlace(this.store, name, before, after)
            : { changes: [{ path: name, before, after }] }),
          directories: await this.newDirectories(absolute),
          temporaries: way.inPlace ? [] : [this.store.relative(way.temporary)],
        },
        async () => {
          await makeParents(absolute)
          await placeFile(absolute, bytes, mode, way)
        },
      )
    })
  }

  remove(path: string): Promise<void> {
    return this.exclusively(async () => {
      const absolute = await this.locate(path, 'link')
      const before = await this.former(absolute)
      if (before.kind === 'absent') return
      await this.store.change(
        {
          origin: 'editor',
          changes: [{ path: this.store.relative(absolute), before, after: ABSENT }],
          directories: [],
          temporaries: [],
        },
        async () => {
          await removeFile(absolute)
        },
      )
    })
  }

  move(from: string, to: string): Promise<void> {
    return this.exclusively(async () => {
      const source = await this.locate(from, 'link')
      const target = await this.locate(to, 'link')
      if (source === target) return
      const before = await this.former(source)
      if (before.kind === 'absent') throw refusal('ENOENT', `there is no ${from} to move`)
      const renamesCase = await sameFile(source, target)
      const replaced = renamesCase ? ABSENT : await this.former(target)
      await this.store.change(
        {
          origin: 'editor',
          changes: [
            { path: this.store.relative(source), before, after: ABSENT },
            { path: this.store.relative(target), before: replaced, after: before },
          ],
          directories: await this.newDirectories(target),
          temporaries: [],
        },
        async () => {
          await makeParents(target)
          await rename(source, target)
          // Renaming one hard link of a file over another does nothing.
          if (!renamesCase) await removeFile(source)
        },
      )
    })
  }

  observe<T>(
    created: 'ours' | 'kept',
    run: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly changed: readonly string[] }> {
    return this.observer.observe(created, run)
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.store.exclusively(async () => {
      try {
        return await work()
      } catch (error) {
        throw asFailure(error)
      }
    })
  }

  /** The state before a change, its bytes on stable storage. */
  private async former(absolute: string): Promise<FileState> {
    await noteAlias(this.store, this.store.relative(absolute))
    const state = await this.store.blobs.capture(absolute, { durable: true })
    if (state.kind === 'other') throw refusal('EISDIR', `${this.store.relative(absolute)} is not a file`)
    return state
  }

  private async newDirectories(absolute: string): Promise<string[]> {
    const missing = await missingParents(this.store.root, absolute)
    const lowest = dirname(missing[0] ?? absolute)
    if (!(await stampOf(lowest))?.isDirectory())
      throw refusal('ENOTDIR', `${this.store.relative(lowest)} is not a folder`)
    return missing.map((folder) => this.store.relative(folder))
  }

  /**
   * The real place of a path: links in its folders resolved, its last name too when `end` is `target`. The caller has
   * confined the path; that it stays inside of the root and outside of `.git` is checked again, since a link may have
   * been made meanwhile.
   */
  private async locate(path: string, end: 'target' | 'link'): Promise<string> {
    let absolute = await realParent(this.store.absolute(path))
    for (let links = 0; end === 'target' && (await stampOf(absolute))?.isSymbolicLink(); links++) {
      if (links === MOST_LINKS) throw refusal('ELOOP', `${path} is a link that leads back to itself`)
      absolute = await realParent(resolve(dirname(absolute), await readlink(absolute)))
    }
    const inside = relative(this.store.root, absolute)
    const parts = inside.split(/[\\/]/)
    if (inside === '' || isAbsolute(inside) || parts[0] === '..')
      throw refusal('EACCES', `${path} lies outside of the repository`)
    if (parts.some((part) => part.toLowerCase() === '.git'))
      throw refusal('EACCES', `${path} lies inside of a git directory`)
    return absolute
  }
}

/** The path with the links in its folders resolved, as far as these exist. */
async function realParent(absolute: string): Promise<string> {
  const missing: string[] = []
  let folder = dirname(absolute)
  const name = absolute.slice(folder.length).replace(/^[\\/]/, '')
  for (;;) {
    try {
      return join(await realpath(folder), ...missing, name)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
      missing.unshift(folder.slice(dirname(folder).length).replace(/^[\\/]/, ''))
      folder = dirname(folder)
    }
  }
}

/** Two names of one directory entry, as on a file system that does not tell letter case apart. */
async function sameFile(a: string, b: string): Promise<boolean> {
  if (a.toLowerCase() !== b.toLowerCase()) return false
  const [first, second] = [await stampOf(a), await stampOf(b)]
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev
}
