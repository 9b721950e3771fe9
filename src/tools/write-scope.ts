import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { PathIndex } from '../core/ports.ts'

/**
 * Why a confined path may not be written or removed, in words; undefined when it may. Folders of other repositories
 * (submodules, embedded ones) are left alone, since no snapshot of this repository holds them.
 */
export async function whyNotWritable(root: string, file: string): Promise<string | undefined> {
  const relative = path
    .relative(root, await realLocation(path.join(root, file)))
    .split(path.sep)
    .join('/')
  if (/(?:^|\/)node_modules(?:\/|$)/i.test(relative)) return 'packages are installed, not edited'
  const segments = relative.split('/').slice(0, -1)
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const folder = segments.slice(0, depth).join('/')
    const status = await lstat(path.join(root, folder)).catch(() => undefined)
    if (status === undefined) return undefined
    if (status.isFile()) return `${folder} is a file, so nothing can be in it`
    const nested = await lstat(path.join(root, folder, '.git')).catch(() => undefined)
    if (nested !== undefined) return `${folder} is another repository (a submodule or an embedded one)`
  }
  return undefined
}

/** The path with the links of its deepest existing ancestor resolved. */
async function realLocation(absolute: string): Promise<string> {
  const real = await realpath(absolute).catch(() => undefined)
  const parent = path.dirname(absolute)
  if (real !== undefined || parent === absolute) return real ?? absolute
  return path.join(await realLocation(parent), path.basename(absolute))
}

/**
 * An existing path that differs from `file` in letter case only, also when just a folder of it does: on many file systems
 * both are the same. A path that exists as it is written has no twin.
 */
export async function caseTwin(index: PathIndex, file: string): Promise<string | undefined> {
  const files = await index.files()
  const folded = file.toLowerCase()
  const sameFile = files.find((other) => other.toLowerCase() === folded)
  if (sameFile !== undefined) return sameFile === file ? undefined : sameFile
  const known = new Set(await index.directories())
  const segments = file.split('/')
  for (let depth = 1; depth < segments.length; depth += 1) {
    const folder = segments.slice(0, depth).join('/')
    if (known.has(folder)) continue
    const twin = [...known].find((other) => other.toLowerCase() === folder.toLowerCase())
    return twin === undefined ? undefined : [twin, ...segments.slice(depth)].join('/')
  }
  return undefined
}
