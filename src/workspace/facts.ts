import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { PathIndex, Workspace } from '../core/ports.ts'
import type { CheckPlan } from '../core/verdict.ts'
import type { GitState, RepositoryFacts } from '../core/workspace.ts'
import { isOnPath } from '../lib/on-path.ts'
import { readGit } from './file-listing.ts'
import { mentionsIn, namesIn } from './mentions.ts'
import { type PackageJson, readPackageJson } from './package-json.ts'

const LOCKFILES: readonly (readonly [file: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

/** More of them would cost more than the request that it takes to list a folder. */
const MOST_FILES = 150

/** Facts about the repository at `root` (an absolute path). `checks` finds how the repository is judged. */
export function createWorkspace(
  root: string,
  index: Pick<PathIndex, 'files'>,
  checks: () => Promise<readonly CheckPlan[]>,
  path = process.env.PATH ?? '',
): Workspace {
  const bin = join(root, 'node_modules', '.bin')
  return {
    async facts(task: string): Promise<RepositoryFacts> {
      const [entries, manifest, git, files, mentions, plans] = await Promise.all([
        readdir(root, { withFileTypes: true }),
        readPackageJson(root),
        gitState(root),
        index.files(),
        mentionsIn(root, namesIn(task)),
        checks(),
      ])
      const topLevel = entries
        .filter((entry) => entry.name !== '.git')
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .sort()
      return {
        platform: process.platform,
        nodeVersion: process.versions.node,
        packageManager: await packageManagerOf(manifest, new Set(topLevel), `${bin}${delimiter}${path}`),
        scripts: manifest?.scripts ?? {},
        checks: plans,
        topLevel,
        mentions,
        files: files.length <= MOST_FILES ? files : [],
        git,
      }
    },
  }
}

/** By the `packageManager` field, else by the lockfile, else npm; where that one is not installed npm, with the reason. */
async function packageManagerOf(
  manifest: PackageJson | undefined,
  topLevel: ReadonlySet<string>,
  path: string,
): Promise<string> {
  const field = manifest?.packageManager?.split('@')[0] ?? ''
  const [file, byFile] = LOCKFILES.find(([name]) => topLevel.has(name)) ?? ['', 'npm']
  const named = field === '' ? byFile : field
  if (named === 'npm' || (await isOnPath(named, path))) return named
  const why = field === '' ? `${file} is there` : `package.json names ${named}`
  return `npm (${why}, but ${named} is not installed)`
}

async function gitState(root: string): Promise<GitState> {
  const status = await readGit(root, ['status', '--porcelain=v2', '--branch', '-z', '--', '.']).catch(() => undefined)
  if (status === undefined) return { kind: 'none' }
  const entries = status.split('\0')
  const header = (name: string): string | undefined =>
    entries.find((entry) => entry.startsWith(`# ${name} `))?.slice(name.length + 3)
  const head = header('branch.oid')
  const branch = header('branch.head')
  if (head === undefined || head === '(initial)') return { kind: 'unborn', branch: branch ?? '' }
  const named = branch === undefined || branch === '(detached)' ? {} : { branch }
  return { kind: 'commit', head, ...named, dirty: dirtyPaths(entries) }
}

/** Paths of `status --porcelain=v2 -z`: the path is the last field, and a rename is followed by an entry with its former path. */
function dirtyPaths(entries: readonly string[]): readonly string[] {
  const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 }
  const paths: string[] = []
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] as string
    const kind = entry.slice(0, 1)
    const fields = FIELDS[kind]
    if (fields === undefined) continue
    paths.push(entry.split(' ').slice(fields).join(' '))
    if (kind === '2') index += 1
  }
  return paths.sort()
}
