import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { type Editor, openEditor } from './recovery.ts'
import { locateState } from './state-dir.ts'

/** How many cases a property test runs: more on demand through TEST_CASES. */
export function cases(usual: number): number {
  return Number(process.env.TEST_CASES ?? usual)
}

const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
}

const folders: string[] = []
const editors: Editor[] = []
afterEach(async () => {
  for (const editor of editors.splice(0)) await editor.close().catch(() => undefined)
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** A fresh folder, links resolved, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'goatfied-editor-')))
  folders.push(folder)
  return folder
}

/** Runs git with no configuration of the user's; throws when it fails. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

export async function put(root: string, path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
  await chmod(join(root, path), mode)
}

export async function link(root: string, path: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await symlink(target, join(root, path))
}

/** A repository with these files committed. */
export async function repository(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await temporaryFolder()
  git(root, 'init', '-q', '-b', 'main')
  for (const [path, content] of Object.entries(files)) await put(root, path, content)
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first')
  return root
}

/** Everything outside of `.git`: what is at each path, to the byte. */
export async function treeOf(root: string, folder = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (path === '.git') continue
    const absolute = join(root, path)
    if (entry.isDirectory()) Object.assign(found, { [`${path}/`]: 'directory' }, await treeOf(root, path))
    else if (entry.isSymbolicLink()) found[path] = `link ${await readlink(absolute)}`
    else
      found[path] =
        `${((await lstat(absolute)).mode & 0o7777).toString(8)} ${(await readFile(absolute)).toString('latin1')}`
  }
  return found
}

/** What git knows: status, index, HEAD, stash list. */
export function gitStateOf(root: string): Record<string, string> {
  return {
    status: git(root, 'status', '--porcelain=v2', '-z', '--untracked-files=all'),
    index: git(root, 'ls-files', '-s', '-z'),
    head: git(root, 'rev-parse', 'HEAD'),
    stashes: git(root, 'stash', 'list'),
  }
}

export async function editorOf(root: string, runId = 'run-1'): Promise<Editor> {
  const editor = await openEditor({ ...(await locateState(root)), runId })
  editors.push(editor)
  return editor
}
