import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Case, CaseFile } from './case-testing.ts'
import { git, gitWith, put } from './tree-testing.ts'

/** Where the case is. */
export interface Place {
  /** The tree that the run works in. */
  readonly root: string
  /** The git directory; absent without git. */
  readonly gitDir?: string
  /** A file that is there once a hook or filter of the repository's has run. */
  readonly ran: string
}

const bytes = (text: string) => Buffer.from(text, 'latin1')

/** Makes the tree of a case in a fresh folder. */
export async function makeTree(base: string, { setup, files }: Case): Promise<Place> {
  const main = join(base, 'main')
  const ran = join(base, 'ran')
  const { kind } = setup
  await mkdir(main)
  if (kind === 'no git') {
    await put(main, '.gitignore', '*.log\n')
    for (const file of files) await place(main, file)
    return { root: main, ran }
  }
  await emptyRepository(join(main, '.git'))
  if (kind === 'worktree') {
    git(main, 'commit', '-q', '--allow-empty', '-m', 'zero')
    git(main, 'worktree', 'add', '-q', '../linked')
  }
  const root = kind === 'worktree' ? join(base, 'linked') : kind === 'folder' ? join(main, 'below') : main
  await mkdir(root, { recursive: true })
  configure(main, setup)
  await put(root, '.gitignore', '*.log\n')
  if (setup.attributes !== '') await put(root, '.gitattributes', `${setup.attributes}*.dat filter=seen\n`)
  await commitFiles(root, files, kind === 'unborn')
  if (setup.nested !== 'none') await nest(root, setup.nested)
  if (kind === 'sparse') git(root, 'sparse-checkout', 'set', '--no-cone', '/*', '!/sparse/')
  for (const file of files) await change(root, file, kind === 'unborn')
  if (kind === 'unmerged') unmerge(root)
  hide(root, setup.hidden)
  await watch(main, ran, setup)
  return { root, ran, gitDir: git(root, 'rev-parse', '--absolute-git-dir').trim() }
}

/** What `git init` makes, without a process. */
async function emptyRepository(gitDir: string): Promise<void> {
  for (const folder of ['objects', 'refs/heads', 'info']) await mkdir(join(gitDir, folder), { recursive: true })
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(gitDir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n')
}

function configure(root: string, { autocrlf, fileMode }: Case['setup']): void {
  if (autocrlf !== 'unset') git(root, 'config', 'core.autocrlf', autocrlf)
  if (!fileMode) git(root, 'config', 'core.fileMode', 'false')
}

async function place(root: string, { path, content, mode, kind }: CaseFile): Promise<void> {
  if (kind === 'file') return put(root, path, bytes(content), mode)
  await mkdir(dirname(join(root, path)), { recursive: true })
  await symlink(kind === 'link' ? 'a.txt' : 'nothing/here', join(root, path))
}

async function commitFiles(root: string, files: readonly CaseFile[], unborn: boolean): Promise<void> {
  for (const file of files) await place(root, file)
  const committed = files.filter((file) => file.committed).map(({ path }) => path)
  git(root, 'add', '--force', '--', '.gitignore', ...committed)
  if (!unborn) git(root, 'commit', '-q', '-m', 'first')
}

/** Brings a file into the state in which the run finds it. */
async function change(root: string, { path, later, kind, committed }: CaseFile, unborn: boolean): Promise<void> {
  const absolute = join(root, path)
  if (!existsSync(absolute) && kind === 'file') return
  if (later === 'intent' && !committed) git(root, 'add', '--force', '--sparse', '--intent-to-add', '--', path)
  if (!committed) return
  if (later === 'retargeted' && kind !== 'file') {
    await rm(absolute, { force: true })
    await mkdir(dirname(absolute), { recursive: true })
    await symlink('elsewhere', absolute)
  }
  if ((later === 'staged' || later === 'both') && kind === 'file') {
    await put(root, path, 'staged\n')
    git(root, 'add', '--force', '--sparse', '--', path)
  }
  if ((later === 'unstaged' || later === 'both') && kind === 'file') await put(root, path, 'unstaged\r\n', 0o755)
  if (later === 'deleted' && !unborn) git(root, 'rm', '-q', '-f', '--sparse', '--', path)
  if (later === 'removed') git(root, 'rm', '-q', '-f', '--cached', '--sparse', '--', path)
  if (later === 'gone') await rm(absolute, { force: true })
}

async function nest(root: string, nested: 'embedded' | 'submodule'): Promise<void> {
  await emptyRepository(join(root, 'nested/.git'))
  await put(root, 'nested/n.ts', 'nested\n')
  if (nested === 'embedded') return
  git(join(root, 'nested'), 'add', 'n.ts')
  git(join(root, 'nested'), 'commit', '-q', '-m', 'nested')
  const commit = git(join(root, 'nested'), 'rev-parse', 'HEAD').trim()
  await put(root, '.gitmodules', '[submodule "nested"]\n\tpath = nested\n\turl = ./nested\n')
  git(root, 'update-index', '--add', '--cacheinfo', `160000,${commit},${prefixOf(root)}nested`)
}

const prefixOf = (root: string) => git(root, 'rev-parse', '--show-prefix').trim()

/** Three stages of one path, as a merge leaves them. */
function unmerge(root: string): void {
  const object = gitWith(root, 'side\n', 'hash-object', '-w', '--stdin').trim()
  const stages = [1, 2, 3].map((stage) => `100644 ${object} ${stage}\tboth.ts\n`)
  gitWith(root, stages.join(''), 'update-index', '--index-info')
}

function hide(root: string, hidden: Case['setup']['hidden']): void {
  if (hidden === 'no' || git(root, 'ls-files', '--', 'hidden.ts') === '') return
  git(root, 'update-index', hidden === 'assumed' ? '--assume-unchanged' : '--skip-worktree', '--', 'hidden.ts')
}

async function watch(main: string, ran: string, { hooks, filter }: Case['setup']): Promise<void> {
  const script = `#!/bin/sh\ntouch '${ran}'\n`
  for (const hook of hooks ? ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction'] : [])
    await put(main, `.git/hooks/${hook}`, script, 0o755)
  if (!filter) return
  for (const which of ['clean', 'smudge']) git(main, 'config', `filter.seen.${which}`, `touch '${ran}'; tr a-z A-Z`)
  git(main, 'config', 'filter.seen.required', 'true')
}
