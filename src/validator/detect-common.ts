import { readdir } from 'node:fs/promises'
import type { CheckPlan } from '../core/verdict.ts'
import type { Check, Env } from './checks/check.ts'
import { unavailable } from './checks/result.ts'
import type { PackageManager, RepositoryPackage } from './packages.ts'
import { programOf } from './roles.ts'
import type { Word } from './script-steps.ts'
import { type ScriptStep, scriptSteps, type ToolName, type ToolStep } from './script-tools.ts'

/** A package and what its detection needs. */
export interface Place {
  /** Absolute. */
  readonly root: string
  /** Absolute. */
  readonly folder: string
  /** What commands are written with: the repository's package manager where it is installed, else npm. */
  readonly manager: PackageManager
  /** The repository's package manager. */
  readonly declared: PackageManager
  /** Package managers that are not installed. */
  readonly missing: readonly string[]
  /** Names of the programs that the installed packages bring. */
  readonly programs: ReadonlySet<string>
  readonly package: RepositoryPackage
  /** The root of a workspace with members: scripts that run in all members are theirs. */
  readonly hasMembers: boolean
}

/** A check before it has its id. */
export interface FoundCheck {
  readonly tool: string
  /** As a person would type it. */
  readonly command: string
  build(plan: CheckPlan): Check
}

/** How a person runs a local command with that package manager. */
const RUNNER: Readonly<Record<PackageManager, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }

export function typed(place: Place, env: Env, ...parts: readonly string[]): string {
  return [...assignments(env), RUNNER[place.manager], ...parts].join(' ')
}

export function typedScript(place: Place, name: string): string {
  return name === 'test' ? `${place.manager} test` : `${place.manager} run ${name}`
}

/** A step of a script on its own. */
export function typedStep(place: Place, { text, env }: ScriptStep): string {
  const local = !text.startsWith('npx ') && place.programs.has(programOf(text))
  return local ? typed(place, env, text) : [...assignments(env), text].join(' ')
}

/** Words without quotes that we put there and that nothing needs. */
export function unquoted(words: readonly Word[]): string[] {
  return words.map((word) => word.raw.replace(/^'([\w./-]*)'$/, '$1'))
}

/** Variables before a command, as a shell takes them. */
export function assignments(env: Env): string[] {
  return Object.entries(env).map(([name, value]) =>
    /^[\w./:=,@%+-]*$/.test(value) ? `${name}=${value}` : `${name}='${value.replaceAll("'", `'\\''`)}'`,
  )
}

/** A whole script as a command that can be typed here, and as the text that is run. */
export function scriptCommand(place: Place, name: string): { command: string; text: string; env: Env } {
  const { scripts } = place.package
  const steps = scriptSteps(scripts, name)
  const text = scripts[name] ?? ''
  if (steps === undefined || !callsMissing(place, [name, ...steps.flatMap((step) => step.through)]))
    return { command: typedScript(place, name), text, env: {} }
  return joined(place, steps)
}

/** Steps one after the other. */
export function joined(place: Place, steps: readonly ScriptStep[]): { command: string; text: string; env: Env } {
  return {
    command: steps.map((step) => typedStep(place, step)).join(' && '),
    text: steps.map((step) => step.text).join(' && '),
    env: Object.assign({}, ...steps.map((step) => step.env)),
  }
}

/** Whether one of these scripts calls a package manager that is not installed. */
export function callsMissing({ missing, package: { scripts } }: Place, names: readonly string[]): boolean {
  const calls = new RegExp(`(?:^|[\\s;&|(])(?:${missing.flatMap((one) => [one, `${one}x`]).join('|')})\\s`)
  return missing.length > 0 && names.some((name) => calls.test(`${scripts[name] ?? ''} `))
}

/** A tool that the repository names but that isn't there: the check is known, and says so instead of running. */
export function notInstalled(place: Place, tool: string, command: string): FoundCheck {
  return {
    tool,
    command,
    build: (plan): Check => ({
      plan,
      run: async () => unavailable(plan, 'not-begun', `${tool} is not installed: run \`${place.declared} install\``),
    }),
  }
}

/** Names in the package's folder. */
export async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(folder).catch(() => []))
}

/** The steps of the first of these scripts that has one of `tool`. */
export function stepsWith(place: Place, names: readonly string[], tool: ToolName): readonly ToolStep[] {
  for (const name of names) {
    const steps = (scriptSteps(place.package.scripts, name) ?? []).filter(
      (step): step is ToolStep => step.kind === 'tool' && step.tool === tool,
    )
    if (steps.length > 0) return steps
  }
  return []
}

/** A script of a workspace's root that runs in its members, whose own checks are known. */
export function runsInMembers(place: Place, script: string): boolean {
  return (
    place.hasMembers &&
    /(?:^|\s)(?:-r|-ws|--recursive|--workspaces?|--filter|turbo|lerna|nx|wsrun|workspaces)(?:[\s=]|$)/.test(script)
  )
}
