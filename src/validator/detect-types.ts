import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import stripJsonComments from 'strip-json-comments'
import type { Env } from './checks/check.ts'
import { scriptCheck } from './checks/script.ts'
import { type TscProjects, tscCheck } from './checks/tsc.ts'
import {
  type FoundCheck,
  namesIn,
  notInstalled,
  type Place,
  runsInMembers,
  stepsWith,
  typed,
  typedScript,
} from './detect-common.ts'
import { findInstalled } from './installed.ts'
import { isRecord, parseJson, records, text } from './parse/json.ts'
import type { Word } from './script-steps.ts'
import { isPlaceholder, scriptSteps } from './script-tools.ts'

/** Scripts that check types by their name; a `build` may leave files out that its tsconfig.json has. */
const NAMED = [
  'typecheck',
  'type-check',
  'check:types',
  'check-types',
  'types',
  'tsc',
  'check',
  'lint',
  'test',
  'pretest',
]

/** By tsc, as a script says or by tsconfig.json; by exit code where a script checks types with another tool. */
export async function findTypes(place: Place): Promise<readonly FoundCheck[]> {
  const own = NAMED.slice(0, 5).find((name) => place.package.scripts[name] !== undefined)
  const steps = stepsWith(place, NAMED, 'tsc')
  if (own !== undefined && steps.length === 0) return otherTool(place, own)
  const named = steps.map((step) => ({ config: projectOf(step.words), env: step.env }))
  const configs = named.filter(({ config }, index) => named.findIndex((one) => one.config === config) === index)
  const hasOwn = (await namesIn(place.folder)).has('tsconfig.json')
  if (configs.length === 0 && hasOwn) configs.push({ config: 'tsconfig.json', env: {} })
  if (configs.length === 0) {
    const build = stepsWith(place, ['build'], 'tsc')[0]
    if (build === undefined) return []
    configs.push({ config: projectOf(build.words), env: build.env })
  }
  const tsc = await findInstalled('typescript', 'tsc', place.folder)
  if (tsc === undefined) {
    // Without a script or a dependency that asks for it, a tsconfig.json is for the editor.
    if (steps.length === 0 && !place.package.dependencies.has('typescript')) return []
    return [notInstalled(place, 'tsc', typed(place, 'tsc', '--noEmit'))]
  }
  const builds = Object.values(place.package.scripts).some((script) =>
    /\btsc\s+(?:-b|--build)\b(?!.*--noEmit)/.test(script),
  )
  return Promise.all(
    configs.map(async ({ config, env }: { config: string; env: Env }) => {
      const projects = await projectsOf(place.folder, config, builds)
      const runs =
        projects.build === undefined ? projects.projects.map((one) => ['--noEmit', '-p', one]) : [['-b', config]]
      const command = runs.map((run) => typed(place, 'tsc', ...run)).join(' && ')
      return {
        tool: 'tsc',
        command,
        build: (plan) => tscCheck(plan, tsc, projects, env),
      }
    }),
  )
}

function otherTool(place: Place, name: string): FoundCheck[] {
  const script = place.package.scripts[name] ?? ''
  if (isPlaceholder(script) || runsInMembers(place, script) || /--(?:write|fix|watch)\b/.test(script)) return []
  if ((scriptSteps(place.package.scripts, name) ?? []).some((step) => step.kind === 'tool')) return []
  const command = typedScript(place, name)
  return [{ tool: name, command, build: (plan) => scriptCheck(plan, script, [], {}) }]
}

/** The configuration that a script's words name: `-p x`, or what follows `-b`. Files on the command line would switch it off. */
function projectOf(words: readonly Word[]): string {
  const named = words.findIndex((word) => /^(?:-p|--project|-b|--build)$/.test(word.value))
  const value = named < 0 ? undefined : words[named + 1]?.value
  if (value === undefined || value.startsWith('-')) return 'tsconfig.json'
  return value.replace(/^\.\//, '').replace(/\/$/, '/tsconfig.json') || 'tsconfig.json'
}

/** A configuration that only refers to others checks nothing by itself: those it refers to are the projects. */
async function projectsOf(folder: string, config: string, builds: boolean): Promise<TscProjects> {
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
