import { FailureError } from '../core/failure.ts'
import type { Displaced, RestoreReport } from '../core/snapshot.ts'
import { errnoOf, type FileState, inspect, sameContent, sameState, stampOf } from './file-state.ts'
import type { PathHistory } from './history.ts'
import { chooseWay, makeParents, missingParents, parentIsReal, removeIfEmpty, type Way } from './place.ts'
import type { RunStore } from './run-store.ts'

/** What giving one path back takes: from the state in which it is to the one that it gets. */
export interface Step {
  readonly history: PathHistory
  readonly present: FileState
  readonly target: FileState
  readonly way: Way
}

/**
 * Gives back every path that the run changed since the mark: bytes, mode, link target; then removes the directories that
 * were made for it and are empty. A path whose content is not what the run left there is somebody else's now: it stays
 * and is reported; so does what changed during a check and may be somebody else's. What a command, or somebody beside it, had
 * a hand in is copied to the run folder before it goes, and reported too. Can be cut short and repeated at any point. Throws `internal.restore`, with the paths, for what could
 * not be given back; the others are.
 */
export async function restoreSince(store: RunStore, mark: number): Promise<RestoreReport> {
  const histories = [...store.history.since(mark).values()]
  const restored: string[] = []
  const conflicts = new Set<string>(histories.filter(({ interleaved }) => interleaved).map(({ path }) => path))
  const displaced: Displaced[] = []
  const broken: { path: string; reason: string }[] = []

  // What was made goes first, since it may stand where a directory has to be.
  const gone = histories.filter(({ target }) => target.kind === 'absent')
  await giveBack(gone)
  for (const directory of store.history.directoriesSince(mark)) await removeIfEmpty(store.absolute(directory))
  for (const { path } of gone) if ((await stampOf(store.absolute(path)))?.isDirectory()) conflicts.add(path)
  await giveBack(histories.filter(({ target }) => target.kind !== 'absent'))

  if (broken.length > 0) {
    const reason = broken.map(({ path, reason }) => `${path}: ${reason}`).join('; ')
    throw new FailureError({ kind: 'internal.restore', reason, paths: broken.map(({ path }) => path) }, reason)
  }
  return {
    restored: shown(store, restored),
    conflicts: await inWords(store, mark, conflicts),
    ...(displaced.length > 0 && { displaced }),
  }

  async function perform({ history, target, way }: Step): Promise<void> {
    if (target.kind !== 'absent') await makeParents(store.absolute(history.path))
    const kept = await store.put(history.path, target, way, saves(history))
    if (kept !== undefined && !store.isOwn(history.path)) displaced.push({ path: history.path, kept })
  }

  async function giveBack(paths: readonly PathHistory[]): Promise<void> {
    const steps: Step[] = []
    const planned = await inParallel(paths, (history) => planStep(store, history))
    for (const [index, { path }] of paths.entries()) {
      const { value: step, error } = planned[index] ?? {}
      if (error !== undefined) broken.push({ path, reason: wordsOf(error) })
      else if (step === 'conflict') conflicts.add(path)
      else if (step !== 'as-before' && step !== undefined) steps.push(step)
    }
    if (steps.length === 0) return
    for (const { error } of await inParallel(steps, (step) => keepPresent(store, step)))
      if (error !== undefined) throw error
    const line = await store.record({
      type: 'change',
      origin: 'restore',
      changes: steps.map(({ history, present, target, way }) => ({
        path: history.path,
        before: present,
        after: target,
        ...(way.inPlace ? { inPlace: true as const } : {}),
      })),
      directories: await foldersFor(store, steps),
      temporaries: steps.map(({ way }) => store.relative(way.temporary)),
    })
    // Two names of one file can't be written at once, nor what goes to the journal.
    const alone = steps.filter(({ history, way }) => way.inPlace || saves(history))
    const results = [
      ...(await inParallel(
        steps.filter((step) => !alone.includes(step)),
        perform,
      )),
      ...(await inParallel(alone, perform, 1)),
    ]
    for (const { item, error } of results)
      if (error === undefined) restored.push(item.history.path)
      else broken.push({ path: item.history.path, reason: wordsOf(error) })
    if (broken.length === 0) await store.record({ type: 'done', line }, false)
  }
}

