import type { Step, Word } from './script-steps.ts'

type Scripts = Readonly<Record<string, string>>

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s
/** What these package managers take for a command of their own; any other word is a script, or a program of a package. */
const OWN_COMMAND =
  /^(?:-.*|run|run-script|exec|x|dlx|install|i|add|ci|create|init|publish|pack|audit|config|deploy|dedupe|fetch|import|info|licenses|link|list|ls|outdated|patch|patch-commit|prune|rebuild|recursive|remove|rm|root|set|setup|store|unlink|up|update|upgrade|version|why|workspaces?|node|npm|pm|cache|plugin|test|t|start)$/
/** Options of c8 and nyc whose value is a word of its own. */
const COVERAGE_VALUE =
  /^(?:-[rnxceo]|--(?:reporter|include|exclude|config|extension|src|lines|branches|functions|statements|temp-dir|temp-directory|report-dir|reports-dir))$/

/** The command that a step comes to without what only launches or measures it, and the variables that are set for it. */
export function unwrap(scripts: Scripts, step: Step): { env: Record<string, string>; words: Word[]; text: string } {
  const env: Record<string, string> = {}
  let words = [...step.words]
  // What npx finds may not be installed: it stays in the text.
  let npx = false
  for (;;) {
    const [first, second, third] = words
    const name = first?.value ?? ''
    const assignment = ASSIGNMENT.exec(name)
    if (assignment?.[1] !== undefined && first?.plain) {
      env[assignment[1]] = assignment[2] ?? ''
      words = words.slice(1)
    } else if (name === 'cross-env') words = words.slice(1)
    else if (name === 'npx' || name === 'bunx') {
      npx = true
      words = words.slice(1)
      while (/^(?:--no-install|--no|--yes|-y)$/.test(words[0]?.value ?? '')) words = words.slice(1)
    } else if ((name === 'c8' || name === 'nyc') && measured(words) !== undefined) words = measured(words) ?? []
    else if (/^(?:npm|pnpm|yarn)$/.test(name) && second?.value === 'exec')
      words = words.slice(third?.value === '--' ? 3 : 2)
    else if (runsProgram(scripts, name, second?.value)) words = words.slice(1)
    else break
  }
  const unchanged = words.length === step.words.length
  const text = unchanged ? step.text : [...(npx ? ['npx'] : []), ...words.map((word) => word.raw)].join(' ')
  return { env, words, text }
}

function runsProgram(scripts: Scripts, manager: string, name: string | undefined): boolean {
  if (name === undefined || (manager !== 'pnpm' && manager !== 'yarn')) return false
  return scripts[name] === undefined && !OWN_COMMAND.test(name)
}

/** What c8 or nyc measures; undefined for their other commands. */
function measured(words: readonly Word[]): Word[] | undefined {
  let at = 1
  while (words[at]?.value.startsWith('-')) at += COVERAGE_VALUE.test(words[at]?.value ?? '') ? 2 : 1
  const name = words[at]?.value
  return name === undefined || /^(?:report|check-coverage|merge|instrument)$/.test(name) ? undefined : words.slice(at)
}

/** The scripts of the same package that a command calls: `npm run x`, `npm test`, `yarn x`, `run-s a b:*`. */
export function calledScripts(
  scripts: Scripts,
  words: readonly Word[],
): { names: string[]; extra: readonly Word[] } | undefined {
  const [runner, ...rest] = words
  if (/^(?:run-s|run-p|npm-run-all)$/.test(runner?.value ?? '')) {
    const names = rest.filter((word) => !word.value.startsWith('-')).flatMap((word) => matching(scripts, word.value))
    return names.length > 0 ? { names, extra: [] } : undefined
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(runner?.value ?? '')) return undefined
  const explicit = rest[0]?.value === 'run' || rest[0]?.value === 'run-script'
  const after = (explicit ? rest.slice(1) : rest).filter((word) => !/^(?:-s|--silent)$/.test(word.value))
  const called = after[0]?.value
  const direct = explicit || runner?.value !== 'npm' || called === 'test' || called === 't'
  if (called === undefined || !direct) return undefined
  const name = called === 't' ? 'test' : called
  if (scripts[name] === undefined) return undefined
  const dashes = after.findIndex((word) => word.value === '--')
  const extra = dashes > 0 ? after.slice(dashes + 1) : runner?.value === 'npm' ? [] : after.slice(1)
  return { names: [name], extra }
}

function matching(scripts: Scripts, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern]
  const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^:]*')}$`)
  return Object.keys(scripts).filter((name) => expression.test(name))
}
