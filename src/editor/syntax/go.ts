import type { GrammarFault } from './grammar.ts'
import { behind, behindQuote, type Fault, lineEnd, type Skip, scanBrackets } from './scan.ts'

/** `grammar` is asked once all brackets and literals are known to be closed, whose places it can only guess. */
export function goFault(text: string, grammar: GrammarFault): Fault | undefined {
  const unclosed = scanBrackets(text, skip)
  if (unclosed !== undefined) return unclosed
  const fault = grammar(text)
  // The grammar takes only types as the first argument of these two, the language takes more.
  return fault === undefined || /\b(new|make)\s*\(/.test(lineAt(text, fault.offset)) ? undefined : fault
}

function lineAt(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, lineEnd(text, offset))
}

const skip: Skip = (text, index) => {
  switch (text[index]) {
    case '"':
    case "'":
      return behindQuote(text, index, false)
    case '`':
      return behind(text, '`', index + 1, index, 'string')
    case '/':
      if (text[index + 1] === '/') return lineEnd(text, index)
      return text[index + 1] === '*' ? behind(text, '*/', index + 2, index, 'comment') : index
    default:
      return index
  }
}
