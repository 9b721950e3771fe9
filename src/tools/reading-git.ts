const COMMON = ['--no-color', '--color=never', '--']
const PATCH = [
  ...['-p', '-u', '--patch', '-s', '--no-patch', '--stat', '--shortstat', '--numstat', '--summary', '--name-only'],
  ...['--name-status', '-w', '-b', '--ignore-all-space', '--ignore-space-change', '--ignore-blank-lines', '-M', '-C'],
  ...['--no-ext-diff', '--no-textconv', '--minimal', '--patience', '--histogram', '--word-diff', '--check', '-R'],
]
const HISTORY = ['--oneline', '--decorate', '--no-decorate', '--graph', '--abbrev-commit', '--no-abbrev-commit']

/** Options that only choose what is shown. Git takes any beginning of a long option for the option, so nothing else is let through. */
const OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  status: new Set([
    ...COMMON,
    ...['-s', '--short', '-b', '--branch', '-sb', '--long', '-z', '--porcelain', '--porcelain=v1', '--porcelain=v2'],
    ...['-u', '-uno', '-unormal', '-uall', '--untracked-files', '--untracked-files=no', '--untracked-files=all'],
  ]),
  diff: new Set([...COMMON, ...PATCH, '--cached', '--staged', '--merge-base']),
  log: new Set([
    ...COMMON,
    ...PATCH,
    ...HISTORY,
    ...['--all', '--follow', '--reverse', '--merges', '--no-merges', '--first-parent', '-i', '-n'],
  ]),
  show: new Set([...COMMON, ...PATCH, ...HISTORY]),
}

/** Options with a value, which is a number or a plain text; a format must not have signatures checked by another program. */
const VALUED: Readonly<Record<string, RegExp>> = {
  status: /^(?!)/,
  diff: /^(?:-U\d+|--unified=\d+|--diff-filter=[A-Za-z]+)$/,
  log: /^(?:-\d+|-n\d+|--max-count=\d+|-U\d+|--unified=\d+|--diff-filter=[A-Za-z]+|--(?:since|until|after|before|author|grep)=.*|-[SG].+|--(?:format|pretty)=(?!.*%G).*)$/,
  show: /^(?:-U\d+|--unified=\d+|--diff-filter=[A-Za-z]+|--(?:format|pretty)=(?!.*%G).*)$/,
}

/** Whether the words are a call of git that only shows what is in the repository. */
export function isReadingGit(words: readonly string[]): boolean {
  const [, verb = '', ...args] = words[1] === '--no-pager' ? words.slice(1) : words
  const options = Object.hasOwn(OPTIONS, verb) ? OPTIONS[verb] : undefined
  if (options === undefined) return false
  return args.every((word) => (word.startsWith('-') ? options.has(word) || VALUED[verb]?.test(word) : isInside(word)))
}

/** Settings of the repository's own by which these calls would start other programs. */
const QUIET = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false']

/** The same call of `isReadingGit`, which runs no monitor, hook, pager, diff or conversion program that the repository configures. */
export function withoutPrograms(words: readonly string[]): readonly string[] {
  const [, verb = '', ...args] = words[1] === '--no-pager' ? words.slice(1) : words
  const quiet = QUIET.flatMap((setting) => ['-c', setting])
  // A submodule has settings of its own, which those above don't reach.
  const options = ['--ignore-submodules=dirty', ...(verb === 'status' ? [] : ['--no-ext-diff', '--no-textconv'])]
  return ['git', '--no-pager', ...quiet, verb, ...options, ...args]
}

/** A revision or a path that does not lead out of the tree; two paths out of it, git would compare as plain files. */
function isInside(word: string): boolean {
  return !/^(?:\/|~|[A-Za-z]:[\\/])/.test(word) && !/(?:^|[/\\:])\.\.(?:[/\\]|$)/.test(word)
}
