/** What a simple command runs: a script of package.json, a program of the repository's that only checks, or anything else. */
export type KnownCommand =
  | { readonly kind: 'script'; readonly script: string; readonly manager: string }
  | { readonly kind: 'check'; readonly program: 'tsc' | 'eslint' | 'vitest' | 'node' }
  | { readonly kind: 'other' }

const OTHER: KnownCommand = { kind: 'other' }
const CHECKS = new Set(['tsc', 'eslint', 'vitest'])
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
      if (second === 'run') return script(first, third)
      if (first === 'bun') return OTHER
      if (second === 'test') return script(first, 'test')
      if (second === 'exec') return check(words.slice(2))
      if (Object.hasOwn(scripts, second) && !BUILT_IN.has(second)) return script(first, second)
      return check(words.slice(1))
    case 'npx':
      return check(words.slice(second === '--no-install' || second === '--no' ? 2 : 1))
    case 'node':
      return check(words)
    default:
      return check(words)
  }
}

function script(manager: string, name: string): KnownCommand {
  return name === '' || name.startsWith('-') ? OTHER : { kind: 'script', script: name, manager }
}

/** npm reads its options anywhere before `--`; only quieting it is harmless. */
function npmScript(words: readonly string[]): KnownCommand {
  const end = words.indexOf('--')
  const own = (end < 0 ? words.slice(1) : words.slice(1, end)).filter((word) => word !== '-s' && word !== '--silent')
  if (own.some((word) => word.startsWith('-'))) return OTHER
  const [verb = '', name = ''] = own
  if (verb === 'test' || verb === 't' || verb === 'tst') return script('npm', 'test')
  return verb === 'run' || verb === 'run-script' ? script('npm', name) : OTHER
}

function check(words: readonly string[]): KnownCommand {
  const [program = '', ...args] = words
  if (CHECKS.has(program)) return { kind: 'check', program: program as 'tsc' | 'eslint' | 'vitest' }
  // Other options of node could carry code, or load it.
  const tests = program === 'node' && args.includes('--test')
  const harmless = args.every((word) => !word.startsWith('-') || /^--test(?:-|$)/.test(word))
  return tests && harmless ? { kind: 'check', program: 'node' } : OTHER
}
