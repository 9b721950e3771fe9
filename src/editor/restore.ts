import { FailureError } from '../core/failure.ts'
import type { Displaced, RestoreReport } from '../core/snapshot.ts'
import { errnoOf, type FileState, inspect, sameContent, sameState, stampOf } from './file-state.ts'
import type { PathHistory } from './history.ts'
import { chooseWay, makeParents, parentIsReal, removeIfEmpty, type Way } from './place.ts'
import type { RunStore } from './run-store.ts'

interface Step {
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
  const shown = (paths: Iterable<string>) => [...paths].filter((path) => !store.isOwn(path)).sort()
  const doubted = await doubtsIn(store, mark)
  const uncovered = store.history.uncoveredSince(mark).map((what) => `not covered: ${what}`)
  const whole = [...conflicts].filter((path) => !doubted.has(path))
  return {
    restored: shown(restored),
    conflicts: [...shown(whole), ...[...doubted.values()].sort(), ...uncovered],
    ...(displaced.length > 0 && { displaced }),
  }

  async function giveBack(paths: readonly PathHistory[]): Promise<void> {
    const steps: Step[] = []
    for (const history of paths) {
      try {
        const step = await planStep(store, history)
        if (step === 'conflict') conflicts.add(history.path)
        else if (step !== 'as-before') steps.push(step)
      } catch (error) {
        broken.push({ path: history.path, reason: wordsOf(error) })
      }
    }
    if (steps.length === 0) return
    const line = await store.record({
      type: 'change',
      origin: 'restore',
      changes: steps.map(({ history, present, target, way }) => ({
        path: history.path,
        before: present,
        after: target,
        ...(way.inPlace ? { inPlace: true as const } : {}),
      })),
      directories: [],
      temporaries: steps.map(({ way }) => store.relative(way.temporary)),
    })
    for (const { history, target, way } of steps) {
      try {
        const absolute = store.absolute(history.path)
        if (target.kind !== 'absent') await makeParents(absolute)
        const kept = await store.put(history.path, target, way, history.byCommand || history.torn)
        if (kept !== undefined && !store.isOwn(history.path)) displaced.push({ path: history.path, kept })
        restored.push(history.path)
      } catch (error) {
        broken.push({ path: history.path, reason: wordsOf(error) })
      }
    }
    if (broken.length === 0) await store.record({ type: 'done', line }, false)
  }
}

async function planStep(store: RunStore, history: PathHistory): Promise<Step | 'conflict' | 'as-before'> {
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
  if (present.kind === 'file' && present.size <= MOST_KEPT) await store.blobs.capture(absolute, { durable: false })
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

/** Permission bits that somebody else has changed since stay as they are. */
function withModeOf(target: FileState, present: FileState, left: FileState | undefined): FileState {
  if (target.kind !== 'file' || present.kind !== 'file' || left?.kind !== 'file') return target
  return present.mode === left.mode ? target : { ...target, mode: present.mode }
}

function wordsOf(error: unknown): string {
  if (errnoOf(error) === 'ENOENT') return 'its former bytes are missing from the run folder'
  return error instanceof Error ? error.message : String(error)
}
