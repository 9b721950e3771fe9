import { join } from 'node:path'
import { CHECK_KINDS, type CheckKind } from '../core/verdict.ts'
import { isOnPath } from '../lib/on-path.ts'
import type { Check } from './checks/check.ts'
import { unavailable } from './checks/result.ts'
import { type FoundCheck, namesIn, type Place } from './detect-common.ts'
import { findLint } from './detect-lint.ts'
import { findTests } from './detect-tests.ts'
import { findTypes } from './detect-types.ts'
import { findPackages, type PackageManager, type RepositoryPackage } from './packages.ts'

export interface Detected {
  readonly package: RepositoryPackage
  readonly checks: readonly Check[]
}

const OTHER_MANAGERS: readonly PackageManager[] = ['pnpm', 'yarn', 'bun']

/** The checks of every package of the repository, each package's own, cheapest first. `path` is the PATH that they are run with. */
export async function detect(root: string, path = process.env.PATH ?? ''): Promise<readonly Detected[]> {
  const { manager, all, problem } = await findPackages(root)
  const there = await Promise.all(OTHER_MANAGERS.map((one) => isOnPath(one, path)))
  const missing = OTHER_MANAGERS.filter((_, index) => there[index] === false)
  if (problem !== undefined) return all.map((one) => ({ package: one, checks: [unreadable(problem)] }))
  return Promise.all(
    all.map(async (one) => {
      const folder = one.folder === '.' ? root : `${root}/${one.folder}`
      const programs = await Promise.all([folder, root].map((at) => namesIn(join(at, 'node_modules', '.bin'))))
      const place: Place = {
        root,
        folder,
        manager: missing.includes(manager) ? 'npm' : manager,
        declared: manager,
        missing,
        programs: new Set(programs.flatMap((names) => [...names])),
        package: one,
        hasMembers: one.folder === '.' && all.length > 1,
      }
      const found = { types: await findTypes(place), lint: await findLint(place), tests: await findTests(place) }
      return { package: one, checks: CHECK_KINDS.flatMap((kind) => toChecks(one.folder, kind, found[kind])) }
    }),
  )
}

/** Without its package.json nobody knows what judges the repository; silence would look like having no checks. */
function unreadable(problem: string): Check {
  const plan = { id: 'tests', kind: 'tests', tool: 'package.json', command: 'npm test', cwd: '.' } as const
  return { plan, run: async () => unavailable(plan, 'not-begun', problem) }
}

function toChecks(folder: string, kind: CheckKind, found: readonly FoundCheck[]): Check[] {
  return found.map((one, index) => {
    const name = index === 0 ? kind : `${kind}-${index + 1}`
    return one.build({
      id: folder === '.' ? name : `${folder}:${name}`,
      kind,
      tool: one.tool,
      command: one.command,
      cwd: folder,
    })
  })
}

/**
 * The checks that a change concerns: those of the packages that its files lie in and, for the proof, of the packages
 * that depend on them. A kind of check that a package lacks is the root's. Without `changed`, all.
 */
export function concerned(
  detected: readonly Detected[],
  changed: readonly string[],
  phase: 'attempt' | 'proof',
): readonly Check[] {
  const root = detected.find((one) => one.package.folder === '.')
  const touched = new Set(changed.map((path) => nearest(detected, path)))
  if (changed.length === 0 || (phase === 'proof' && touched.has(root)))
    return inOrder(detected.flatMap((one) => one.checks))
  if (phase === 'proof') {
    addDependents(detected, touched)
    // The root's own checks can reach into every package.
    touched.add(root)
  }
  const checks = [...touched].flatMap((one) =>
    CHECK_KINDS.flatMap((kind) => {
      const own = (one?.checks ?? []).filter((check) => check.plan.kind === kind)
      return own.length > 0 ? own : (root?.checks ?? []).filter((check) => check.plan.kind === kind)
    }),
  )
  return inOrder([...new Set(checks)])
}

function nearest(detected: readonly Detected[], path: string): Detected | undefined {
  const holding = detected.filter((one) => one.package.folder !== '.' && path.startsWith(`${one.package.folder}/`))
  const deepest = holding.sort((a, b) => b.package.folder.length - a.package.folder.length)[0]
  return deepest ?? detected.find((one) => one.package.folder === '.')
}

function addDependents(detected: readonly Detected[], touched: Set<Detected | undefined>): void {
  for (const one of touched) {
    const name = one?.package.name
    // A set visits what is added while it is walked: dependents of dependents come by themselves.
    if (name !== undefined) for (const other of detected) if (other.package.dependencies.has(name)) touched.add(other)
  }
}

/** Cheapest kind first, packages in their order. */
export function inOrder(checks: readonly Check[]): Check[] {
  return CHECK_KINDS.flatMap((kind) => checks.filter((check) => check.plan.kind === kind))
}