/** What a command had a hand in, or was cut short, may be somebody else's in part. */
const saves = ({ byCommand, torn }: PathHistory) => byCommand || torn

const AT_ONCE = 8

interface Ended<T, R> {
  readonly item: T
  readonly value?: R
  readonly error?: unknown
}

/** Does the work for each item, so many at once, whatever becomes of the others. In the order of the items. */
async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = AT_ONCE,
): Promise<readonly Ended<T, R>[]> {
  const ended: Ended<T, R>[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as T
      ended[index] = await work(item).then(
        (value) => ({ item, value }),
        (error: unknown) => ({ item, error }),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return ended
}

/** Folders that are made anew, outermost first: a restore of this restore has to remove them. */
async function foldersFor(store: RunStore, steps: readonly Step[]): Promise<string[]> {
  const made = new Set<string>()
  for (const { history, target } of steps) {
    if (target.kind === 'absent') continue
    for (const folder of await missingParents(store.root, store.absolute(history.path)))
      made.add(store.relative(folder))
  }
  return [...made]
}

const shown = (store: RunStore, paths: Iterable<string>) => [...paths].filter((path) => !store.isOwn(path)).sort()

/** The conflicts of a report, see `RestoreReport`: paths, and what else can't be given back. */
export async function inWords(store: RunStore, mark: number, conflicts: Iterable<string>): Promise<string[]> {
  const doubted = await doubtsIn(store, mark)
  const uncovered = store.history.uncoveredSince(mark).map((what) => `not covered: ${what}`)
  const whole = [...conflicts].filter((path) => !doubted.has(path))
  return [...shown(store, whole), ...[...doubted.values()].sort(), ...uncovered]
}

/** Touches nothing. `conflict`: what is there is not the run's, or the former state is not known. */
export async function planStep(store: RunStore, history: PathHistory): Promise<Step | 'conflict' | 'as-before'> {
  const absolute = store.absolute(history.path)
  if (!(await parentIsReal(absolute))) return history.target.kind === 'absent' ? 'as-before' : 'conflict'
  const present = await inspect(absolute)
  if (sameState(present, history.target)) return 'as-before'
  // A folder in the place of what was not there: it goes, if it was made for what goes now.
  if (history.target.kind === 'absent' && (await stampOf(absolute))?.isDirectory()) return 'as-before'
  const mine = history.left.find((state) => sameContent(state, present))
  const known = history.target.kind !== 'unknown' && history.target.kind !== 'other'
  if (!known || present.kind === 'other' || (mine === undefined && !history.torn)) return 'conflict'
  const target = withModeOf(history.target, present, mine)
  if (sameState(present, target)) return 'as-before'
  return { history, present, target, way: await chooseWay(absolute, history.sameInode) }
}

/** What changed while checks ran and is not as it was, in words; files that were made then are left without a word. */
async function doubtsIn(store: RunStore, mark: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { path, before } of store.history.doubtsSince(mark).values()) {
    if (before.kind === 'absent' || sameState(await inspect(store.absolute(path)), before)) continue
    const kept = before.kind === 'file' && (await store.blobs.has(before.hash))
    const where = kept ? `; its former content is in ${store.blobs.pathOf(before.hash)}` : ''
    found.set(path, `${path} (a check or somebody else changed it${where})`)
  }
  return found
}

/** What the run itself made is kept up to this size, so that a later restore may go back to it. */
const MOST_KEPT = 64 << 20

async function keepPresent(store: RunStore, { history, present }: Step): Promise<void> {
  if (present.kind !== 'file' || present.size > MOST_KEPT) return
  await store.blobs.capture(store.absolute(history.path), { durable: false })
}

/** Permission bits that somebody else has changed since stay as they are. */
function withModeOf(target: FileState, present: FileState, left: FileState | undefined): FileState {
  if (target.kind !== 'file' || present.kind !== 'file' || left?.kind !== 'file') return target
  return present.mode === left.mode ? target : { ...target, mode: present.mode }
}

function wordsOf(error: unknown): string {
  if (errnoOf(error) === 'ENOENT') return 'its former bytes are missing from the run folder'
  return error instanceof Error ? error.message : String(error)
}
