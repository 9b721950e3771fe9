import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { PathIndex } from '../core/ports.ts'
import { confine } from './confinement.ts'
import { listFiles } from './file-listing.ts'
import { createPathRanking, type PathRanking } from './path-ranking.ts'

/** What is derived from one state of the file list; made when first asked for. */
interface Derived {
  readonly files: readonly string[]
  directories?: readonly string[]
  fileRanking?: PathRanking
  directoryRanking?: PathRanking
}

/** The index of the files below `root` (an absolute path). They are listed once, at the first question, and kept up to date by `changed`. */
export function createPathIndex(root: string): PathIndex {
  let listing: Promise<Set<string>> | undefined
  let derived: Derived | undefined
  const touched = new Set<string>()

  async function current(): Promise<Derived> {
    listing ??= listFiles(root).then((files) => new Set(files))
    const files = await listing
    if (applyTouched(files) || derived === undefined) derived = { files: [...files].sort() }
    return derived
  }

  /**
   * Looks at each file the run ever touched, since a rollback takes back what it made; true when the set of files is
   * another one now.
   */
  function applyTouched(files: Set<string>): boolean {
    let different = false
    for (const name of touched) {
      const status = lstatSync(path.join(root, name), { throwIfNoEntry: false })
      const there = status?.isFile() === true || status?.isSymbolicLink() === true
      if (there === files.has(name)) continue
      different = true
      if (there) files.add(name)
      else files.delete(name)
    }
    return different
  }

  function directoriesOf(state: Derived): readonly string[] {
    state.directories ??= parentsOf(state.files)
    return state.directories
  }

  return {
    files: async () => (await current()).files,
    directories: async () => directoriesOf(await current()),
    confine: (written) => confine(root, written),
    async rank(query, kind, limit) {
      const state = await current()
      if (kind === 'file') {
        state.fileRanking ??= createPathRanking(state.files)
        return state.fileRanking.rank(query, limit)
      }
      state.directoryRanking ??= createPathRanking(directoriesOf(state))
      return state.directoryRanking.rank(query, limit)
    },
    changed(paths) {
      for (const name of paths) touched.add(name)
    },
  }
}

/** Every folder that holds a file, at any depth; without the root. */
function parentsOf(files: readonly string[]): readonly string[] {
  const directories = new Set<string>()
  for (const file of files) {
    let end = file.lastIndexOf('/')
    while (end > 0) {
      const directory = file.slice(0, end)
      if (directories.has(directory)) break
      directories.add(directory)
      end = file.lastIndexOf('/', end - 1)
    }
  }
  return [...directories].sort()
}
