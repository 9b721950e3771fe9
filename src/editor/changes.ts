import { readFile } from 'node:fs/promises'
import type { FileChange } from '../core/snapshot.ts'
import { diffText } from './diff.ts'
import { type FileState, inspect, sameState } from './file-state.ts'
import type { RunStore } from './run-store.ts'

/** What the run changed since the mark and is still changed, as it is in the tree now. Sorted by path. */
export async function changesSince(store: RunStore, mark: number): Promise<readonly FileChange[]> {
  const changes: FileChange[] = []
  for (const { path, target } of store.history.since(mark).values()) {
    if (store.isOwn(path)) continue
    const present = await inspect(store.absolute(path))
    const change = await changeBetween(store, path, target, present)
    if (change !== undefined) changes.push(change)
  }
  return byPath(changes)
}

export function byPath<T extends { readonly path: string }>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * One path from a state to another as a patch; undefined where nothing changes. Bytes of a state that were not kept are
 * those in the tree, if it is what is there.
 */
export async function changeBetween(
  store: RunStore,
  path: string,
  before: FileState,
  after: FileState,
): Promise<FileChange | undefined> {
  if (sameState(before, after) || after.kind === 'other') return undefined
  const action = before.kind === 'absent' ? 'created' : after.kind === 'absent' ? 'deleted' : 'edited'
  const [old, fresh] = [await textOf(store, path, before), await textOf(store, path, after)]
  const from = before.kind === 'absent' ? '/dev/null' : `a/${path}`
  const to = after.kind === 'absent' ? '/dev/null' : `b/${path}`
  if (old === undefined || fresh === undefined)
    return { path, action, diff: `Binary files ${from} and ${to} differ\n`, added: 0, removed: 0 }
  const { diff, added, removed } = diffText(old, fresh)
  const mode = modeLines(before, after)
  return { path, action, diff: `${mode}${diff === '' ? '' : `--- ${from}\n+++ ${to}\n${diff}`}`, added, removed }
}

/** The content as text; undefined for what is not text, or not known. */
async function textOf(store: RunStore, path: string, state: FileState): Promise<string | undefined> {
  if (state.kind === 'absent') return ''
  if (state.kind === 'link') return state.target
  if (state.kind !== 'file') return undefined
  const kept = await store.blobs.has(state.hash)
  const bytes = kept ? await store.blobs.read(state.hash) : await readIfSame(store.absolute(path), state)
  if (bytes === undefined || bytes.includes(0)) return undefined
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

async function readIfSame(absolute: string, state: FileState): Promise<Buffer | undefined> {
  if (!sameState(await inspect(absolute), state)) return undefined
  return readFile(absolute)
}

/** The executable bit as git writes it in a patch; other permission bits have no place there. */
function modeLines(before: FileState, after: FileState): string {
  if (before.kind !== 'file' || after.kind !== 'file') return ''
  const [old, fresh] = [before.mode, after.mode].map((mode) => (mode & 0o100 ? '100755' : '100644'))
  return old === fresh ? '' : `old mode ${old}\nnew mode ${fresh}\n`
}
