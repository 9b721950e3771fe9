import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { git, line, records } from './git.ts'

/** HEAD and the branch that it is on, as one text. */
export async function headOf(root: string): Promise<string> {
  return (await git(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'], { cwd: root })).stdout.toString('utf8')
}

/** Above this all entries are listed, since arguments are bounded. */
const MOST_NAMED = 200

/** Of these paths those whose entry in the present index is another one than in the copy. */
export async function restaged(root: string, index: string, paths: readonly string[]): Promise<Set<string>> {
  const [then, now] = await Promise.all([entries(root, paths, { GIT_INDEX_FILE: index }), entries(root, paths, {})])
  return new Set(paths.filter((path) => then.get(path) !== now.get(path)))
}

async function entries(
  root: string,
  paths: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const named = paths.length > MOST_NAMED ? [] : ['--', ...paths]
  const options = { cwd: root, env: { ...env, GIT_LITERAL_PATHSPECS: '1' } }
  const found = new Map<string, string>()
  for (const record of records((await git(['ls-files', '-s', '-z', ...named], options)).stdout)) {
    const [entry = '', path = ''] = splitEntry(record)
    found.set(path, (found.get(path) ?? '') + entry)
  }
  return found
}

/** `<mode> <object> <stage>` and the path of a record of `git ls-files -s`. */
export function splitEntry(record: string): readonly [entry: string, path: string] {
  const tab = record.indexOf('\t')
  return [record.slice(0, tab), record.slice(tab + 1)]
}

/**
 * Tracked files that git would not write as they are on disk: line endings mixed, or of another kind than a checkout gives.
 * Empty where no line endings are converted. `attributes`: there is a `.gitattributes` in the tree.
 */
export async function unlikeCheckout(root: string, index: string, attributes: boolean): Promise<string[]> {
  const settings = await git(['config', '--get-regexp', '^core\\.(autocrlf|attributesfile)$'], { cwd: root })
  const text = settings.stdout.toString('utf8')
  const autocrlf = text.match(/(?<=^core\.autocrlf ).*$/gm)?.at(-1)
  const converted = attributes || autocrlf === 'true' || autocrlf === 'input' || text.includes('core.attributesfile ')
  if (!converted && !(await attributesBeside(root))) return []
  const listed = await git(['ls-files', '--eol', '-z'], { cwd: root, env: { GIT_INDEX_FILE: index } })
  return records(listed.stdout).flatMap((record) => {
    const [kinds, path] = splitEntry(record)
    const crlf = /\sw\/crlf\s/.test(kinds) && (autocrlf === 'input' || kinds.includes('eol=lf'))
    return /\sw\/mixed\s/.test(kinds) || crlf ? [path] : []
  })
}

/** Attributes that are not in the tree: the repository's own and, where git looks for them unasked, the user's. */
async function attributesBeside(root: string): Promise<boolean> {
  const { stdout } = await git(['rev-parse', '--git-path', 'info/attributes'], { cwd: root })
  const user = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/attributes')
  return existsSync(resolve(root, line(stdout))) || existsSync(user)
}
