import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The parts of a package.json that are of use here; what has another form than it should is left out. */
export interface PackageJson {
  readonly name?: string
  readonly packageManager?: string
  readonly scripts: Readonly<Record<string, string>>
}

/** Of the package.json in `folder`. Undefined where there is none that can be read as JSON. */
export async function readPackageJson(folder: string): Promise<PackageJson | undefined> {
  try {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8')
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null) return undefined
    const { name, packageManager, scripts } = value as Record<string, unknown>
    const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : []
    return {
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof packageManager === 'string' ? { packageManager } : {}),
      scripts: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    }
  } catch {
    return undefined
  }
}
