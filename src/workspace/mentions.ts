import type { Mention } from '../core/workspace.ts'
import { readGit } from './file-listing.ts'
import { unwrapPath } from './mistyped-path.ts'

const MOST_NAMES = 6
const MOST_FILES = 8
const MOST_LINES = 6
/** How much of a long text is looked at for paths, how long a word may be, and how many are taken. */
const PATHS = { text: 100_000, word: 300, most: 50 } as const

/** The identifiers that a text puts in backticks, also within calls and paths of members: `a.b(c)` names a, b and c. */
export function namesIn(task: string): readonly string[] {
  const quoted = [...task.matchAll(/`([^`\n]{1,200})`/g)].flatMap(
    ([, code = '']) => outsideOfStrings(code).match(/[A-Za-z_$][\w$]{3,}/g) ?? [],
  )
  const telling = quoted.filter((name) => !COMMON.has(name))
  return [...new Set(telling)].slice(0, MOST_NAMES)
}

/** What a text has of paths, or of names of files with an extension, without line numbers and the like. */
export function pathsIn(text: string): readonly string[] {
  const words = text.slice(0, PATHS.text).match(/[^\s`"'<>|,;]+/g) ?? []
  const paths = words
    .filter((word) => word.length <= PATHS.word)
    .map((word) => unwrapPath(word.replace(/^[([{]+/, '').replace(/[)\]}.:!?]+$/, '')).replace(/^(?:\.{0,2}\/)+/, ''))
    .filter(
      (word) => !/^\w{2,}:\//.test(word) && /^(?:[^/]+\/)*[^/]*[^/.]\.[A-Za-z]\w{0,9}$|^[^/]+(?:\/[^/]+)+$/.test(word),
    )
  return [...new Set(paths)].slice(0, PATHS.most)
}

/** What stands in quotes is a value, seldom a name. */
const outsideOfStrings = (code: string): string => code.replaceAll(/(["'])(?:(?!\1).)*\1/g, ' ')

/** Words of the language and of nearly every repository: where they are tells nothing. */
const COMMON = new Set(
  'true false null undefined type string number boolean object array default import export from const function return async await this class value name index error test expect input output options first last next'.split(
    ' ',
  ),
)

/** Where the tracked files of a git repository have these names as words. Empty without git. */
export async function mentionsIn(root: string, names: readonly string[]): Promise<readonly Mention[]> {
  if (names.length === 0) return []
  const patterns = names.flatMap((name) => ['-e', name])
  const args = ['grep', '-z', '-n', '-I', '-w', '-F', '-o', '--max-count', '400', ...patterns, '--', '.', ...LEFT_OUT]
  const found = await readGit(root, args).catch(() => '')
  return names.flatMap((name) => {
    const places = placesOf(found, name)
    return places.length === 0 ? [] : [{ name, places }]
  })
}

const LEFT_OUT = [':(exclude)*lock*', ':(exclude)*.min.*', ':(exclude)CHANGELOG*', ':(exclude)*.svg']

/** From lines of `file NUL line NUL name`. */
function placesOf(found: string, wanted: string): readonly string[] {
  const files = new Map<string, Set<string>>()
  for (const record of found.split('\n')) {
    const [file, line, name] = record.split('\0')
    if (file === undefined || line === undefined || name !== wanted) continue
    files.set(file, (files.get(file) ?? new Set()).add(line))
  }
  // Where a name stands most often it is most likely at home.
  const ordered = [...files].sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1))
  return ordered.slice(0, MOST_FILES).map(([file, lines]) => {
    const more = lines.size > MOST_LINES ? `,… (${lines.size} lines)` : ''
    return `${file}:${[...lines].slice(0, MOST_LINES).join(',')}${more}`
  })
}
