import { stat } from 'node:fs/promises'
import path from 'node:path'
import { NONE_OF_THESE } from '../core/constraint.ts'
import type { Repair } from '../core/event.ts'
import type { Correctable } from '../core/failure.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { type Place, pointerTo, replaceAt } from '../core/json-pointer.ts'
import type { PathIndex, RankedPath } from '../core/ports.ts'
import type { ArgumentKind } from '../core/tool.ts'
import { stringsAt } from './strings-at.ts'
import { type AnyTool, type CallName, outOfScope } from './tool.ts'

const MOST_CANDIDATES = 20
/** A path from elsewhere is taken for a mistyped one of the repository when something here resembles it at least so much. */
const RESEMBLES = 0.5
export const MEANT_PATH = 'the only existing path that it can mean'
/** What a tool that only reads may take for the path that was meant. */
const FAR_AHEAD = { score: 0.9, lead: 0.25 } as const

/** A path argument that can't be used as it is: outside of the root, or not there though it has to be. */
interface Misplaced {
  readonly place: Place
  readonly written: string
  readonly kind: ArgumentKind
  readonly reason?: string
}

export interface PlainPaths {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
  /** In the order of the arguments. */
  readonly misplaced: readonly Misplaced[]
}

/** Brings every path argument to its plain form, relative to the root, and notes those that lead out of it. */
export async function plainPaths(value: JsonObject, tool: AnyTool, index: PathIndex): Promise<PlainPaths> {
  let current: Json = value
  const repairs: Repair[] = []
  const misplaced: Misplaced[] = []
  for (const [pointer, kind] of Object.entries(tool.spec.argumentKinds)) {
    if (kind !== 'existing-path' && kind !== 'new-path' && kind !== 'directory') continue
    for (const { place, value: written } of stringsAt(current, pointer)) {
      if (written === '' || written === NONE_OF_THESE) continue
      const confined = await index.confine(written)
      if (!confined.ok) {
        misplaced.push({ place, written, kind, reason: confined.reason })
      } else if (confined.path !== written) {
        current = replaceAt(current, place, confined.path)
        repairs.push({ pointer: pointerTo(place), from: written, to: confined.path, reason: 'path in its plain form' })
      }
    }
  }
  return { value: current as JsonObject, repairs, misplaced }
}

export type Resolved =
  | { readonly ok: true; readonly value: JsonObject; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly failure: Correctable }

/**
 * Looks up every path argument that has to exist. The first one that can't be found or leads out of the root is the
 * failure, with the paths that resemble it; a tool that only reads takes a unique candidate far ahead instead.
 */
export async function resolvePaths(
  plain: PlainPaths,
  tool: AnyTool,
  { root, index }: { readonly root: string; readonly index: PathIndex },
  call: CallName,
): Promise<Resolved> {
  let current: Json = plain.value
  const repairs: Repair[] = []
  const missing = [...plain.misplaced, ...(await missingPaths(plain, tool, root))]
  for (const argument of missing) {
    const kind = argument.kind === 'directory' ? 'directory' : 'file'
    const isNone = argument.written === NONE_OF_THESE
    const canBeRanked = argument.kind !== 'new-path' && !isNone
    const ranked = canBeRanked ? await rank(index, argument.written, kind, tool) : []
    const leadsOut = argument.reason !== undefined
    if (leadsOut && ((ranked[0]?.score ?? 0) < RESEMBLES || (await exists(root, argument.written)))) {
      return outOfScope(call, argument.written, argument.reason)
    }
    const meant = tool.spec.effect === 'read' ? clearlyMeant(argument.written, ranked) : undefined
    const pointer = pointerTo(argument.place)
    if (meant === undefined) return { ok: false, failure: notFound(call, argument, kind, pointer, ranked) }
    current = replaceAt(current, argument.place, meant)
    repairs.push({ pointer, from: argument.written, to: meant, reason: MEANT_PATH })
  }
  const cased = await realCase(current as JsonObject, tool, root, index)
  return { ok: true, value: cased.value, repairs: [...repairs, ...cased.repairs] }
}

