import { isReadingGit } from './reading-git.ts'
import { TOOL_OPTIONS } from './tool-options.ts'

/**
 * What a simple command runs: a script of package.json, a program of the repository's that only checks, a look at git, or
 * anything else. `args` are what script or program are given; whether they are harmless is another question.
 */
export type KnownCommand = (
  | { readonly kind: 'script'; readonly script: string; readonly manager: string; readonly args: readonly string[] }
  | { readonly kind: 'check'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'git' }
  | { readonly kind: 'other' }
) & {
  /** The same by npm and npx, where another package manager is called. */
  readonly byNpm?: readonly string[]
}

const OTHER: KnownCommand = { kind: 'other' }
/** Names that these package managers take for commands of their own before they look at the scripts. */
const BUILT_IN = new Set(
  'add audit bin cache ci config create deploy dedupe dlx exec global help i import info init install link list login ls node outdated pack patch publish prune rebuild remove rm root set setup start stop store test unlink up update upgrade version view why workspace workspaces x'.split(
    ' ',
  ),
)

/** Recognises scripts and checks in the words of a command. Options of the package manager itself make it another command. */
export function knownCommand(words: readonly string[], scripts: Readonly<Record<string, string>>): KnownCommand {
  const [first = '', second = '', third = ''] = words
  switch (first) {
    case 'npm':
      return npmScript(words)
    case 'pnpm':
    case 'yarn':
    case 'bun':
      if (second === 'run') return script(first, third, words.slice(3))
      if (first === 'bun') return OTHER
      if (second === 'test') return script(first, 'test', words.slice(2))
      if (second === 'exec') return byNpx(words.slice(third === '--' ? 3 : 2))
      if (Object.hasOwn(scripts, second) && !BUILT_IN.has(second)) return script(first, second, words.slice(2))
      return BUILT_IN.has(second) || second.startsWith('-') || second === '' ? OTHER : byNpx(words.slice(1))
    case 'npx':
      return check(words.slice(second === '--no-install' || second === '--no' ? 2 : 1))
    case 'git':
      return isReadingGit(words) ? { kind: 'git' } : OTHER
    default: {
      const local = /^(?:\.\/)?node_modules\/\.bin\/([\w.-]+)$/.exec(first)?.[1]
      return check(local === undefined ? words : [local, ...words.slice(1)])
    }
  }
}

function script(manager: string, name: string, rest: readonly string[]): KnownCommand {
  if (name === '' || name.startsWith('-')) return OTHER
  const extra = rest[0] === '--' ? rest.slice(1) : rest
  const byNpm = [...(name === 'test' ? ['npm', 'test'] : ['npm', 'run', name]), ...(extra.length > 0 ? ['--'] : [])]
  return { kind: 'script', script: name, manager, args: extra, byNpm: [...byNpm, ...extra] }
}

/** npm reads its options anywhere before `--`; only quieting it is harmless. */
function npmScript(words: readonly string[]): KnownCommand {
  const end = words.indexOf('--')
  const own = (end < 0 ? words.slice(1) : words.slice(1, end)).filter((word) => word !== '-s' && word !== '--silent')
  if (own.some((word) => word.startsWith('-'))) return OTHER
  const [verb = '', ...given] = own
  const args = end < 0 ? [] : words.slice(end + 1)
  if (verb === 'test' || verb === 't' || verb === 'tst')
    return { kind: 'script', script: 'test', manager: 'npm', args: [...given, ...args] }
  const [name = '', ...others] = given
  const runs = (verb === 'run' || verb === 'run-script') && name !== ''
  return runs ? { kind: 'script', script: name, manager: 'npm', args: [...others, ...args] } : OTHER
}

function byNpx(words: readonly string[]): KnownCommand {
  return { ...check(words), byNpm: ['npx', '--no-install', ...words] }
}

function check(words: readonly string[]): KnownCommand {
  const [program = '', ...args] = words
  if (!Object.hasOwn(TOOL_OPTIONS, program)) return OTHER
  // Another file than a test's would be run as it is; the other commands of biome start servers and rewrite files.
  const [first = ''] = args.filter((word) => word === '--test' || !word.startsWith('-'))
  if (program === 'node' && first !== '--test') return OTHER
  if (program !== 'biome') return { kind: 'check', program, args }
  return /^(?:lint|check|ci|format)$/.test(args[0] ?? '') ? { kind: 'check', program, args: args.slice(1) } : OTHER
}
