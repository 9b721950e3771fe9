import { createPathRanking, type PathRanking } from './path-ranking.ts'
import { createSortedNames, type SortedNames } from './sorted-names.ts'

/** Files and the folders that hold them, by name, with rankings of both that follow every change. */
export interface FileSet {
  files(): readonly string[]
  directories(): readonly string[]
  has(file: string): boolean
  add(file: string): void
  remove(file: string): void
  ranking(kind: 'file' | 'directory'): PathRanking
}

/** How many files each folder holds, at any depth; without the root. */
interface Folders {
  readonly counts: Map<string, number>
  readonly names: SortedNames
}

/** `initial` has to be sorted, each once. Folders and rankings are made when first asked for. */
export function createFileSet(initial: readonly string[]): FileSet {
  const files = createSortedNames(initial)
  let folders: Folders | undefined
  let fileRanking: PathRanking | undefined
  let folderRanking: PathRanking | undefined

  function foldersNow(): Folders {
    if (folders === undefined) {
      const counts = new Map<string, number>()
      for (const file of files.values()) for (const folder of parentsOf(file)) count(counts, folder, 1)
      folders = { counts, names: createSortedNames([...counts.keys()].sort()) }
    }
    return folders
  }

  function countFolders(file: string, by: 1 | -1): void {
    if (folders === undefined) return
    for (const folder of parentsOf(file)) {
      const left = count(folders.counts, folder, by)
      if (by === 1 && left === 1) {
        folders.names.add(folder)
        folderRanking?.add(folder)
      } else if (left === 0) {
        folders.names.remove(folder)
        folderRanking?.remove(folder)
      }
    }
  }

  return {
    files: () => files.values(),
    directories: () => foldersNow().names.values(),
    has: (file) => files.has(file),
    add(file) {
      if (files.has(file)) return
      files.add(file)
      fileRanking?.add(file)
      countFolders(file, 1)
    },
    remove(file) {
      if (!files.has(file)) return
      files.remove(file)
      fileRanking?.remove(file)
      countFolders(file, -1)
    },
    ranking(kind) {
      if (kind === 'file') {
        fileRanking ??= createPathRanking(files.values())
        return fileRanking
      }
      folderRanking ??= createPathRanking(foldersNow().names.values())
      return folderRanking
    },
  }
}

/** Adds to the count of a folder, which is forgotten at 0; gives the new count. */
function count(counts: Map<string, number>, folder: string, by: 1 | -1): number {
  const now = (counts.get(folder) ?? 0) + by
  if (now === 0) counts.delete(folder)
  else counts.set(folder, now)
  return now
}

/** The folders around a file, innermost first. */
function* parentsOf(file: string): Generator<string> {
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) yield file.slice(0, end)
}
