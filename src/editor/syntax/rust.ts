import { behind, behindQuote, type Fault, lineEnd, type Skip, scanBrackets } from './scan.ts'

/** Rust's own lexer demands that all brackets and literals are closed before it looks at anything else. */
export function rustFault(text: string): Fault | undefined {
  // What stands before the code of a script is not Rust.
  const shebang = /^#!(?!\s*\[).*/.exec(text)?.[0].length ?? 0
  if (/^\s*---/.test(text.slice(shebang))) return undefined
  return scanBrackets(text, (whole, index) => (index < shebang ? shebang : skip(whole, index)))
}

const WORD = /[\p{ID_Continue}]/u
const RAW_STRING = /(?:r|br|cr)(#*)"/y
const CHARACTER = /'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|[^xu])|[^\\'])'/uy

const skip: Skip = (text, index) => {
  const character = text.charAt(index)
  if (character === '/') {
    if (text[index + 1] === '/') return lineEnd(text, index)
    return text[index + 1] === '*' ? behindNested(text, index) : index
  }
  if (character === '"') return behindQuote(text, index, true)
  if (character === "'") {
    CHARACTER.lastIndex = index
    // Otherwise a lifetime.
    return index + (CHARACTER.exec(text)?.[0].length ?? 1)
  }
  if (!WORD.test(character)) return index
  return behindWord(text, index)
}

/** Words are passed whole, so that an `r` at the end of a name is not taken for the beginning of a raw string. */
function behindWord(text: string, start: number): number | Fault {
  RAW_STRING.lastIndex = start
  const raw = RAW_STRING.exec(text)
  if (raw !== null) return behind(text, `"${raw[1]}`, start + raw[0].length, start, 'string')
  let index = start
  while (index < text.length && WORD.test(text.charAt(index))) index++
  return index
}

/** Comments nest. */
function behindNested(text: string, start: number): number | Fault {
  const edge = /\/\*|\*\//g
  edge.lastIndex = start + 2
  let depth = 1
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  return { offset: start, message: 'the comment that begins here is never closed' }
}
