import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { Album, Picture, SeenFile } from './picture.ts'

const MOST_FILES = 20_000
const NEVER = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__'])

/** Where git can't say what is in the tree: all files that no `.gitignore` ignores, at most 20,000. */
export async function takeWalkPicture(root: string, album: Album): Promise<Picture> {
  const takenAt = Date.now()
  const files = new Map<string, SeenFile>()
  const paths = await walk(root)
  for (const path of paths) {
    const seen = await album.look(path, join(root, path))
    if (seen !== undefined) files.set(path, seen)
  }
  const complete = paths.length < MOST_FILES
  return { takenAt, files, clean: new Map(), complete, submodules: [], hidden: [], uncovered: {} }
}

/** Files and links below `root`, relative, breadth first; links are not followed. */
export async function walk(root: string): Promise<string[]> {
  const found: string[] = []
  const folders: { path: string; rules: readonly { base: string; rule: Ignore }[] }[] = [{ path: '', rules: [] }]
  for (let next = folders.shift(); next !== undefined && found.length < MOST_FILES; next = folders.shift()) {
    const { path } = next
    const own = await readFile(join(root, path, '.gitignore'), 'utf8').catch(() => undefined)
    const rules = own === undefined ? next.rules : [...next.rules, { base: path, rule: ignore().add(own) }]
    const entries: Dirent[] = await readdir(join(root, path), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (NEVER.has(entry.name) || ignored(inside, entry.isDirectory(), rules)) continue
      if (entry.isDirectory()) folders.push({ path: inside, rules })
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(inside)
    }
  }
  return found.slice(0, MOST_FILES)
}

/** The innermost file with a rule for the path decides, as in git. */
function ignored(path: string, directory: boolean, rules: readonly { base: string; rule: Ignore }[]): boolean {
  for (const { base, rule } of [...rules].reverse()) {
    const inside = (base === '' ? path : path.slice(base.length + 1)) + (directory ? '/' : '')
    const verdict = rule.test(inside)
    if (verdict.ignored || verdict.unignored) return verdict.ignored
  }
  return false
}
