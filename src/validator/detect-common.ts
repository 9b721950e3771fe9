import { readdir } from 'node:fs/promises'
import type { CheckPlan } from '../core/verdict.ts'
import type { Check } from './checks/check.ts'
import { unavailable } from './checks/result.ts'
import type { PackageManager, RepositoryPackage } from './packages.ts'
import { scriptSteps, type ToolName, type ToolStep } from './script-tools.ts'

/** A package and what its detection needs. */
export interface Place {
  /** Absolute. */
  readonly root: string
  /** Absolute. */
  readonly folder: string
  readonly manager: PackageManager
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

export function typed(place: Place, ...parts: readonly string[]): string {
  return [RUNNER[place.manager], ...parts].join(' ')
}

export function typedScript(place: Place, name: string): string {
  return name === 'test' ? `${place.manager} test` : `${place.manager} run ${name}`
}

/** A tool that the repository names but that isn't there: the check is known, and says so instead of running. */
export function notInstalled(place: Place, tool: string, command: string): FoundCheck {
  return {
    tool,
    command,
    build: (plan): Check => ({
      plan,
      run: async () => unavailable(plan, 'not-begun', `${tool} is not installed: run \`${place.manager} install\``),
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
