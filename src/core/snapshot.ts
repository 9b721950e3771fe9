/** A handle to the state of the tree before an attempt. */
export interface Snapshot {
  readonly id: string
  /** The stash-shaped commit's ref, where git could build one. */
  readonly ref?: string
  /** Why there is no such commit, in plain words. */
  readonly limitation?: string
}

/** What giving the tree back did. Paths are repository-relative. */
export interface RestoreReport {
  readonly restored: readonly string[]
  /** Left alone because somebody else changed them after the run did. */
  readonly conflicts: readonly string[]
}

/** The change of one file against a snapshot, as a unified diff with `a/` and `b/` headers. */
export interface FileChange {
  readonly path: string
  readonly action: 'edited' | 'created' | 'deleted'
  readonly diff: string
  readonly added: number
  readonly removed: number
}