async function missingPaths(plain: PlainPaths, tool: AnyTool, root: string): Promise<readonly Misplaced[]> {
  const missing: Misplaced[] = []
  const outside = new Set(plain.misplaced.map(({ place }) => pointerTo(place)))
  for (const { place, value, kind } of existingPaths(plain.value, tool)) {
    if (outside.has(pointerTo(place)) || (await exists(root, value))) continue
    if (tool.acceptsGlobs === true && /[*?{[]/.test(value)) continue
    missing.push({ place, written: value, kind })
  }
  return missing
}

function* existingPaths(value: JsonObject, tool: AnyTool) {
  for (const [pointer, kind] of Object.entries(tool.spec.argumentKinds)) {
    if (kind !== 'existing-path' && kind !== 'directory') continue
    for (const found of stringsAt(value, pointer)) yield { ...found, kind }
  }
}

async function exists(root: string, file: string): Promise<boolean> {
  return stat(path.resolve(root, file)).then(
    () => true,
    () => false,
  )
}

/** A tool that only reads may mean a folder where it takes a file too. */
async function rank(
  index: PathIndex,
  query: string,
  kind: 'file' | 'directory',
  tool: AnyTool,
): Promise<readonly RankedPath[]> {
  const ranked = await index.rank(query, kind, MOST_CANDIDATES)
  if (kind === 'directory' || tool.spec.effect !== 'read') return ranked
  const folders = await index.rank(query, 'directory', MOST_CANDIDATES)
  return merge(ranked, folders).slice(0, MOST_CANDIDATES)
}

/** Each list keeps its order, in which the first score need not be the highest. */
function merge(files: readonly RankedPath[], folders: readonly RankedPath[]): readonly RankedPath[] {
  const merged: RankedPath[] = []
  let next = 0
  for (const file of files) {
    for (let folder = folders[next]; folder !== undefined && folder.score > file.score; folder = folders[next]) {
      merged.push(folder)
      next += 1
    }
    merged.push(file)
  }
  return [...merged, ...folders.slice(next)]
}

/** The candidate far ahead of the second, or the only one that differs in letter case alone. */
function clearlyMeant(written: string, ranked: readonly RankedPath[]): string | undefined {
  const folded = written.toLowerCase()
  const sameButCase = ranked.filter((candidate) => candidate.path.toLowerCase() === folded)
  const [first] = ranked
  if (sameButCase.length > 0) return sameButCase.length === 1 ? sameButCase[0]?.path : undefined
  if (first === undefined || first.score < FAR_AHEAD.score) return undefined
  return lead(ranked) >= FAR_AHEAD.lead ? first.path : undefined
}

/** By resemblance alone: what evidence put first has no lead before one that resembles the query more. */
function lead([first, ...others]: readonly RankedPath[]): number {
  return Math.max(0, (first?.score ?? 0) - Math.max(0, ...others.map(({ score }) => score)))
}

function notFound(
  call: CallName,
  argument: Misplaced,
  kind: 'file' | 'directory',
  pointer: string,
  ranked: readonly RankedPath[],
): Correctable {
  return {
    ...call,
    kind: 'target.not-found',
    target: kind === 'directory' ? 'directory' : 'path',
    pointer,
    value: argument.written,
    candidates: ranked.map((candidate) => candidate.path),
    exhaustive: false,
    lead: lead(ranked),
  }
}

/** On a file system that ignores letter case a path is found in any; it is called by its real name all the same. */
async function realCase(value: JsonObject, tool: AnyTool, root: string, index: PathIndex) {
  let current: Json = value
  const repairs: Repair[] = []
  const files = await index.files()
  for (const { place, value: file, kind } of existingPaths(value, tool)) {
    if (kind !== 'existing-path' || files.includes(file)) continue
    const folded = file.toLowerCase()
    const twin = files.find((other) => other.toLowerCase() === folded)
    if (twin === undefined || !(await isSameFile(path.join(root, file), path.join(root, twin)))) continue
    current = replaceAt(current, place, twin)
    repairs.push({ pointer: pointerTo(place), from: file, to: twin, reason: 'letter case' })
  }
  return { value: current as JsonObject, repairs }
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(a).catch(() => undefined), stat(b).catch(() => undefined)])
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev
}
