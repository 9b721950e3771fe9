import type { BigIntStats } from 'node:fs'
import type { BlobStore } from './blob-store.ts'
import { type FileState, stampOf, UNKNOWN } from './file-state.ts'
import type { Fingerprints } from './uncovered.ts'

/** What is known of a file that git can give back: its permission bits, its size on disk and its inode. */
export interface CleanFile {
  readonly mode: number
  readonly size: number
  readonly inode: string
}

/** The state of the tree before a command of the repository's starts. Paths are relative to the root. */
export interface Picture {
  /** Milliseconds since the epoch. */
  readonly takenAt: number
  /** Files whose content git does not have; copies of them are kept. Outside of git: all files. */
  readonly files: ReadonlyMap<string, SeenFile>
  /** Files that are as the index has them. Empty outside of git. */
  readonly clean: ReadonlyMap<string, CleanFile>
  /** False when there were more files than are looked at: then nothing can be said to be new. */
  readonly complete: boolean
  /** A copy of the index as it was, absolute; absent outside of git. */
  readonly index?: string
  /** HEAD and its branch, as one text; absent outside of git. */
  readonly head?: string
  readonly submodules: readonly string[]
  /** Tracked paths that `git status` is silent about, whatever is there. */
  readonly hidden: readonly string[]
  /** What the run can't keep copies of. */
  readonly uncovered: Fingerprints
}

export interface SeenFile {
  /** Changes whenever the file does. */
  readonly stamp: string
  readonly state: FileState
}

/** Copies are bounded, so that a large output lying in the tree is not copied for every command. */
const MOST_BYTES_OF_FILE = 64 << 20
const MOST_BYTES = 512 << 20
/** A change within the clock's grain of the last look may leave the stamp as it was. */
const GRAIN_MS = 100

/** Looks at files, and keeps copies of those that have changed since it last looked at them. */
export class Album {
  private readonly seen = new Map<string, SeenFile>()
  private bytes = 0

  constructor(private readonly blobs: BlobStore) {}

  /** Undefined where nothing is. */
  async look(path: string, absolute: string): Promise<SeenFile | undefined> {
    const now = Date.now()
    const stats = await stampOf(absolute)
    if (stats === undefined) return undefined
    const known = this.seen.get(path)
    const stamp = stampText(stats)
    if (known?.stamp === stamp) return known
    const size = stats.isFile() ? Number(stats.size) : 0
    const fits = size <= MOST_BYTES_OF_FILE && this.bytes + size <= MOST_BYTES
    const state = fits ? await this.keep(absolute) : UNKNOWN
    this.bytes += fits ? size : 0
    const file = { stamp, state }
    if (Number(stats.ctimeMs) < now - GRAIN_MS) this.seen.set(path, file)
    return file
  }

  /** A file that can't be read can't be changed by the command either, unless it runs as somebody else. */
  private async keep(absolute: string): Promise<FileState> {
    return this.blobs.capture(absolute, { durable: false }).catch(() => UNKNOWN)
  }
}

/** True when the file was surely not changed since `picture` saw it. */
export function surelySame(stats: BigIntStats, seen: SeenFile, picture: Picture): boolean {
  return stampText(stats) === seen.stamp && Number(stats.ctimeMs) < picture.takenAt - GRAIN_MS
}

export function stampText(stats: BigIntStats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.mode}`
}

/** The inode that a file had, as far as the picture knows it. */
export function inodeIn(picture: Picture, path: string): string | undefined {
  return picture.files.get(path)?.stamp.split(':', 1)[0] ?? picture.clean.get(path)?.inode
}

/** As JSON, for a run that is killed while the command runs. */
export function pictureToJson(picture: Picture): string {
  return JSON.stringify({ ...picture, files: [...picture.files], clean: [...picture.clean] })
}

export function pictureFromJson(text: string): Picture {
  const parsed = JSON.parse(text) as {
    takenAt: number
    files: [string, SeenFile][]
    clean: [string, CleanFile][]
    complete: boolean
    index?: string
    head?: string
    submodules?: string[]
    hidden?: string[]
    uncovered?: Fingerprints
  }
  const { submodules = [], hidden = [], uncovered = {} } = parsed
  return {
    ...parsed,
    submodules,
    hidden,
    uncovered,
    files: new Map(parsed.files),
    clean: new Map(parsed.clean),
  }
}
