import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProcess } from '../lib/process.ts'
import { namesIn } from './detect-common.ts'
import type { InstalledPackage } from './installed.ts'
import { isRecord, parseJson } from './parse/json.ts'

const TEST_FOLDER = /^(?:__|[\w]+[-_.])?(?:tests?|specs?|e2e)(?:__|[-_.]\w+)?$/
const NOT_OURS = /^(?:node_modules|_*fixtures?_*|examples?|dist|\..*)$/
const CONFIG = 'tsconfig.json'
const DEEPEST = 2
const DEADLINE_MS = 30_000

/**
 * Configurations of test folders that hold files which none of the projects `known` does, relative to `folder`. Those
 * that the compiler refuses are left out: nobody asked for them.
 */
export async function testProjects(
  folder: string,
  known: readonly string[],
  compiler: InstalledPackage,
): Promise<readonly string[]> {
  const candidates = (await findConfigs(folder, '', 1)).filter((one) => !known.includes(one)).sort()
  if (candidates.length === 0) return []
  const files = (config: string) => filesOf(folder, config, compiler)
  const [knownFiles, own] = await Promise.all([Promise.all(known.map(files)), Promise.all(candidates.map(files))])
  const covered = new Set(knownFiles.flat())
  return candidates.filter((_, index) => {
    const more = (own[index] ?? []).filter((file) => !covered.has(file))
    for (const file of more) covered.add(file)
    return more.length > 0
  })
}

async function findConfigs(folder: string, path: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
  const below = entries.filter((entry) => entry.isDirectory() && !NOT_OURS.test(entry.name))
  const found = await Promise.all(
    below.map(async ({ name }) => {
      const inner = path === '' ? name : `${path}/${name}`
      const names = await namesIn(join(folder, inner))
      // A package of its own has its own checks.
      if (names.has('package.json')) return []
      const own = TEST_FOLDER.test(name) && names.has(CONFIG) ? [`${inner}/${CONFIG}`] : []
      return depth < DEEPEST ? [...own, ...(await findConfigs(folder, inner, depth + 1))] : own
    }),
  )
  return found.flat()
}

/** The files that a configuration is about, as the compiler understands it; none where it can't use it. */
async function filesOf(folder: string, config: string, compiler: InstalledPackage): Promise<readonly string[]> {
  const process = await runProcess({
    file: globalThis.process.execPath,
    args: [compiler.entry, '--showConfig', '-p', config],
    cwd: folder,
    deadlineMs: DEADLINE_MS,
    maxOutputBytes: 8 * 1024 * 1024,
  })
  const shown = process.exitCode === 0 ? parseJson(process.stdout) : undefined
  const files = isRecord(shown) && Array.isArray(shown.files) ? shown.files : []
  return files.filter((file) => typeof file === 'string').map((file) => join(dirname(config), file))
}
