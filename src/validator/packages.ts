import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, parseJson } from './parse/json.ts'
import type { Scripts } from './script-tools.ts'

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** A package of the repository. `folder` is repository-relative, `.` for the root. */
export interface RepositoryPackage {
  readonly folder: string
  readonly name?: string
  readonly scripts: Scripts
  /** Names of what it depends on, for development too. */
  readonly dependencies: ReadonlySet<string>
}

export interface Packages {
  readonly manager: PackageManager
  /** The root first, then the members of its workspace, by folder. */
  readonly all: readonly RepositoryPackage[]
  /** The root's package.json is there and can't be understood. */
  readonly problem?: string
}

const DEEPEST_MEMBER = 4

/**
 * The packages of the repository: its root and the workspace's members. A root without package.json stands for the
 * packages directly below it.
 */
export async function findPackages(root: string): Promise<Packages> {
  const manifest = await readManifest(join(root, 'package.json'))
  if (manifest === 'unreadable') {
    const problem = 'package.json is not a JSON object: mend it, so that the checks can be found'
    return { manager: 'npm', all: [toPackage('.', {})], problem }
  }
  const patterns = manifest === undefined ? ['*'] : [...workspacePatterns(manifest), ...(await pnpmPatterns(root))]
  const members = patterns.length === 0 ? [] : await findMembers(root, patterns)
  return { manager: await findManager(root, manifest), all: [toPackage('.', manifest ?? {}), ...members] }
}

async function findMembers(root: string, patterns: readonly string[]): Promise<RepositoryPackage[]> {
  const { default: picomatch } = await import('picomatch')
  const plain = patterns.map((pattern) => pattern.replace(/^(!?)\.\//, '$1').replace(/\/$/, ''))
  const wanted = plain.filter((pattern) => !pattern.startsWith('!')).map((pattern) => picomatch(pattern))
  const unwanted = plain.filter((pattern) => pattern.startsWith('!')).map((pattern) => picomatch(pattern.slice(1)))
  const found: RepositoryPackage[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (wanted.some((matches) => matches(path)) && !unwanted.some((matches) => matches(path))) {
        const manifest = await readManifest(join(root, path, 'package.json'))
        if (manifest !== undefined && manifest !== 'unreadable') found.push(toPackage(path, manifest))
      }
      if (depth < DEEPEST_MEMBER) await visit(path, depth + 1)
    }
  }
  await visit('', 1)
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** Undefined when there is none. */
async function readManifest(path: string): Promise<Readonly<Record<string, unknown>> | 'unreadable' | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const manifest = parseJson(text.replace(/^\uFEFF/, ''))
  return isRecord(manifest) ? manifest : 'unreadable'
}

function toPackage(folder: string, manifest: Readonly<Record<string, unknown>>): RepositoryPackage {
  const scripts = isRecord(manifest.scripts) ? manifest.scripts : {}
  const groups = [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.peerDependencies,
    manifest.optionalDependencies,
  ]
  return {
    folder,
    ...(typeof manifest.name === 'string' ? { name: manifest.name } : {}),
    scripts: Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    dependencies: new Set(groups.flatMap((group) => (isRecord(group) ? Object.keys(group) : []))),
  }
}

function workspacePatterns(manifest: Readonly<Record<string, unknown>>): string[] {
  const workspaces = isRecord(manifest.workspaces) ? manifest.workspaces.packages : manifest.workspaces
  return Array.isArray(workspaces) ? workspaces.filter((pattern) => typeof pattern === 'string') : []
}

/** The `packages` list of pnpm-workspace.yaml, which pnpm itself writes one pattern a line. */
async function pnpmPatterns(root: string): Promise<string[]> {
  const text = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8').catch(() => '')
  const list = /^packages:[ \t]*\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n?)*)/m.exec(text)?.[1] ?? ''
  return [...list.matchAll(/^[ \t]*-[ \t]*(?:'([^']*)'|"([^"]*)"|([^\s#]+))/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]

async function findManager(
  root: string,
  manifest: Readonly<Record<string, unknown>> | undefined,
): Promise<PackageManager> {
  const declared = typeof manifest?.packageManager === 'string' ? manifest.packageManager.split('@')[0] : undefined
  const managers: readonly PackageManager[] = ['npm', 'pnpm', 'yarn', 'bun']
  const named = managers.find((manager) => manager === declared)
  if (named !== undefined) return named
  for (const [file, manager] of LOCK_FILES) {
    const exists = await access(join(root, file)).then(
      () => true,
      () => false,
    )
    if (exists) return manager
  }
  return 'npm'
}
