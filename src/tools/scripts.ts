import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The scripts of the package.json in `root`; none where it is missing or not to be read. */
export async function readScripts(root: string): Promise<Readonly<Record<string, string>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    const scripts: unknown =
      typeof value === 'object' && value !== null && 'scripts' in value ? value.scripts : undefined
    if (typeof scripts !== 'object' || scripts === null) return {}
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
