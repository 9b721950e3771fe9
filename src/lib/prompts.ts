import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Prompts } from '../core/prompts.ts'

/**
 * All prompt texts (`*.md`) below `dir`, by their path without ending, with `/` on every platform.
 * Reads synchronously, since nothing can start without them. Throws the file system's error when `dir` can't be read.
 */
export function loadPrompts(dir: string): Prompts {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return Object.fromEntries(
    files.sort().map((file) => {
      const name = file.slice(0, -'.md'.length).split(path.sep).join('/')
      return [name, readFileSync(path.join(dir, file), 'utf8')]
    }),
  )
}
