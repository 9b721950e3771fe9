/** Which contents of files the model has seen, by hash: an edit against anything else would be against something it does not know. */
export interface SeenFiles {
  see(path: string, hash: string): void
  /** Content that the model has seen before is known to it also after a rollback gave it back. */
  isStale(path: string, hash: string): boolean
}

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, Set<string>>()
  return {
    see(path, hash) {
      const hashes = seen.get(path)
      if (hashes === undefined) seen.set(path, new Set([hash]))
      else hashes.add(hash)
    },
    isStale(path, hash) {
      const hashes = seen.get(path)
      return hashes !== undefined && !hashes.has(hash)
    },
  }
}
