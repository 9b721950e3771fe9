import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'

/**
 * The folder a run works in: the git repository's top where that has a package.json, else the nearest folder from `cwd`
 * upwards that has one. Throws a `UserError` (2) where there is none.
 */
export function findRoot(cwd: string): string {
  const start = resolve(cwd)
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`${start} is not a folder.`, EXIT.usage)
  const above = upwards(start)
  const top = above.find((folder) => existsSync(join(folder, '.git')))
  const inside = top === undefined ? above : above.slice(0, above.indexOf(top) + 1)
  const packages = inside.filter((folder) => existsSync(join(folder, 'package.json')))
  const [nearest] = packages
  if (top !== undefined && packages.includes(top)) return top
  if (nearest !== undefined) return nearest
  throw new UserError(
    top === undefined
      ? `${start} is not a git repository and has no package.json: run goatfied in a project, or name one with -C.`
      : `${top} has no package.json: goatfied needs one to find the project's checks. Name the package's folder with -C.`,
    EXIT.usage,
  )
}

/** The folder and all above it, nearest first. */
function upwards(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...upwards(parent)]
}
