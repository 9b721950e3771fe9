import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Snapshot } from '../core/snapshot.ts'
import { makeTree, type Place } from './case-setup-testing.ts'
import type { Case, CommandEdit, Step } from './case-testing.ts'
import { type Editor, openEditor, restoreInterrupted } from './recovery.ts'
import { findRun, type RecordedRun } from './run-folders.ts'
import { locateState } from './state-dir.ts'
import { git, treeOf } from './tree-testing.ts'
import { undoRun } from './undo.ts'

const RUN = 'run-1'

/** Plays a case in a folder of its own. Throws with what was lost. */
export async function playCase(one: Case): Promise<void> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'goatfied-case-')))
  const redirected = { GIT_DIR: '/nonexistent', GIT_WORK_TREE: '/', GIT_INDEX_FILE: join(base, 'none') }
  const state = process.env.XDG_STATE_HOME
  process.env.XDG_STATE_HOME = join(base, 'state')
  try {
    const place = await makeTree(base, one)
    if (one.setup.inherited) Object.assign(process.env, redirected)
    await new Player(place, one).play()
  } finally {
    for (const name of Object.keys(redirected)) delete process.env[name]
    if (state === undefined) delete process.env.XDG_STATE_HOME
    else process.env.XDG_STATE_HOME = state
    await rm(base, { recursive: true, force: true })
  }
}

class Player {
  /** What the person left at a path: the entry of `treeOf`, or undefined for nothing. */
  private readonly theirs = new Map<string, string | undefined>()
  /** Paths that the person changed after the run had. */
  private readonly disputed = new Set<string>()
  private count = 0
  private readonly commands: boolean

  constructor(
    private readonly place: Place,
    private readonly one: Case,
  ) {
    this.commands = one.steps.some(({ by }) => by === 'command')
  }

  async play(): Promise<void> {
    const { root } = this.place
    const before = { tree: await treeOf(root), git: await gitFiles(this.place), status: statusOf(this.place) }
    const location = await locateState(root)
    const editor = await openEditor({ ...location, runId: RUN })
    const first = await editor.snapshots.take('first')
    const taken = [first]
    for (const step of this.one.steps) await this.step(step, editor, taken, location.stateDir)
    const reported = await this.giveBack(editor, first, location.stateDir)
    this.compare(before.tree, await treeOf(root), reported)
    if (existsSync(this.place.ran)) throw new Error('a hook or filter of the repository has run')
    expectSame('git directory', await gitFiles(this.place), before.git)
    if (this.theirs.size === 0) expectSame('status', statusOf(this.place), before.status)
  }

  private async giveBack(editor: Editor, first: Snapshot, stateDir: string): Promise<ReadonlySet<string>> {
    if (this.one.end === 'restore') {
      const { conflicts } = await editor.snapshots.restore(first)
      await editor.close()
      return new Set(conflicts)
    }
    if (this.one.end === 'recover') {
      // The journal is as a kill leaves it.
      const { conflicts } = await restoreInterrupted(await runOf(stateDir))
      await editor.close()
      return new Set(conflicts)
    }
    await editor.close()
    const changed = await treeOf(this.place.root)
    const options = { since: undefined, underGit: this.place.gitDir !== undefined }
    const { left, snapshot } = await undoRun(await runOf(stateDir), options)
    if (snapshot !== undefined) {
      await undoRun(await runOf(stateDir), { ...options, since: snapshot.id })
      expectSame('tree after the undo of the undo', filesOf(await treeOf(this.place.root)), filesOf(changed))
      await undoRun(await runOf(stateDir), options)
    }
    return new Set(left.map(({ what }) => what))
  }

