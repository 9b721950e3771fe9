import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import ignore, { type Ignore } from 'ignore'

const run = promisify(execFile)
/** The mode under which a repository's index holds another repository. */
const SUBMODULE = '160000 '
/** All in one call, since starting a process costs more than a small listing: each entry with a tag, tracked ones with mode, object and stage. */
const LIST_ALL = ['ls-files', '-z', '-t', '--stage', '--others', '--deleted', '--exclude-standard']
const UNTRACKED = '? '
const DELETED = 'R '
const MOST_LISTING_BYTES = 256 * 1024 * 1024

/**
 * Runs git for reading only, in the C locale, whatever repository the environment points to; of a partial clone nothing is
 * fetched. Throws when it fails, or takes longer than `deadlineMs`.
 */
export async function readGit(root: string, args: readonly string[], deadlineMs?: number): Promise<string> {
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1' }
  for (const name of Object.keys(env))
    if (/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE)$/.test(name)) delete env[name]
  const { stdout } = await run('git', ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args], {
    cwd: root,
    env,
    maxBuffer: MOST_LISTING_BYTES,
    ...(deadlineMs === undefined ? {} : { timeout: deadlineMs, killSignal: 'SIGKILL' as const }),
  })
  return stdout
}

/** The files below `root` that are tracked, or untracked and not ignored; sorted, relative, with `/`. Folders of other repositories are left out. */
export async function listFiles(root: string): Promise<readonly string[]> {
  const files = (await listByGit(root)) ?? (await listByWalk(root))
  return [...new Set(files)].sort()
}

/** Undefined when git can't say: there is no repository, or an outer one ignores the whole of `root`. */
async function listByGit(root: string): Promise<readonly string[] | undefined> {
  try {
    const listing = await readGit(root, LIST_ALL)
    const [files, left] = [new Set<string>(), new Set<string>()]
    for (const record of listing.split('\0')) {
      const tag = record.slice(0, 2)
      const entry = record.slice(2)
      const name = tag === UNTRACKED ? entry : entry.slice(entry.indexOf('\t') + 1)
      if (tag === DELETED || (tag !== UNTRACKED && entry.startsWith(SUBMODULE))) left.add(name)
      else if (name !== '' && !name.endsWith('/')) files.add(name)
    }
    const listed = [...files].filter((name) => !left.has(name))
    return listed.length > 0 ? listed : undefined
  } catch {
    return undefined
  }
}

async function listByWalk(root: string): Promise<readonly string[]> {
  const files: string[] = []
  await walk(root, '', [], files)
  return files
}

interface Rules {
  readonly base: string
  readonly rules: Ignore
}

async function walk(root: string, folder: string, inherited: readonly Rules[], files: string[]): Promise<void> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])
  const own = entries.some((entry) => entry.name === '.gitignore')
    ? await readFile(path.join(root, folder, '.gitignore'), 'utf8').catch(() => '')
    : ''
  const rules = own === '' ? inherited : [...inherited, { base: folder, rules: ignore().add(own) }]
  for (const entry of entries) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isIgnored(entry.isDirectory() ? `${name}/` : name, rules)) continue
    if (entry.isDirectory()) await walk(root, name, rules, files)
    else if (entry.isFile() || entry.isSymbolicLink()) files.push(name)
  }
}

/** The rules nearest to the file have the last word. */
function isIgnored(name: string, all: readonly Rules[]): boolean {
  let ignored = false
  for (const { base, rules } of all) {
    const verdict = rules.test(base === '' ? name : name.slice(base.length + 1))
    if (verdict.ignored) ignored = true
    if (verdict.unignored) ignored = false
  }
  return ignored
}
