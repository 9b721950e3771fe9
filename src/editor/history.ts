import type { FileState } from './file-state.ts'
import { sameContent } from './file-state.ts'
import type { JournalLine, Origin } from './journal.ts'

interface Transition {
  readonly line: number
  readonly path: string
  readonly before: FileState
  readonly after: FileState
  readonly inPlace: boolean
  readonly origin: Origin
}

/** What the run did to one path since a mark. */
export interface PathHistory {
  readonly path: string
  /** What is given back: the state at the mark or, where somebody else changed the path in between, what they left there. */
  readonly target: FileState
  /** True when somebody else changed the path between two changes of the run's. */
  readonly interleaved: boolean
  /** The states that the run may have left there: more than one when the last change was cut short. */
  readonly left: readonly FileState[]
  /** The last change may have been cut short in the middle of the file. */
  readonly torn: boolean
  /** Every change kept the inode of the file. */
  readonly sameInode: boolean
  /** The model had a part in it, by an edit or by a command. */
  readonly byRun: boolean
  /** A command or a check had a part in it, so that somebody beside it may have had one too. */
  readonly byCommand: boolean
}

/** What became of a path while checks ran, by them or by somebody else. */
export interface Doubt {
  readonly path: string
  readonly before: FileState
  readonly after: FileState
  /** It began before the run's first edit. */
  readonly atBaseline: boolean
}

/** The fold over a journal: what was changed, in order. A mark is a point in it. */
export class History {
  private transitions: Transition[] = []
  private doubts: (Doubt & { readonly line: number })[] = []
  private readonly unseen: { readonly line: number; readonly what: string }[] = []
  private edited = false
  /** What was moved or copied out of the tree, to files of the run folder. */
  readonly displaced: { readonly path: string; readonly file: string }[] = []
  private readonly made: { readonly line: number; readonly path: string }[] = []
  private readonly open = new Set<number>()
  private lines = 0
  readonly temporaries: string[] = []
  /** The points to which the tree can be given back, by name. */
  readonly snapshots = new Map<string, number>()
  /** Observations that were begun and not concluded. */
  readonly observations = new Map<number, Extract<JournalLine, { type: 'observe' }>>()
  /** The journal's own names for inodes with several links that were overwritten. */
  readonly inodes = new Set<string>()
  finished = false

  /** Folds in the next line of the journal. */
  add(line: JournalLine): void {
    const index = this.lines++
    switch (line.type) {
      case 'change':
        this.edited ||= line.origin === 'editor'
        for (const { path, before, after, inPlace } of line.changes)
          this.transitions.push({ line: index, path, before, after, inPlace: inPlace === true, origin: line.origin })
        if (line.inode !== undefined) this.inodes.add(line.inode)
        for (const path of line.directories) this.made.push({ line: index, path })
        if (line.observation === undefined) {
          this.open.add(index)
          this.temporaries.push(...line.temporaries)
        } else this.observations.delete(line.observation)
        return
      case 'void':
        this.transitions = this.transitions.filter((transition) => transition.line !== line.line)
        this.close(line.line)
        return
      case 'done':
        this.close(line.line)
        return
      case 'observe':
        this.observations.set(line.observation, line)
        return
      case 'doubt':
        for (const { path, before, after } of line.changes)
          this.doubts.push({ line: index, path, before, after, atBaseline: !this.edited })
        return
      case 'claim':
        this.claim(new Set(line.paths))
        return
      case 'uncovered':
        for (const what of line.what) this.unseen.push({ line: index, what })
        return
      case 'alias':
        for (const transition of this.transitions.filter(({ path }) => path === line.inode))
          this.transitions.push({ ...transition, path: line.path })
        return
      case 'finished':
        this.finished = true
        return
      case 'snapshot':
        this.snapshots.set(line.id, index)
        return
      case 'displaced':
        this.displaced.push({ path: line.path, file: line.file })
        return
    }
  }

  /** All paths that were ever touched. */
  paths(): Set<string> {
    return new Set(this.transitions.map(({ path }) => path))
  }

  /** What was in doubt is a check's from where it was seen on. */
  private claim(paths: ReadonlySet<string>): void {
    for (const { line, path, before, after } of this.doubts.filter((doubt) => paths.has(doubt.path)))
      this.transitions.push({ line, path, before, after, inPlace: false, origin: 'check' })
    this.transitions.sort((a, b) => a.line - b.line)
    this.doubts = this.doubts.filter((doubt) => !paths.has(doubt.path))
  }

  private close(line: number): void {
    this.open.delete(line)
    if (this.open.size === 0) this.temporaries.length = 0
  }

  /** The present point. Marks count lines of the journal. */
  mark(): number {
    return this.lines
  }

  /** What the run did since the mark, by path. Paths in the order in which they were first touched. */
  since(mark: number): Map<string, PathHistory> {
    const found = new Map<string, PathHistory>()
    for (const transition of this.transitions) {
      if (transition.line < mark) continue
      const { path, before, after, origin } = transition
      const earlier = found.get(path)
      const continues = earlier?.left.some((state) => sameContent(state, before)) === true || earlier?.torn === true
      const unfinished = this.open.has(transition.line)
      found.set(path, {
        path,
        target: earlier !== undefined && continues ? earlier.target : before,
        interleaved: earlier !== undefined && (earlier.interleaved || !continues),
        left: unfinished ? [after, before] : [after],
        torn: unfinished && transition.inPlace,
        sameInode: transition.inPlace && (earlier === undefined || !continues || earlier.sameInode),
        byRun: earlier?.byRun === true || origin === 'editor' || origin === 'command',
        byCommand: earlier?.byCommand === true || origin === 'command' || origin === 'check',
      })
    }
    return found
  }

  /** What is in doubt since the mark, by path: from the first state before to the last after. */
  doubtsSince(mark: number): Map<string, Doubt> {
    const found = new Map<string, Doubt>()
    for (const { line, path, before, after, atBaseline } of this.doubts) {
      if (line < mark) continue
      const earlier = found.get(path)
      found.set(path, earlier === undefined ? { path, before, after, atBaseline } : { ...earlier, after })
    }
    return found
  }

  /** What commands changed since the mark and a restore can't give back, in words. */
  uncoveredSince(mark: number): string[] {
    return [...new Set(this.unseen.filter(({ line }) => line >= mark).map(({ what }) => what))]
  }

  /** Directories that were made since the mark, innermost first. */
  directoriesSince(mark: number): string[] {
    const paths = this.made.filter(({ line }) => line >= mark).map(({ path }) => path)
    return [...new Set(paths)].sort((a, b) => b.split('/').length - a.split('/').length)
  }
}
