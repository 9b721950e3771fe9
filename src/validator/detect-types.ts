import type { Env } from './checks/check.ts'
import { scriptCheck } from './checks/script.ts'
import { tscCheck } from './checks/tsc.ts'
import {
  type FoundCheck,
  namesIn,
  notInstalled,
  type Place,
  runsInMembers,
  scriptCommand,
  stepsWith,
  typed,
} from './detect-common.ts'
import { findInstalled } from './installed.ts'
import { type CompilerName, isPlaceholder, scriptSteps, type ToolStep } from './script-tools.ts'
import { testProjects } from './test-projects.ts'
import { projectOf, projectsOf } from './tsconfig.ts'

/** Scripts that check types by their name. */
const OWN = [
  ...['typecheck', 'type-check', 'check:types', 'check-types', 'test:types', 'lint:types', 'types:check'],
  ...['ts:check', 'check:ts', 'types', 'tsc', 'tsgo', 'vue-tsc'],
]
/** A `build` may leave files out that its tsconfig.json has. */
const NAMED = [...OWN, 'check', 'lint', 'test', 'pretest', 'posttest']

/** The compilers that can be asked in the same way, and the package that brings each. */
const COMPILERS: readonly { readonly name: CompilerName; readonly package: string }[] = [
  { name: 'tsc', package: 'typescript' },
  { name: 'tsgo', package: '@typescript/native-preview' },
  { name: 'vue-tsc', package: 'vue-tsc' },
]

/** By the compilers that scripts name, else by tsc and tsconfig.json; by exit code where a script checks types with another tool. */
export async function findTypes(place: Place): Promise<readonly FoundCheck[]> {
  const own = OWN.find((name) => place.package.scripts[name] !== undefined)
  const named = COMPILERS.map((compiler) => ({ compiler, steps: stepsWith(place, NAMED, compiler.name) })).filter(
    ({ steps }) => steps.length > 0,
  )
  if (own !== undefined && named.length === 0) return otherTool(place, own)
  const found = await Promise.all(named.map(({ compiler, steps }) => byCompiler(place, compiler, steps, true)))
  if (named.length > 0) return found.flat()
  const hasOwn = (await namesIn(place.folder)).has('tsconfig.json')
  const step = hasOwn ? { words: [], env: {} } : stepsWith(place, ['build'], 'tsc')[0]
  return step === undefined ? [] : byCompiler(place, COMPILERS[0] as (typeof COMPILERS)[0], [step], false)
}

async function byCompiler(
  place: Place,
  compiler: (typeof COMPILERS)[0],
  steps: readonly Pick<ToolStep, 'words' | 'env'>[],
  asked: boolean,
): Promise<readonly FoundCheck[]> {
  const named = steps.map((step) => ({ config: projectOf(step.words), env: step.env }))
  const configs = named.filter(({ config }, index) => named.findIndex((one) => one.config === config) === index)
  const installed = await findInstalled(compiler.package, compiler.name, place.folder)
  if (installed === undefined) {
    // Without a script or a dependency that asks for it, a tsconfig.json is for the editor.
    if (!asked && !place.package.dependencies.has(compiler.package)) return []
    return [notInstalled(place, compiler.name, typed(place, {}, compiler.name, '--noEmit'))]
  }
  const builds = Object.values(place.package.scripts).some((script) =>
    /\b(?:tsc|tsgo)\s+(?:-b|--build)\b(?!.*--noEmit)/.test(script),
  )
  const found = await Promise.all(
    configs.map(async ({ config, env }: { config: string; env: Env }) => {
      const projects = await projectsOf(place.folder, config, builds)
      const runs =
        projects.build === undefined ? projects.projects.map((one) => ['--noEmit', '-p', one]) : [['-b', config]]
      const command = runs.map((run) => typed(place, env, compiler.name, ...run)).join(' && ')
      const build: FoundCheck['build'] = (plan) => tscCheck(plan, installed, projects, env)
      return { projects: projects.projects, check: { tool: compiler.name, command, build } }
    }),
  )
  const checked = found.flatMap((one) => one.projects)
  const beside = compiler === COMPILERS[0] ? await testProjects(place.folder, checked, installed) : []
  const tests = beside.map((project): FoundCheck => {
    const command = typed(place, {}, compiler.name, '--noEmit', '-p', project)
    const build: FoundCheck['build'] = (plan) => ({
      ...tscCheck(plan, installed, { projects: [project] }, {}),
      optional: true,
    })
    return { tool: compiler.name, command, build }
  })
  return [...found.map((one) => one.check), ...tests]
}

function otherTool(place: Place, name: string): FoundCheck[] {
  const script = place.package.scripts[name] ?? ''
  if (isPlaceholder(script) || runsInMembers(place, script) || /--(?:write|fix|watch)\b/.test(script)) return []
  if ((scriptSteps(place.package.scripts, name) ?? []).some((step) => step.kind === 'tool')) return []
  const { command, text, env } = scriptCommand(place, name)
  return [{ tool: name, command, build: (plan) => scriptCheck(plan, text, [], env) }]
}
