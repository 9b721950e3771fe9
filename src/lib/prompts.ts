import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prompts } from '../core/prompts.ts'

/**
 * All prompt texts (`*.md`) below `dir`, by their path without ending, with `/` on every platform. A text is read,
 * synchronously, when it is first asked for, since a start needs few of them. Throws the file system's error when `dir` can't be read.
 */
export function loadPrompts(dir: string): Prompts {
  const prompts = {}
  for (const name of namesBelow(dir, '').sort()) {
    let text: string | undefined
    const get = () => {
      text ??= readFileSync(join(dir, `${name}.md`), 'utf8')
      return text
    }
    Object.defineProperty(prompts, name, { get, enumerable: true })
  }
  return prompts
}

/** By hand: Node's own recursive reading takes longer than all else that is done here. */
function namesBelow(dir: string, prefix: string): string[] {
  return readdirSync(join(dir, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) return namesBelow(dir, `${path}/`)
    return path.endsWith('.md') ? [path.slice(0, -'.md'.length)] : []
  })
}
