import { randomBytes } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { mkdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from './blob-store.ts'
import { type FileState, permissions, stampOf, UNKNOWN } from './file-state.ts'
import { copyIndex, type GitResult, git, line, oddRecords, records } from './git.ts'
import { filtersOf } from './git-filters.ts'
import { headOf, splitEntry, unlikeCheckout } from './git-standing.ts'
import type { Album, CleanFile, Picture, SeenFile } from './picture.ts'
import { fingerprints, type Uncovered } from './uncovered.ts'

/** Thrown where git can't say what is in the tree; the caller looks for itself then. */
export class GitUnusable extends Error {}

function output(result: GitResult): Buffer {
  if (!result.ok) throw new GitUnusable(result.reason)
  return result.stdout
}

/**
 * Takes the picture with one `git status`. It runs on a copy of the index (in `folder`), so that git may refresh it and
 * what a command stages later does not blur the comparison. Throws `GitUnusable`.
 */
export async function takeGitPicture(root: string, folder: string, album: Album): Promise<Picture> {
  const takenAt = Date.now()
  const index = join(folder, `index-${randomBytes(6).toString('hex')}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { failed } = await copyIndex(root, index)
  if (failed !== undefined) throw new GitUnusable(failed)
  const [head, { dirty, untracked, odd, nested }] = await Promise.all([headOf(root), changedPaths(root, index)])
  const { clean, submodules, hidden } = await cleanFiles(root, index, dirty)
  const paths = [...clean.keys(), ...dirty, ...untracked]
  const attributes = paths.some((path) => /(?:^|\/)\.gitattributes$/.test(path))
  const unlike = await unlikeCheckout(root, index, attributes)
  const files = new Map<string, SeenFile>()
  for (const path of new Set([...dirty, ...untracked, ...unlike, ...(await filtered(root, index)), ...hidden])) {
    const seen = await album.look(path, join(root, path))
    if (seen !== undefined) files.set(path, seen)
  }
  const uncovered = await fingerprints(root, { odd, nested: [...submodules, ...nested] })
  return { takenAt, files, clean, complete: true, index, head, submodules, hidden, uncovered }
}

interface Changed extends Uncovered {
  readonly dirty: ReadonlySet<string>
  readonly untracked: ReadonlySet<string>
}

/** Paths that differ from the index copy, and untracked ones. What can't be covered is apart; submodules are left out. */
export async function changedPaths(root: string, index: string): Promise<Changed> {
  const status = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all']
  const env = { GIT_INDEX_FILE: index }
  const prefix = line(output(await git(['rev-parse', '--show-prefix'], { cwd: root })))
  const { off } = await filtersOf(root)
  const dirty = new Set<string>()
  const untracked = new Set<string>()
  const nested: string[] = []
  const listed = output(await git([...status, '--', '.'], { cwd: root, env, refresh: true, settings: off }))
  for (const record of records(listed)) {
    if (record.startsWith('#') || record.startsWith('!')) continue
    const fields = record.split(' ')
    const path = fields.slice(fieldsBeforePath(record)).join(' ').slice(prefix.length)
    if (path.endsWith('/') && record.startsWith('?')) nested.push(path)
    if (path.endsWith('/') || path === '') continue
    if (record.startsWith('?')) untracked.add(path)
    else if (fields[1]?.[1] !== '.' && fields[2]?.[0] !== 'S') dirty.add(path)
  }
  const odd = oddRecords(listed).map((record) => {
    // As many characters as bytes.
    const text = record.toString('latin1')
    const path = text.split(' ').slice(fieldsBeforePath(text)).join(' ')
    const name = Buffer.from(path, 'latin1').subarray(Buffer.byteLength(prefix))
    return { name, tracked: !text.startsWith('?') }
  })
  return { dirty, untracked, odd, nested }
}

function fieldsBeforePath(record: string): number {
  return record.startsWith('?') ? 1 : record.startsWith('u') ? 10 : 8
}

interface Entries {
  readonly clean: Map<string, CleanFile>
  readonly submodules: readonly string[]
  /** Files that git does not look at: assumed to be unchanged, or outside of a sparse checkout. */
  readonly hidden: readonly string[]
}

/** Tracked files that a filter would write otherwise than git has them. */
async function filtered(root: string, index: string): Promise<string[]> {
  const { names } = await filtersOf(root)
  if (names.length === 0) return []
  const having = names.map((name) => `:(attr:filter=${name})`)
  return records((await git(['ls-files', '-z', '--', ...having], { cwd: root, env: { GIT_INDEX_FILE: index } })).stdout)
}

async function cleanFiles(root: string, index: string, dirty: ReadonlySet<string>): Promise<Entries> {
  const listed = await git(['ls-files', '-s', '-v', '-z'], { cwd: root, env: { GIT_INDEX_FILE: index } })
  const hidden: string[] = []
  const clean = new Map<string, CleanFile>()
  const submodules: string[] = []
  for (const [row, record] of records(output(listed)).entries()) {
    // Synchronous calls take a tenth of the time; in between, others have their turn.
    if (row % 1000 === 999) await new Promise(setImmediate)
    const [entry, path] = splitEntry(record)
    if (entry.startsWith('160000 ', 2)) submodules.push(path)
    else if (/^(?:[a-z]|S)/.test(entry)) hidden.push(path)
    if (dirty.has(path)) continue
    const stats = statsOf(join(root, path))
    if (stats?.isFile() || stats?.isSymbolicLink())
      clean.set(path, {
        mode: permissions(stats),
        size: stats.isSymbolicLink() ? 0 : stats.size,
        inode: String(stats.ino),
      })
  }
  return { clean, submodules, hidden }
}

/** Clean files that have other permission bits now, of which git tells only whether the owner may execute them. */
export async function otherModes(root: string, { clean }: Picture): Promise<string[]> {
  const found: string[] = []
  let row = 0
  for (const [path, { mode }] of clean) {
    if (++row % 1000 === 0) await new Promise(setImmediate)
    const stats = statsOf(join(root, path))
    if (stats?.isFile() && permissions(stats) !== mode) found.push(path)
  }
  return found
}

function statsOf(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * The states that files had when they were clean, from the index: as git writes them to a tree (line endings, filters).
 * What does not have the size that the file had is taken raw, or is unknown: git does not know the bytes of a file whose
 * line endings differ from those it would write. Kept on stable storage.
 */
export async function cleanStates(
  root: string,
  picture: Picture,
  paths: readonly string[],
  blobs: BlobStore,
): Promise<Map<string, FileState>> {
  const found = new Map<string, FileState>()
  if (picture.index === undefined || paths.length === 0) return found
  const env = { GIT_INDEX_FILE: picture.index }
  const folder = `${picture.index}-former`
  try {
    // Attributes that the command changed would give other bytes; the size tells.
    await git(['checkout-index', '-z', '--stdin', '--force', `--prefix=${folder}/`], {
      cwd: root,
      env,
      input: paths.map((path) => `${path}\0`).join(''),
      refresh: true,
      settings: (await filtersOf(root)).off,
    })
    const prefix = line((await git(['rev-parse', '--show-prefix'], { cwd: root })).stdout)
    for (const path of paths) {
      const clean = picture.clean.get(path)
      if (clean !== undefined) found.set(path, await formerState(join(folder, prefix, path), path, clean))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return found

  async function formerState(copy: string, path: string, clean: CleanFile): Promise<FileState> {
    const stats = await stampOf(copy)
    if (stats?.isSymbolicLink()) return { kind: 'link', target: await readlink(copy) }
    if (stats?.isFile() && Number(stats.size) === clean.size) return kept(await readFile(copy), clean)
    const raw = await git(['cat-file', 'blob', `:./${path}`], { cwd: root, env })
    return raw.ok && raw.stdout.length === clean.size ? kept(raw.stdout, clean) : UNKNOWN
  }

  async function kept(bytes: Buffer, clean: CleanFile): Promise<FileState> {
    return { kind: 'file', mode: clean.mode, size: bytes.length, hash: await blobs.put(bytes) }
  }
}
