import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** In the order in which one stands in for the other. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'] as const
/** Bytes of all files together: they are sent with every request. */
const MOST_BYTES = 8_000

/**
 * What the repository says of how to work in it: AGENTS.md (CLAUDE.md where there is none) of `cwd` and of every folder above
 * it up to `root`, nearest first, each under its path. Cut where it gets too long, and said so.
 */
export async function readInstructions(root: string, cwd: string): Promise<string> {
  const parts: string[] = []
  let left = MOST_BYTES
  for (const folder of foldersUp(root, cwd)) {
    const found = await firstOf(folder)
    if (found === undefined || left <= 0) continue
    const title = path.relative(root, path.join(folder, found.name))
    const text = found.text.trim()
    const shown = text.length <= left ? text : `${text.slice(0, left)}\n(cut)`
    parts.push(`# ${title}\n${shown}`)
    left -= text.length
  }
  return parts.join('\n\n')
}

function foldersUp(root: string, cwd: string): readonly string[] {
  const below = path.relative(root, cwd)
  if (below === '' || below.startsWith('..') || path.isAbsolute(below)) return [root]
  return [cwd, ...foldersUp(root, path.dirname(cwd))]
}

async function firstOf(folder: string): Promise<{ readonly name: string; readonly text: string } | undefined> {
  for (const name of NAMES) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => '')
    if (text.trim() !== '') return { name, text }
  }
  return undefined
}
