import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { PathIndex } from '../core/ports.ts'
import { visibleName } from '../core/story/text.ts'
import { capLines } from '../lib/text.ts'

const MOST_LINES = 200

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: string[]
  count: number
}

/** A folder's entries two levels deep, with the number of files in each folder; from the file system where the index leaves the folder out. */
export async function describeDirectory(root: string, index: PathIndex, directory: string): Promise<string> {
  const prefix = directory === '.' ? '' : `${directory}/`
  const files = (await index.files()).filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length))
  const lines = files.length > 0 ? describe(folderOf(files), 2, '') : await ignoredEntries(path.join(root, directory))
  if (lines.length === 0) return `${directory} is empty.`
  return capLines(lines.join('\n'), MOST_LINES).text
}

function folderOf(files: readonly string[]): Folder {
  const top: Folder = { folders: new Map(), files: [], count: 0 }
  for (const file of files) {
    let folder = top
    const segments = file.split('/')
    const name = segments.pop() as string
    for (const segment of segments) {
      let inner = folder.folders.get(segment)
      if (inner === undefined) {
        inner = { folders: new Map(), files: [], count: 0 }
        folder.folders.set(segment, inner)
      }
      inner.count += 1
      folder = inner
    }
    folder.files.push(name)
  }
  return top
}

function describe(folder: Folder, levels: number, indent: string): string[] {
  const folders = [...folder.folders].flatMap(([name, inner]) => [
    `${indent}${visibleName(name)}/ (${inner.count} ${inner.count === 1 ? 'file' : 'files'})`,
    ...(levels > 1 ? describe(inner, levels - 1, `${indent}  `) : []),
  ])
  return [...folders, ...folder.files.map((name) => `${indent}${visibleName(name)}`)]
}

async function ignoredEntries(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries.map((entry) => visibleName(entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
}
