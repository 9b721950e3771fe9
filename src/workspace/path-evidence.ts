import type { EvidenceSource } from '../core/ports.ts'

/** How likely a file is to be meant, from what was said and done: 0 (nothing speaks for it) to less than 1. */
export type Evidence = (path: string) => number

/**
 * By how much evidence can make up for a lower score at most: it decides between paths that resemble a query about as
 * much, and never against one that resembles it clearly more.
 */
export const MOST_BONUS = 0.03

/** What the score of `path` counts as among others. The path itself (score 1) stays before all. */
export function withEvidence(path: string, score: number, evidence: Evidence): number {
  return score === 1 ? 1 + MOST_BONUS : score + MOST_BONUS * evidence(path)
}

const WEIGHTS: Readonly<Record<EvidenceSource, number>> = { task: 0.8, conversation: 0.7, search: 0.4, history: 0.3 }
/** How many paths of one source count: those told last. */
const MOST_PATHS = 500
/** A name that more files have than these points to none of them. */
const MOST_BEARERS = 5

/** Collects what speaks for paths. */
export interface EvidenceStore {
  /** Paths of the repository; from the task also ends of such paths: a name alone, or with some of its folders. */
  note(names: readonly string[], source: EvidenceSource): void
  /** What was noted, where several sources strengthen one another. Ends of paths are looked up in `files` once. */
  about(files: readonly string[]): Evidence
}

export function createEvidenceStore(): EvidenceStore {
  const noted = new Map<EvidenceSource, Set<string>>()
  let pending: readonly string[] = []
  const remember = (paths: readonly string[], source: EvidenceSource): void => {
    const known = noted.get(source) ?? new Set<string>()
    for (const path of paths) {
      known.delete(path)
      known.add(path)
    }
    for (const oldest of known) {
      if (known.size <= MOST_PATHS) break
      known.delete(oldest)
    }
    noted.set(source, known)
  }
  return {
    note(names, source) {
      if (source === 'task') pending = [...pending, ...names].slice(-MOST_PATHS)
      else remember(names, source)
    },
    about(files) {
      if (pending.length > 0) remember(filesNamed(pending, files), 'task')
      pending = []
      return (path) => {
        let doubt = 1
        for (const [source, paths] of noted) if (paths.has(path)) doubt *= 1 - WEIGHTS[source]
        return 1 - doubt
      }
    },
  }
}

/** The files that the names mean: of each the one with this path, else those whose path ends with it, unless they are many. */
function filesNamed(names: readonly string[], files: readonly string[]): readonly string[] {
  const byLast = new Map<string, string[]>()
  for (const name of new Set(names)) byLast.set(lastOf(name), [...(byLast.get(lastOf(name)) ?? []), name])
  const found = new Map<string, string[]>()
  for (const file of files) {
    for (const name of byLast.get(lastOf(file)) ?? []) {
      if (file === name || file.endsWith(`/${name}`)) found.set(name, [...(found.get(name) ?? []), file])
    }
  }
  return [...found].flatMap(([name, paths]) => {
    if (paths.includes(name)) return [name]
    return paths.length <= MOST_BEARERS ? paths : []
  })
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