  private async step(step: Step, { tree, snapshots }: Editor, taken: Snapshot[], stateDir: string): Promise<void> {
    const { root } = this.place
    if (step.by === 'snapshot') taken.push(await snapshots.take('again'))
    else if (step.by === 'rollback') await snapshots.restore(taken.at(-1) as Snapshot)
    else if (step.by === 'command')
      await tree.observe('ours', async () => {
        for (const edit of step.what) perform(root, edit)
      })
    else if (step.by === 'person') await this.interfere(step.path, step.deletes, stateDir)
    else {
      const { what } = step
      const done =
        what.do === 'write'
          ? tree.write(what.path, Buffer.from(what.content, 'latin1'))
          : what.do === 'remove'
            ? tree.remove(what.path)
            : tree.move(what.path, what.to)
      // What the tree refuses it leaves as it is.
      await done.catch((error: NodeJS.ErrnoException) => {
        if (!['EACCES', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR'].includes(error.code ?? '')) throw error
      })
    }
  }

  /** The person writes or deletes what is at the path, where it can be a file. */
  private async interfere(path: string, deletes: boolean, stateDir: string): Promise<void> {
    const absolute = join(this.place.root, path)
    if (!isFree(absolute) || (deletes && !isThere(absolute))) return
    const { changed } = await runOf(stateDir)
    if (changed.includes(path)) this.disputed.add(path)
    rmSync(absolute, { force: true })
    const text = `by a person ${this.count++}\n`
    if (!deletes) {
      mkdirSync(dirname(absolute), { recursive: true })
      writeFileSync(absolute, text)
      chmodSync(absolute, 0o640)
    }
    this.theirs.set(path, deletes ? undefined : `640 ${text}`)
  }

  private compare(before: Entries, after: Entries, reported: ReadonlySet<string>): void {
    for (const path of new Set([...Object.keys(before), ...Object.keys(after), ...this.theirs.keys()])) {
      const related = [...this.theirs.keys()].filter((other) => contains(path, other) || contains(other, path))
      if (path.endsWith('/')) {
        // Nobody tells of an empty folder that a command makes or removes.
        const untold = this.commands && isEmpty(path, path in before ? before : after)
        if (before[path] !== after[path] && related.length === 0 && !untold)
          throw new Error(`folder ${path} is not as before`)
      } else if (this.theirs.has(path)) {
        expectSame(`the person's ${path}`, after[path], this.theirs.get(path))
        if (this.disputed.has(path) && after[path] !== before[path] && !reported.has(path))
          throw new Error(`${path} was changed by both, and is not reported`)
      } else if (before[path] !== after[path] && !(related.length > 0 && reported.has(path)))
        expectSame(path, after[path], before[path])
    }
  }
}

type Entries = Readonly<Record<string, string>>

const contains = (folder: string, path: string) => path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
/** Whether a folder holds no file, however deep: folders in folders are nothing that anybody tells of either. */
const isEmpty = (folder: string, entries: Entries) =>
  !Object.keys(entries).some((path) => contains(folder, path) && !path.endsWith('/'))
const filesOf = (entries: Entries) =>
  Object.fromEntries(Object.entries(entries).filter(([path]) => !path.endsWith('/')))

function expectSame(what: string, found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}

async function runOf(stateDir: string): Promise<RecordedRun> {
  const run = await findRun(stateDir, RUN)
  if (run === undefined) throw new Error('the run is not found')
  return run
}

/** Index, HEAD, refs, stash list, configuration: all of the git directory but objects and what is the run's own. */
async function gitFiles({ gitDir }: Place): Promise<Entries> {
  if (gitDir === undefined) return {}
  const found: Record<string, string> = {}
  for (const entry of await readdir(gitDir, { withFileTypes: true, recursive: true })) {
    const absolute = join(entry.parentPath, entry.name)
    const path = absolute.slice(gitDir.length + 1)
    if (entry.isFile() && !/^(?:objects|goatfied|refs\/goatfied)\//.test(path))
      found[path] = (await readFile(absolute)).toString('latin1')
  }
  return found
}

function statusOf({ root, gitDir }: Place): string {
  if (gitDir === undefined) return ''
  const off = ['clean=', 'smudge=', 'required=false'].flatMap((setting) => ['-c', `filter.seen.${setting}`])
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all']
  return git(root, '--no-optional-locks', ...off, ...args)
}

const isThere = (absolute: string) => lstatSync(absolute, { throwIfNoEntry: false }) !== undefined

/** There may be a file: no folder is in its place, no file or link in that of a folder above. */
function isFree(absolute: string): boolean {
  try {
    if (lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return false
    let folder = dirname(absolute)
    while (!isThere(folder)) folder = dirname(folder)
    return lstatSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** What a command does; what is not possible it leaves. */
function perform(root: string, edit: CommandEdit): void {
  const absolute = join(root, edit.path)
  if (edit.do === 'to file') {
    rmSync(absolute, { recursive: true, force: true })
    writeFileSync(absolute, 'a file now\n')
  } else if (edit.do === 'to folder') {
    if (!isFree(absolute)) return
    rmSync(absolute, { force: true })
    mkdirSync(absolute)
    writeFileSync(join(absolute, 'inner.ts'), 'inner\n')
  } else if (isFree(absolute)) performOnFile(root, absolute, edit)
}

type FileEdit = Exclude<CommandEdit, { readonly do: 'to file' | 'to folder' }>

function performOnFile(root: string, absolute: string, edit: FileEdit): void {
  const present = isThere(absolute)
  if (edit.do === 'write' || edit.do === 'link') {
    mkdirSync(dirname(absolute), { recursive: true })
    if (edit.do === 'link' || !present || lstatSync(absolute).isSymbolicLink()) rmSync(absolute, { force: true })
    if (edit.do === 'link') symlinkSync('made-by-command', absolute)
    else writeFileSync(absolute, Buffer.from(edit.content, 'latin1'))
  } else if (!present) return
  else if (edit.do === 'remove') rmSync(absolute)
  else if (edit.do === 'chmod') {
    if (!lstatSync(absolute).isSymbolicLink()) chmodSync(absolute, edit.mode)
  } else moveTo(absolute, join(root, edit.to))
}

function moveTo(from: string, to: string): void {
  if (!isFree(to)) return
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}
