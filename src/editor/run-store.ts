import { mkdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { FailureError } from '../core/failure.ts'
import { BlobStore } from './blob-store.ts'
import { errnoOf, type FileState, inspect, sameState } from './file-state.ts'
import { History } from './history.ts'
import { type Change, type ChangeLine, Journal, type JournalLine } from './journal.ts'
import { displace, placeFile, placeLink, removeFile, removeIfEmpty, type Way } from './place.ts'

/** The memory of one run: journal, former bytes and what follows from them. Paths are relative to the root, with `/`. */
export class RunStore {
  private queue: Promise<unknown> = Promise.resolve()

  private constructor(
    /** Absolute, links resolved. */
    readonly root: string,
    /** The run's folder for the editor. */
    readonly folder: string,
    readonly blobs: BlobStore,
    readonly history: History,
    private readonly journal: Journal,
  ) {}

  /** Opens the folder of a new run, or of one that was interrupted. */
  static async open(folder: string, root: string): Promise<RunStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { journal, lines } = await Journal.open(journalPath(folder))
    const history = new History()
    for (const line of lines) history.add(line)
    return new RunStore(root, folder, new BlobStore(join(folder, 'blobs')), history, journal)
  }

  absolute(path: string): string {
    return join(this.root, ...path.split('/'))
  }

  relative(absolute: string): string {
    return relative(this.root, absolute).split(sep).join('/')
  }

  /** True for the journal's own names, which no report shows. */
  isOwn(path: string): boolean {
    return isOwn(this.root, this.folder, path)
  }

  /** One at a time, in the order of the calls. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work)
    this.queue = result.catch(() => undefined)
    return result
  }

  /** Appends a line that announces nothing. */
  async record(line: JournalLine, durable = true): Promise<number> {
    const index = await this.journal.append(line, durable)
    this.history.add(line)
    return index
  }

  /**
   * Announces a change, then makes it. When `perform` throws and left everything as it was, the announcement is void;
   * else it stays open, so that a restore knows of what may be half done. The error is passed on as a `FailureError`.
   */
  async change(line: Omit<ChangeLine, 'type'>, perform: () => Promise<void>): Promise<void> {
    const index = await this.record({ type: 'change', ...line })
    try {
      await perform()
    } catch (error) {
      if (await this.untouched(line.changes)) {
        for (const directory of [...line.directories].reverse()) await removeIfEmpty(this.absolute(directory))
        await this.record({ type: 'void', line: index }, false)
      }
      throw asFailure(error)
    }
    await this.record({ type: 'done', line: index }, false)
  }

  private async untouched(changes: readonly Change[]): Promise<boolean> {
    for (const { path, before } of changes) {
      const present = await inspect(this.absolute(path)).catch(() => undefined)
      if (present === undefined || !sameState(present, before)) return false
    }
    return true
  }

  /** Puts a kept state in its place. `keepPresent` first saves what is there to the run folder; gives the copy's path. */
  async put(path: string, state: FileState, way: Way, keepPresent: boolean): Promise<string | undefined> {
    const absolute = this.absolute(path)
    const present = await inspect(absolute)
    const save = keepPresent && present.kind !== 'absent'
    const kept = save ? await this.displace(path, state.kind === 'absent') : undefined
    if (state.kind === 'absent') await removeFile(absolute)
    else if (state.kind === 'link') await placeLink(absolute, state.target, way)
    else if (state.kind === 'file') {
      const bytes = await this.blobs.read(state.hash)
      const inPlace = way.inPlace && present.kind === 'file'
      await placeFile(absolute, bytes, state.mode, { ...way, inPlace })
    }
    return kept
  }

  private async displace(path: string, move: boolean): Promise<string | undefined> {
    const file = await displace(this.absolute(path), join(this.folder, 'displaced'), move)
    if (file === undefined) return undefined
    await this.record({ type: 'displaced', path, file }, false)
    return this.displacedPath(file)
  }

  displacedPath(file: string): string {
    return join(this.folder, 'displaced', file)
  }

  async close(): Promise<void> {
    await this.exclusively(() => this.journal.close())
  }
}

/** Whether a path, relative to the root, lies in the run's folder. */
export function isOwn(root: string, folder: string, path: string): boolean {
  return join(root, path).startsWith(join(folder, sep))
}

export function journalPath(folder: string): string {
  return join(folder, 'journal.jsonl')
}

/** What was asked for can't be done in this tree, ever: in words, and with the code of the file system for its like. */
export function refusal(code: 'EACCES' | 'EISDIR' | 'ELOOP' | 'ENOENT' | 'ENOTDIR', reason: string): Error {
  return Object.assign(new Error(reason), { code })
}

/** Any error of the file system's as a failure that says what, where. A defect of ours stays what it is. */
export function asFailure(error: unknown): unknown {
  const code = errnoOf(error)
  if (code === undefined || !TRANSIENT.has(code) || !(error instanceof Error)) return error
  return new FailureError({ kind: 'io.transient', reason: error.message }, error.message)
}

/** What may pass by itself. Whatever else the file system refuses (no permission, a name too long) it refuses again. */
const TRANSIENT = new Set([
  'EBUSY',
  'ETXTBSY',
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EINTR',
  'EIO',
  'ETIMEDOUT',
  'ESTALE',
])
