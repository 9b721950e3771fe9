import { sameContent, sameState } from './file-state.ts'
import { headOf, restaged } from './git-standing.ts'
import type { Doubt, PathHistory } from './history.ts'
import type { Change } from './journal.ts'
import type { Picture } from './picture.ts'
import type { RunStore } from './run-store.ts'

/** Whose the changes are that were seen while a check ran. */
export interface Blame {
  /** Given back by a restore. */
  readonly ours: readonly Change[]
  /** Left alone and reported: the check's, or somebody's who works beside the run. */
  readonly doubted: readonly Change[]
  /** Paths that were in doubt until now and are a check's. */
  readonly claimed: readonly string[]
}

/** What tests write by themselves. */
const ARTEFACT = /(?:^|\/)(?:__snapshots__|coverage|\.nyc_output)\/|\.snap$/

/**
 * Nobody can know who wrote a file while a check ran. What the model has changed, and the run has not given back, is the
 * run's. Of everything else only what is known as work of checks is: snapshots and coverage, and what changed during the
 * checks before the first edit as well. Even that is not where HEAD, its branch or the file's entry in the index moved: a
 * person was at work. A new file is left where it is, unless it stands in the place of something that is the run's.
 */
export async function blame(store: RunStore, picture: Picture, changes: readonly Change[]): Promise<Blame> {
  const all = store.history.since(0)
  const doubts = store.history.doubtsSince(0)
  const isTouched = (path: string): boolean => store.isOwn(path) || isHeld(all.get(path))
  const isChecks = ({ path, before }: Change): boolean =>
    ARTEFACT.test(path) || all.get(path)?.byRun === false || isRepeated(doubts.get(path), before)

  const fresh = changes.filter(({ path, before }) => before.kind === 'absent' && !isTouched(path))
  const known = changes.filter((change) => !fresh.includes(change))
  const touched = known.filter(({ path }) => isTouched(path))
  const likely = known.filter((change) => !touched.includes(change) && isChecks(change))
  const moved = await movedByPerson(store.root, picture, likely)
  const ours = new Set([...touched, ...likely.filter(({ path }) => !moved.has(path))])
  const places = new Set([...ours].map(({ path }) => path))
  const inPlace = (path: string): boolean => foldersOf(path).some((folder) => places.has(folder) || isTouched(folder))
  for (const change of fresh) if (inPlace(change.path)) ours.add(change)

  return {
    ours: changes.filter((change) => ours.has(change)),
    doubted: changes.filter((change) => !ours.has(change)),
    claimed: likely.map(({ path }) => path).filter((path) => !moved.has(path) && doubts.has(path)),
  }
}

/** The model changed the path, and what it left is not what was there before the run. */
function isHeld(history: PathHistory | undefined): boolean {
  if (history?.byRun !== true) return false
  return history.left.some((state) => !sameState(state, history.target))
}

/** The checks before the first edit changed the file, and nobody has since. */
function isRepeated(doubt: Doubt | undefined, before: Change['before']): boolean {
  return doubt?.atBaseline === true && doubt.before.kind !== 'absent' && sameContent(doubt.after, before)
}

async function movedByPerson(root: string, picture: Picture, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const paths = changes.map(({ path }) => path)
  if (paths.length === 0 || picture.index === undefined || picture.head === undefined) return new Set()
  return (await headOf(root)) === picture.head ? restaged(root, picture.index, paths) : new Set(paths)
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
