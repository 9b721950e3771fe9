import { lastCommand } from './harmless-arguments.ts'
import { type KnownCommand, knownCommand } from './known-commands.ts'
import { TOOL_OPTIONS } from './tool-options.ts'

export type TestRunner = 'vitest' | 'jest' | 'mocha' | 'node'

/** A word of a command by which a test runner is told what to run: a file, or a pattern for the names of tests. */
export interface NamedTest {
  /** `text`: a name that is taken as it is, and not as a pattern. */
  readonly is: 'file' | 'name' | 'text'
  readonly value: string
  /** Index of the word, and the part of it before the value (`--grep=`). */
  readonly word: number
  readonly before: string
}

export interface TestCommand {
  readonly runner: TestRunner
  readonly named: readonly NamedTest[]
}

type Scripts = Readonly<Record<string, string>>

const NAME_OPTIONS: Readonly<Record<TestRunner, readonly string[]>> = {
  vitest: ['-t', '--testNamePattern'],
  jest: ['-t', '--testNamePattern'],
  mocha: ['-g', '--grep', '-f', '--fgrep'],
  node: ['--test-name-pattern'],
}
/** With these the words mean something else: other folders, tests that a pattern does not match, the tests of a source. */
const CHANGES_MEANING =
  /^(?:-r|--root|--dir|--rootDir|-i|--invert|--findRelatedTests|--passWithNoTests|--changed|-o|--onlyChanged|related|bench|list|typecheck|init|--listTests|--version|-v|--help|-h)(?:=|$)/
/** Scripts that call scripts. */
const DEEPEST = 5

/**
 * What a command tells a test runner to run, also through scripts; undefined where it runs no test runner, or its options
 * are not all known.
 */
export function testCommand(words: readonly string[], known: KnownCommand, scripts: Scripts): TestCommand | undefined {
  const runner = runnerOf(known, scripts)
  if (runner === undefined || !('args' in known)) return undefined
  if (known.args.some((word) => CHANGES_MEANING.test(word))) return undefined
  const named = namedIn(known.args, runner)
  const places = placesOf(known.args, words)
  return named && { runner, named: named.map((each) => ({ ...each, word: places[each.word] ?? each.word })) }
}

function runnerOf(known: KnownCommand, scripts: Scripts, depth = 0): TestRunner | undefined {
  if (known.kind === 'check') return isRunner(known.program) ? known.program : undefined
  if (known.kind !== 'script' || depth > DEEPEST) return undefined
  const words = lastCommand(Object.hasOwn(scripts, known.script) ? (scripts[known.script] ?? '') : '')
  if (words === undefined || words.some((word) => CHANGES_MEANING.test(word))) return undefined
  if (words[0] === 'node' && words.includes('--test')) return 'node'
  return runnerOf(knownCommand(words, scripts), scripts, depth + 1)
}

const isRunner = (program: string): program is TestRunner => Object.hasOwn(NAME_OPTIONS, program)

/** `word` is the index into `args`. Undefined where it can't be told which words are values of options. */
function namedIn(args: readonly string[], runner: TestRunner): NamedTest[] | undefined {
  const options = TOOL_OPTIONS[runner]
  const named: NamedTest[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (word === '--') continue
    if (!word.startsWith('-')) {
      const isVerb = runner === 'vitest' && /^(?:run|watch|dev)$/.test(word)
      if (!isVerb) named.push({ is: 'file', value: word, word: at, before: '' })
      continue
    }
    const cut = word.indexOf('=')
    const name = cut < 0 ? word : word.slice(0, cut)
    const takesValue = options !== undefined && Object.hasOwn(options.values, name)
    if (!takesValue && options?.flags.has(word) !== true) return undefined
    if (NAME_OPTIONS[runner].includes(name)) {
      const value = cut < 0 ? args[at + 1] : word.slice(cut + 1)
      if (value === undefined) return undefined
      const is = /^(?:-f|--fgrep)$/.test(name) ? 'text' : 'name'
      named.push({ is, value, word: cut < 0 ? at + 1 : at, before: cut < 0 ? '' : word.slice(0, cut + 1) })
    }
    if (takesValue && cut < 0) at += 1
  }
  return named
}

/** Where the arguments stand in the command: in their order, at its end, but for what the package manager takes away. */
function placesOf(args: readonly string[], words: readonly string[]): number[] {
  const places: number[] = []
  let at = words.length - 1
  for (const arg of [...args].reverse()) {
    while (at >= 0 && words[at] !== arg) at -= 1
    places.unshift(at)
    at -= 1
  }
  return places
}
