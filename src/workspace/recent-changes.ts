import { readGit } from './file-listing.ts'

const COMMITS = 50
/** A commit that touches more is a sweep over the repository and says nothing of what is worked on. */
const MOST_FILES = 100
const DEADLINE_MS = 500

/** The files below `root` that the last commits changed, oldest first. Empty when git can't say, or not soon. */
export async function recentlyChanged(root: string): Promise<readonly string[]> {
  const args = [
    '-n',
    String(COMMITS),
    '--format=%x01',
    '--name-only',
    '--no-renames',
    '--no-show-signature',
    '--relative',
  ]
  const log = await readGit(root, ['log', ...args, '-z', '--', '.'], DEADLINE_MS).catch(() => '')
  const commits = log.split('\u0001').map((commit) => commit.split('\0').map((name) => name.replace(/^\n/, '')))
  const telling = commits
    .map((names) => names.filter((name) => name !== ''))
    .filter(({ length }) => length <= MOST_FILES)
  return [...new Set(telling.reverse().flat())]
}
