/** A longer file is not kept. */
const MOST_BYTES = 512 * 1024

/** Which contents of files the model has seen, by hash: an edit against anything else would be against something it does not know. */
export interface SeenFiles {
  see(path: string, hash: string, bytes: Uint8Array): void
  /** Content that the model has seen before is known to it also after a rollback gave it back. */
  isStale(path: string, hash: string): boolean
  /** True for content that the model has seen, in whole or in part. */
  knows(path: string, hash: string): boolean
  /** What the model saw last; undefined where it saw nothing, or more than is kept. */
  lastSeen(path: string): Uint8Array | undefined
}

/** `onSeen` is told of each path, each time. */
export function createSeenFiles(onSeen: (path: string) => void): SeenFiles {
  const seen = new Map<string, { readonly hashes: Set<string>; last: Uint8Array | undefined }>()
  return {
    see(path, hash, bytes) {
      onSeen(path)
      const last = bytes.length > MOST_BYTES ? undefined : bytes
      const file = seen.get(path)
      if (file === undefined) seen.set(path, { hashes: new Set([hash]), last })
      else {
        file.hashes.add(hash)
        file.last = last
      }
    },
    isStale(path, hash) {
      const file = seen.get(path)
      return file !== undefined && !file.hashes.has(hash)
    },
    knows: (path, hash) => seen.get(path)?.hashes.has(hash) ?? false,
    lastSeen: (path) => seen.get(path)?.last,
  }
}
