import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { PathIndex } from '../core/ports.ts'
import { confine } from './confinement.ts'
import { listFiles } from './file-listing.ts'
import { createFileSet, type FileSet } from './file-set.ts'
import { createEvidenceStore } from './path-evidence.ts'
import { recentlyChanged } from './recent-changes.ts'

/** The index of the files below `root` (an absolute path). They are listed once, at the first question, and kept up to date by `changed`. */
export function createPathIndex(root: string): PathIndex {
  let listing: Promise<FileSet> | undefined
  let history: Promise<void> | undefined
  const touched = new Set<string>()
  const evidence = createEvidenceStore()

  async function current(): Promise<FileSet> {
    listing ??= listFiles(root).then(createFileSet)
    const files = await listing
    applyTouched(files)
    return files
  }

  /** Looks at each file the run ever touched, since a rollback takes back what it made. */
  function applyTouched(files: FileSet): void {
    for (const name of touched) {
      const status = lstatSync(path.join(root, name), { throwIfNoEntry: false })
      const there = status?.isFile() === true || status?.isSymbolicLink() === true
      if (there) files.add(name)
      else files.remove(name)
    }
  }

  return {
    files: async () => (await current()).files(),
    directories: async () => (await current()).directories(),
    confine: (written) => confine(root, written),
    async rank(query, kind, limit) {
      if (kind === 'directory') return (await current()).ranking(kind).rank(query, limit)
      history ??= recentlyChanged(root).then((names) => evidence.note(names, 'history'))
      const files = await current()
      const ranking = files.ranking(kind)
      await history
      return ranking.rank(query, limit, evidence.about(files.files()))
    },
    changed(paths) {
      for (const name of paths) touched.add(name)
    },
    mentioned: (names, source) => evidence.note(names, source),
  }
}
