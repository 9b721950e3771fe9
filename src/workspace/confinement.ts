import { lstat, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'

/** A repository-relative path with `/` (`.` for the root), or why it may not be touched, in words for a model. */
export type Confined = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string }

/** How many links may follow one another before they are taken for a loop. */
const MOST_LINKS = 40

/**
 * Brings a path as a model wrote it (absolute, `./`, backslashes, doubled slashes) to its plain form. It is refused when it
 * leaves `root` by its words, when links lead it out of the real root (also through a link whose target does not exist yet),
 * and when it is in a `.git`. Nothing needs to exist.
 */
export async function confine(root: string, written: string): Promise<Confined> {
  if (written.includes('\0')) return refused('it contains a null character')
  const literal = path.resolve(root, written)
  const absolute =
    path.sep === '/' && written.includes('\\') && !(await exists(literal))
      ? path.resolve(root, written.replaceAll('\\', '/'))
      : literal
  const realRoot = await realpath(root)
  const relative = relativeInside(root, absolute) ?? relativeInside(realRoot, absolute)
  if (relative === undefined) return refused('it is outside of the repository')
  if (inGit(relative)) return refused('it is in a .git folder')
  const location = await realLocation(path.join(realRoot, relative))
  if (location === undefined) return refused('its symbolic links lead in a circle')
  const real = relativeInside(realRoot, location)
  if (real === undefined) return refused('a symbolic link leads out of the repository')
  if (inGit(real)) return refused('a symbolic link leads into a .git folder')
  return { ok: true, path: relative === '' ? '.' : relative.split(path.sep).join('/') }
}

function refused(reason: string): Confined {
  return { ok: false, reason }
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}

/** `/repo-evil` is not inside of `/repo`: compared by whole segments. */
function relativeInside(root: string, absolute: string): string | undefined {
  const relative = path.relative(root, absolute)
  const outside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
  return outside ? undefined : relative
}

/** On file systems that ignore letter case `.GIT` is the same folder. */
function inGit(relative: string): boolean {
  return relative.split(path.sep).some((segment) => segment.toLowerCase() === '.git')
}

/**
 * Where a path really is, all links resolved, whether or not it exists: the real path of its deepest existing ancestor and
 * the rest. `realpath` alone fails on a dangling link, through which a write would still make the target.
 */
async function realLocation(absolute: string): Promise<string | undefined> {
  let current = absolute
  let rest = ''
  for (let links = 0; links < MOST_LINKS; ) {
    const real = await realpath(current).catch(() => undefined)
    if (real !== undefined) return path.join(real, rest)
    const target = await readlink(current).catch(() => undefined)
    if (target !== undefined) {
      links += 1
      current = path.resolve(path.dirname(current), target)
      continue
    }
    const parent = path.dirname(current)
    if (parent === current) return path.join(current, rest)
    rest = path.join(path.basename(current), rest)
    current = parent
  }
  return undefined
}
