import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecord, parseJson } from './parse/json.ts'

/** A package as it is installed for a folder. */
export interface InstalledPackage {
  readonly version: string
  /** Absolute path of the script behind the command, to be run with Node itself: no PATH, no `.cmd` shim. */
  readonly entry: string
}

/** The package's command `bin` as Node would find it from `folder`, or undefined when it is not installed. */
export async function findInstalled(name: string, bin: string, folder: string): Promise<InstalledPackage | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', name)
    const found = await readInstalled(home, bin)
    if (found !== undefined) return found
    if (dirname(at) === at) return undefined
  }
}

async function readInstalled(home: string, bin: string): Promise<InstalledPackage | undefined> {
  const text = await readFile(join(home, 'package.json'), 'utf8').catch(() => undefined)
  const manifest = text === undefined ? undefined : parseJson(text)
  if (!isRecord(manifest)) return undefined
  const entry = isRecord(manifest.bin) ? manifest.bin[bin] : manifest.bin
  if (typeof entry !== 'string') return undefined
  const path = await realpath(join(home, entry)).catch(() => undefined)
  if (path === undefined) return undefined
  return { version: typeof manifest.version === 'string' ? manifest.version : '', entry: path }
}
