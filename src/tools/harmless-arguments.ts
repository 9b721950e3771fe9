import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { PathIndex } from '../core/ports.ts'
import { knownCommand } from './known-commands.ts'
import { TOOL_OPTIONS, type ToolOptions } from './tool-options.ts'

interface Place {
  readonly root: string
  readonly index: PathIndex
}
type Scripts = Readonly<Record<string, string>>

/** Programs that take a word for something else than a file: what to fetch, to publish or to run. */
const TAKES_NO_FILES = new Set(
  'npm npx pnpm pnpx yarn bun bunx deno corepack git gh sh bash dash zsh fish eval exec env xargs sudo ssh curl docker make'.split(
    ' ',
  ),
)
/** What a script that is not understood may be given beside files. */
const PATTERN_OPTION = /^(?:-t|-g|--testNamePattern|--test-name-pattern|--grep)$/
const PLAIN_PATTERN = /^\w[\w ,.'-]*$/
/** Scripts that call scripts. */
const DEEPEST = 5

/**
 * Whether these arguments only choose what the program checks, inside of the repository: they write nothing elsewhere, and no
 * code or configuration comes from another place than the program would take it from by itself.
 */
export async function areHarmless(program: string, args: readonly string[], place: Place): Promise<boolean> {
  const options = Object.hasOwn(TOOL_OPTIONS, program) ? TOOL_OPTIONS[program] : undefined
  if (options === undefined) return false
  let positionalOnly = false
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (positionalOnly || !word.startsWith('-')) {
      // vitest and mocha have a command of that name, which installs and writes.
      if (word === 'init' || word.startsWith('-') || !(await isInside(word, place))) return false
    } else if (word === '--') {
      positionalOnly = true
    } else if (!isFlag(word, options)) {
      const cut = word.indexOf('=')
      const value = cut < 0 ? args[at + 1] : word.slice(cut + 1)
      const shape = shapeOf(cut < 0 ? word : word.slice(0, cut), options)
      if (shape === undefined || value === undefined || (cut < 0 && value.startsWith('-'))) return false
      if (!(shape === 'path' ? await isInside(value, place) : shape.test(value))) return false
      if (cut < 0) at += 1
    }
  }
  return true
}

/** Whether a script may be given these arguments: those of the program that gets them, or files where that is not known. */
export async function mayBeGiven(
  script: string,
  args: readonly string[],
  scripts: Scripts,
  place: Place,
  depth = 0,
): Promise<boolean> {
  if (args.length === 0) return true
  const words = lastCommand(Object.hasOwn(scripts, script) ? (scripts[script] ?? '') : '')
  if (words === undefined || depth > DEEPEST) return false
  const known = knownCommand(words, scripts)
  if (known.kind === 'check') return areHarmless(known.program, args, place)
  if (known.kind === 'script') return mayBeGiven(known.script, args, scripts, place, depth + 1)
  const [program = ''] = words
  if (program === 'node' && words.includes('--test')) return areHarmless('node', args, place)
  if (TAKES_NO_FILES.has(path.basename(program))) return false
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (PATTERN_OPTION.test(word)) {
      at += 1
      if (!PLAIN_PATTERN.test(args[at] ?? '')) return false
    } else if (!(await isFileInside(word, place))) return false
  }
  return true
}

function isFlag(word: string, { flags }: ToolOptions): boolean {
  return flags.has(word) || flags.has(word.replace(/=(?:true|false)$/, ''))
}

function shapeOf(name: string, { values }: ToolOptions): RegExp | 'path' | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/**
 * A path or glob that can't lead out of the repository, nor into `.git` or `node_modules`, however a tool expands it: braces
 * only around plain words, brackets only in a path that exists.
 */
async function isInside(word: string, { root, index }: Place): Promise<boolean> {
  if (/^[~@]|\\|^$/.test(word) || word.split('/').includes('..')) return false
  const plain = word.replaceAll(/\{\w+(?:,\w+)*\}/g, '').replace(/(?::\d+){1,2}$/, '')
  if (/[^\p{L}\p{N}\p{M}\s\w./@%+=,*?()[\]-]/u.test(plain)) return false
  if (/[()[\]]/.test(plain) && !(await exists(path.resolve(root, word)))) return false
  const confined = await index.confine(word)
  return confined.ok && !/(?:^|\/)node_modules(?:\/|$)/i.test(confined.path)
}

/** For programs that nobody knows: what is there already, and is not the repository as a whole. */
async function isFileInside(word: string, place: Place): Promise<boolean> {
  if (!/^[\p{L}\p{N}_.+/[(][\p{L}\p{N}\w.+@/()[\] -]*$/u.test(word) || !(await isInside(word, place))) return false
  const confined = await place.index.confine(word)
  return confined.ok && confined.path !== '.' && (await exists(path.join(place.root, confined.path)))
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

/** The words of a script's last command, which gets what the script is given; undefined where that can't be told. */
export function lastCommand(text: string): readonly string[] | undefined {
  const last = text.split(/&&|\|\||[;|&\n]/).at(-1) ?? ''
  if (/[#`()<>]/.test(last) || [/"/g, /'/g].some((quote) => (last.match(quote)?.length ?? 0) % 2 === 1))
    return undefined
  const command = last.trim().replace(/^(?:(?:\w+=(?:"[^"]*"|'[^']*'|\S*)|(?:npx )?cross-env|c8|nyc)\s+)+/, '')
  return command === '' ? undefined : command.split(/\s+/)
}
