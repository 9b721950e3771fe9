import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import stripJsonComments from 'strip-json-comments'
import type { TscProjects } from './checks/tsc.ts'
import { isRecord, parseJson, records, text } from './parse/json.ts'
import type { Word } from './script-steps.ts'

/** The configuration that a script's words name: `-p x`, or what follows `-b`. Files on the command line would switch it off. */
export function projectOf(words: readonly Word[]): string {
  const named = words.findIndex((word) => /^(?:-p|--project|-b|--build)$/.test(word.value))
  const value = named < 0 ? undefined : words[named + 1]?.value
  if (value === undefined || value.startsWith('-')) return 'tsconfig.json'
  return value.replace(/^\.\//, '').replace(/\/$/, '/tsconfig.json') || 'tsconfig.json'
}

/** A configuration that only refers to others checks nothing by itself: those it refers to are the projects. */
export async function projectsOf(folder: string, config: string, builds: boolean): Promise<TscProjects> {
  const projects: string[] = []
  let linked = false
  const seen = new Set<string>()
  const visit = async (path: string, depth: number): Promise<void> => {
    const file = path.endsWith('.json') ? path : join(path, 'tsconfig.json')
    if (seen.has(file) || depth > 8) return
    seen.add(file)
    const settings = await readConfig(join(folder, file))
    const references = records(settings?.references).map((one) => join(dirname(file), text(one.path)))
    const onlyRefers = Array.isArray(settings?.files) && settings.files.length === 0 && settings.include === undefined
    if (!(onlyRefers && references.length > 0)) {
      projects.push(file.split(sep).join('/'))
      if (references.length > 0) linked = true
    }
    for (const reference of references) await visit(reference, depth + 1)
  }
  await visit(config, 0)
  return { projects, ...(linked && builds ? { build: config } : {}) }
}

async function readConfig(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const content = await readFile(path, 'utf8').catch(() => undefined)
  if (content === undefined) return undefined
  const value = parseJson(stripJsonComments(content.replace(/^\uFEFF/, ''), { trailingCommas: true }))
  return isRecord(value) ? value : undefined
}

/** Whether that configuration, or one of the repository's that it extends, says that the compiler only looks. */
export async function emitsNothing(folder: string, config: string, depth = 0): Promise<boolean> {
  const path = config.endsWith('.json') ? config : join(config, 'tsconfig.json')
  const settings = await readConfig(join(folder, path))
  const options = isRecord(settings?.compilerOptions) ? settings.compilerOptions : {}
  if (typeof options.noEmit === 'boolean' || depth > 8) return options.noEmit === true
  const parents = [settings?.extends].flat().filter((one) => typeof one === 'string' && one.startsWith('.'))
  const parent = parents.at(-1)
  if (typeof parent !== 'string') return false
  return emitsNothing(folder, join(dirname(path), parent.endsWith('.json') ? parent : `${parent}.json`), depth + 1)
}
