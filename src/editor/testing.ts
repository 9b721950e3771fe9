import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type Editor, openEditor } from './recovery.ts'
import { locateState } from './state-dir.ts'
import { git, put } from './tree-testing.ts'

export { git, link, put, treeOf } from './tree-testing.ts'

/** How many cases a property test runs: more on demand through TEST_CASES. */
export function cases(usual: number): number {
  return Number(process.env.TEST_CASES ?? usual)
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

/** A repository with these files committed. */
export async function repository(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await temporaryFolder()
  git(root, 'init', '-q', '-b', 'main')
  for (const [path, content] of Object.entries(files)) await put(root, path, content)
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first')
  return root
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
