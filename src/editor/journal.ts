import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFile } from './blob-store.ts'
import type { FileState } from './file-state.ts'

/** Who makes a change: the run's own edits, a command of the model's, a check of the repository's, or a restore. */
export type Origin = 'editor' | 'command' | 'check' | 'restore'

/**
 * One path, before and after. `inPlace`: the file keeps its inode, its bytes are overwritten. So its other hard links
 * change with it, and a kill can leave it half written.
 */
export interface Change {
  readonly path: string
  readonly before: FileState
  readonly after: FileState
  readonly inPlace?: true
}

export interface ChangeLine {
  readonly type: 'change'
  readonly origin: Origin
  readonly changes: readonly Change[]
  /** Directories that are made for it, outermost first. */
  readonly directories: readonly string[]
  /** Names under which new content may lie until it is renamed into its place. */
  readonly temporaries: readonly string[]
  /** The journal's own name for the inode that is overwritten, where it has several links. */
  readonly inode?: string
  /** The observation that this line concludes. */
  readonly observation?: number
}

export type JournalLine =
  | ChangeLine
  /** The change line with that index was carried out, or failed and left everything as it was. */
  | { readonly type: 'done' | 'void'; readonly line: number }
  /** A command of the repository's starts; `picture` is the file with the state of the tree before it. */
  | {
      readonly type: 'observe'
      readonly observation: number
      readonly picture: string
      readonly created: 'ours' | 'kept'
    }
  /** Changed while a check ran, by it or by somebody else: nobody can tell, so it is not given back. */
  | { readonly type: 'doubt'; readonly changes: readonly Change[] }
  /** Paths in doubt turned out to be what checks change time and again. */
  | { readonly type: 'claim'; readonly paths: readonly string[] }
  /** What a command changed that can't be given back, in words. */
  | { readonly type: 'uncovered'; readonly what: readonly string[] }
  /** A path turned out to be one more link of an inode that was overwritten before. */
  | { readonly type: 'alias'; readonly path: string; readonly inode: string }
  /** Bytes that somebody else may have written were moved to a file of the run folder. */
  | { readonly type: 'displaced'; readonly path: string; readonly file: string }
  /** The state of the tree at this point has a name, to which it can be given back. */
  | { readonly type: 'snapshot'; readonly id: string }
  | { readonly type: 'finished' }

/**
 * The journal of a run: JSON lines, append-only. The order of writes that survives `kill -9` and a loss of power at any moment:
 *
 * 1. the former bytes go to the blob store (temporary file, fsync, rename, fsync of the folder);
 * 2. the change line goes to the journal, fsync;
 * 3. the tree is changed: new content lies whole under a temporary name (fsync) and is renamed into its place; or, where the
 *    file has to keep its inode, its bytes are overwritten and the line says `inPlace`;
 * 4. a `done` line follows, without fsync.
 *
 * So a path that was touched always has a line with its former bytes on disk, and a line without `done` means: before or
 * after, for in-place changes also anything between. A last line that is torn belongs to a change that was never begun.
 */
export class Journal {
  private constructor(
    private readonly handle: FileHandle,
    private count: number,
  ) {}

  /** Opens it for appending, cutting off a torn last line, and gives the lines that are in it. */
  static async open(path: string): Promise<{ journal: Journal; lines: JournalLine[] }> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const { lines, length } = await readJournal(path)
    const handle = await open(path, 'a', 0o600)
    await handle.truncate(length)
    await handle.sync()
    await syncFile(dirname(path))
    return { journal: new Journal(handle, lines.length), lines }
  }

  /** Appends a line and gives its index; on stable storage when it resolves, unless `durable` is false. */
  async append(line: JournalLine, durable = true): Promise<number> {
    await this.handle.appendFile(`${JSON.stringify(line)}\n`)
    if (durable) await this.handle.sync()
    return this.count++
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}

/**
 * The whole lines of a journal and their length in bytes. A missing journal is empty. Throws when a line other than the
 * last is no JSON: then the journal can't be trusted.
 */
export async function readJournal(path: string): Promise<{ lines: JournalLine[]; length: number }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const length = bytes.lastIndexOf(10) + 1
  const texts = bytes.subarray(0, length).toString('utf8').split('\n').slice(0, -1)
  const lines: JournalLine[] = []
  for (const [index, text] of texts.entries()) {
    try {
      lines.push(JSON.parse(text) as JournalLine)
    } catch {
      if (index === texts.length - 1) return { lines, length: length - Buffer.byteLength(text) - 1 }
      throw new Error(`${path}: line ${index + 1} is damaged; the former bytes of the files are in blobs/ beside it`)
    }
  }
  return { lines, length }
}
