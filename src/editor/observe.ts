import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tellingGroups } from '../lib/process-group.ts'
import { type Conclusion, conclude, type Observation } from './conclude.ts'
import { errnoOf } from './file-state.ts'
import { GitUnusable, takeGitPicture } from './git-picture.ts'
import { noteAlias } from './hard-links.ts'
import { noteGroup } from './orphans.ts'
import { Album, type Picture, pictureFromJson, pictureToJson } from './picture.ts'
import type { RunStore } from './run-store.ts'
import { takeWalkPicture } from './walk-picture.ts'

const HEARTBEAT_MS = 1000

interface Participant {
  readonly created: 'ours' | 'kept'
  readonly changed: Set<string>
}

/**
 * Notes what commands of the repository's change: a picture of the tree before, a comparison after. Commands that overlap
 * share their pictures; what changed meanwhile is treated as a check's when one of them is a check. The processes of a command
 * are noted too, so that they can be ended when this process was killed.
 */
export class Observer {
  private readonly album: Album
  private readonly running = new Set<Participant>()
  private current: Observation | undefined
  private heartbeat: NodeJS.Timeout | undefined

  constructor(
    private readonly store: RunStore,
    private readonly underGit: boolean,
  ) {
    this.album = new Album(store.blobs)
  }

  async observe<T>(
    created: 'ours' | 'kept',
    run: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly changed: readonly string[] }> {
    const participant: Participant = { created, changed: new Set() }
    await this.store.exclusively(async () => {
      if (this.current !== undefined) await this.compare(this.current)
      this.running.add(participant)
      await this.begin()
    })
    try {
      const value = await tellingGroups((leader) => noteGroup(this.store.folder, leader), run)
      await this.end(participant)
      return { value, changed: [...participant.changed].sort() }
    } catch (error) {
      if (this.running.has(participant)) await this.end(participant)
      throw error
    }
  }

  private end(participant: Participant): Promise<void> {
    return this.store.exclusively(async () => {
      try {
        if (this.current !== undefined) await this.compare(this.current)
      } finally {
        this.running.delete(participant)
        if (this.running.size === 0) clearInterval(this.heartbeat)
      }
      if (this.running.size > 0) await this.begin()
    })
  }

  private async begin(): Promise<void> {
    const created = [...this.running].some((participant) => participant.created === 'kept') ? 'kept' : 'ours'
    const picture = await this.picture()
    // A command may detach a link, and nothing would tell then that the run had changed the file through another.
    if (this.store.history.inodes.size > 0) for (const path of picture.files.keys()) await noteAlias(this.store, path)
    const mark = this.store.history.mark()
    await writeFile(alivePath(this.store), '')
    await writeFile(picturePath(this.store, mark), pictureToJson(picture), { mode: 0o600 })
    await this.store.record({ type: 'observe', observation: mark, picture: pictureName(mark), created })
    this.current = { number: mark, mark, picture, created }
    clearInterval(this.heartbeat)
    this.heartbeat = setInterval(() => {
      const now = new Date()
      utimes(alivePath(this.store), now, now).catch(() => undefined)
    }, HEARTBEAT_MS).unref()
  }

  private async picture(): Promise<Picture> {
    if (!this.underGit) return takeWalkPicture(this.store.root, this.album)
    try {
      return await takeGitPicture(this.store.root, this.store.folder, this.album)
    } catch (error) {
      if (!(error instanceof GitUnusable)) throw error
      return takeWalkPicture(this.store.root, this.album)
    }
  }

  private async compare(observation: Observation): Promise<void> {
    this.current = undefined
    const { changed } = await conclude(this.store, observation)
    for (const participant of this.running) for (const path of changed) participant.changed.add(path)
    await discard(this.store, observation)
  }
}

/**
 * Concludes observations during which the process was killed: what changed up to its last sign of life is the command's,
 * what changed later may be a person's. Gives the paths that changed later.
 */
export async function concludeInterrupted(store: RunStore): Promise<readonly string[]> {
  const late: string[] = []
  for (const { observation, picture: name, created } of [...store.history.observations.values()]) {
    const text = await readFile(join(store.folder, name), 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) continue
    const until = (await stat(alivePath(store))).mtimeMs + 2 * HEARTBEAT_MS
    const interrupted = { number: observation, mark: observation, picture: pictureFromJson(text), created }
    const conclusion: Conclusion = await conclude(store, interrupted, until)
    late.push(...conclusion.late)
    await discard(store, interrupted)
  }
  return late
}

async function discard(store: RunStore, observation: Observation): Promise<void> {
  await rm(picturePath(store, observation.number), { force: true })
  if (observation.picture.index !== undefined) await rm(observation.picture.index, { force: true })
}

function alivePath(store: RunStore): string {
  return join(store.folder, 'alive')
}

function pictureName(number: number): string {
  return `picture-${number}.json`
}

function picturePath(store: RunStore, number: number): string {
  return join(store.folder, pictureName(number))
}
