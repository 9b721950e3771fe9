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
  /**
   * Left alone because somebody else changed them, or may have; where more is to be said, the path has words after it. Lines
   * that begin with `not covered: ` name what a command changed out of the run's sight.
   */
  readonly conflicts: readonly string[]
  /** What was taken away or overwritten though a command, or somebody beside it, had written it; `kept` is the copy, absolute. */
  readonly displaced?: readonly Displaced[]
}

export interface Displaced {
  readonly path: string
  readonly kept: string
}

/** The change of one file against a snapshot, as a unified diff with `a/` and `b/` headers. */
export interface FileChange {
  readonly path: string
  readonly action: 'edited' | 'created' | 'deleted'
  readonly diff: string
  readonly added: number
  readonly removed: number
}
