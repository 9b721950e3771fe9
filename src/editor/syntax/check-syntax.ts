import type { SyntaxCheck, SyntaxFault } from '../../core/syntax.ts'
import { bounded } from './bounded.ts'
import type { GrammarFault } from './grammar.ts'
import { type Language, languageOf } from './language.ts'
import type { Fault } from './scan.ts'

const MOST_BYTES = 1024 * 1024
const DEADLINE_MS = 3000

/** Takes every text. */
const UNUSABLE = Promise.resolve<GrammarFault>(() => undefined)

type Parse = (text: string) => Fault | undefined

/**
 * A check of texts that are about to be written. `grammars` is the folder with the compressed grammars. A parser is loaded with
 * the first file of its language. Whatever a parser does (throw, take too long, be missing), the answer is then that nothing is wrong.
 */
export function createSyntaxCheck(grammars: string): SyntaxCheck {
  const loaded = new Map<string, Promise<GrammarFault>>()
  const grammarOf = (name: string): Promise<GrammarFault> => {
    const grammar = loaded.get(name) ?? load(grammars, name)
    loaded.set(name, grammar)
    return grammar
  }
  return async (path, before, after) => {
    const language = languageOf(path)
    const text = language === undefined ? undefined : textOf(after)
    if (language === undefined || text === undefined) return undefined
    const old = before === undefined ? undefined : textOf(before)
    // Of a file that can't be read as text nothing is known to have been right.
    if (before !== undefined && old === undefined && before.length > 0 && !isBlank(before)) return undefined
    try {
      const parsers = await parsersOf(language, path, grammarOf)
      return bounded(() => newFault(text, old, parsers, language), DEADLINE_MS)
    } catch {
      // A grammar that was ended midway, or ran out of memory, may be in any state, and all of them share that memory.
      if (loaded.has(language)) for (const name of ['python', 'go']) loaded.set(name, UNUSABLE)
      return undefined
    }
  }
}

async function load(grammars: string, name: string): Promise<GrammarFault> {
  const { loadGrammar } = await import('./grammar.ts')
  return loadGrammar(grammars, name)
}

/** From strict to lenient: a file is held to the first that its text before the change satisfied. */
async function parsersOf(
  language: Language,
  path: string,
  grammarOf: (name: string) => Promise<GrammarFault>,
): Promise<readonly Parse[]> {
  switch (language) {
    case 'javascript':
    case 'typescript':
    case 'tsx': {
      const { javascriptFault } = await import('./javascript.ts')
      return [(text) => javascriptFault(text, path, language)]
    }
    case 'json':
    case 'json-with-comments': {
      const { jsonFault } = await import('./json.ts')
      const loose: Parse = (text) => jsonFault(text, true)
      return language === 'json' ? [(text) => jsonFault(text, false), loose] : [loose]
    }
    case 'css':
    case 'scss': {
      const { cssFault } = await import('./css.ts')
      return [(text) => cssFault(text, language)]
    }
    case 'html': {
      const { htmlFault } = await import('./html.ts')
      return [htmlFault]
    }
    case 'yaml': {
      const { yamlFault } = await import('./yaml.ts')
      return [yamlFault]
    }
    case 'python': {
      const { pythonFault } = await import('./python.ts')
      const grammar = await grammarOf('python')
      return [(text) => pythonFault(text, grammar)]
    }
    case 'go': {
      const { goFault } = await import('./go.ts')
      const grammar = await grammarOf('go')
      return [(text) => goFault(text, grammar)]
    }
    case 'rust': {
      const { rustFault } = await import('./rust.ts')
      return [rustFault]
    }
  }
}

function newFault(
  text: string,
  old: string | undefined,
  parsers: readonly Parse[],
  language: Language,
): SyntaxFault | undefined {
  const [strict] = parsers
  const fault = strict?.(text)
  if (strict === undefined || fault === undefined) return undefined
  if (old === undefined) return isTemplate(text, language) ? undefined : placed(fault, text)
  const parse = parsers.find((one) => one(old) === undefined)
  if (parse === undefined) return undefined
  const held = parse === strict ? fault : parse(text)
  return held === undefined ? undefined : placed(held, text)
}

/** Languages in which two braces are nothing but a mark for a template engine. */
const NO_DOUBLE_BRACES: ReadonlySet<Language> = new Set(['css', 'html', 'json', 'json-with-comments', 'scss', 'yaml'])

/** Text that a template engine fills in is not yet in the language of its name. GitHub's `${{` is a plain string. */
function isTemplate(text: string, language: Language): boolean {
  if (/\{%-? |<%|<\?php|\{\{ ?cookiecutter/.test(text)) return true
  return NO_DOUBLE_BRACES.has(language) && /(?<!\$)\{\{/.test(text)
}

/** Undefined when there is too much of it, or when it is not UTF-8. A file of blanks says nothing, like one that is not there. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' || text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 4096 && Buffer.from(bytes).toString().trim() === ''
}

function placed({ offset, message }: Fault, text: string): SyntaxFault {
  const from = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const line = text.slice(0, from).split('\n').length
  const lineText = text.slice(from, end === -1 ? text.length : end).replace(/\r$/, '')
  return { line, column: offset - from + 1, message, lineText }
}
