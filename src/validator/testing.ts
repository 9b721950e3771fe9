import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CheckEvent } from '../core/event.ts'

/** For tests: a small repository in a folder of its own. */
export interface TestRepository {
  readonly root: string
  write(files: Readonly<Record<string, string>>): Promise<void>
  remove(): Promise<void>
}

const OWN_PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** `installed` are packages of this project's, linked into its `node_modules`. */
export async function makeRepository(
  files: Readonly<Record<string, string>>,
  installed: readonly string[] = [],
): Promise<TestRepository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'goatfied-validator-')))
  const write = async (more: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(more)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
  }
  await write(files)
  await mkdir(join(root, 'node_modules'), { recursive: true })
  for (const name of installed) {
    await mkdir(dirname(join(root, 'node_modules', name)), { recursive: true })
    await symlink(join(OWN_PACKAGES, name), join(root, 'node_modules', name))
  }
  return { root, write, remove: () => rm(root, { recursive: true, force: true }) }
}

/** Reads a generator to its end: what it yielded, in short, and what it returned. Progress depends on time and is left out. */
export async function readAll<T>(events: AsyncGenerator<CheckEvent, T>): Promise<{ events: string[]; value: T }> {
  const seen: string[] = []
  for (;;) {
    const next = await events.next()
    if (next.done === true) return { events: seen, value: next.value }
    const event = next.value
    if (event.type === 'check.started') seen.push(`started ${event.phase} ${event.check.id}`)
    if (event.type === 'check.ended') seen.push(`${event.result.status} ${event.phase} ${event.result.check.id}`)
  }
}

/** Notes no changes: what a check changes is the working tree's matter. */
export const observe = async <T>(_: 'ours' | 'kept', run: () => Promise<T>) => ({ value: await run(), changed: [] })
export const never = new AbortController().signal

/** The text of a package.json. */
export function manifest(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ scripts, ...more })
}

/** The files of an installed package whose command runs `script` (CommonJS). */
export function installedTool(name: string, script = '', bin = name): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', bin: { [bin]: 'bin.js' } }),
    [`node_modules/${name}/bin.js`]: script,
    [`node_modules/.bin/${bin}`]: '',
  }
}
