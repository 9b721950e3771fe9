import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prompts } from '../core/prompts.ts'

/**
 * All prompt texts (`*.md`) below `dir`, by their path without ending, with `/` on every platform.
 * Reads synchronously, since nothing can start without them. Throws the file system's error when `dir` can't be read.
 */
export function loadPrompts(dir: string): Prompts {
  const names = namesBelow(dir, '').sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(dir, `${name}.md`), 'utf8')]))
}

/** By hand: Node's own recursive reading takes longer than all else that is done here. */
function namesBelow(dir: string, prefix: string): string[] {
  return readdirSync(join(dir, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) return namesBelow(dir, `${path}/`)
    return path.endsWith('.md') ? [path.slice(0, -'.md'.length)] : []
  })
}
