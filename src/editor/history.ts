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
  readonly origin: Origin
}

/** The fold over a journal: what was changed, in order. A mark is a point in it. */
export class History {
  private transitions: Transition[] = []
  private readonly made: { readonly line: number; readonly path: string }[] = []
  private readonly open = new Set<number>()
  private lines = 0
  readonly temporaries: string[] = []
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
      case 'alias':
        for (const transition of this.transitions.filter(({ path }) => path === line.inode))
          this.transitions.push({ ...transition, path: line.path })
        return
      case 'finished':
        this.finished = true
        return
      case 'displaced':
        return
    }
  }

  /** All paths that were ever touched. */
  paths(): Set<string> {
    return new Set(this.transitions.map(({ path }) => path))
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
        origin,
      })
    }
    return found
  }

  /** Directories that were made since the mark, innermost first. */
  directoriesSince(mark: number): string[] {
    const paths = this.made.filter(({ line }) => line >= mark).map(({ path }) => path)
    return [...new Set(paths)].sort((a, b) => b.split('/').length - a.split('/').length)
  }
}
