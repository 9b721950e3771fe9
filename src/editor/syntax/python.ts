import type { Node } from 'web-tree-sitter'
import type { GrammarFault } from './grammar.ts'
import { behind, behindQuote, type Fault, lineEnd, type Skip, scanBrackets } from './scan.ts'

/**
 * `grammar` decides; where brackets or strings are not closed, they are the better place. They can't decide alone, since an
 * f-string may hold its own quotes.
 */
export function pythonFault(text: string, grammar: GrammarFault): Fault | undefined {
  const fault = grammar(text, (root) => indentationFault(root, text))
  return fault === undefined ? undefined : (scanBrackets(text, skip) ?? fault)
}

const HEADS = new Set([
  'class_definition',
  'elif_clause',
  'else_clause',
  'except_clause',
  'finally_clause',
  'for_statement',
  'function_definition',
  'if_statement',
  'try_statement',
  'while_statement',
  'with_statement',
])

/** The grammar reads indentation more leniently than the language. Lines that a tab indents are left alone. */
function indentationFault(root: Node, text: string): Fault | undefined {
  const nodes = root.descendantsOfType(['module', 'block', ...HEADS])
  for (const node of nodes) {
    const fault = node.type === 'module' || node.type === 'block' ? unevenFault(node, text) : headFault(node)
    if (fault !== undefined) return fault
  }
  return undefined
}

function unevenFault(block: Node, text: string): Fault | undefined {
  let indentation = block.type === 'module' ? '' : undefined
  for (const { type, startIndex } of block.namedChildren) {
    const own = text.slice(text.lastIndexOf('\n', startIndex - 1) + 1, startIndex)
    // What follows a semicolon, a backslash or the head of its block does not begin its line.
    if (type === 'comment' || !/^ *$/.test(own) || text[startIndex] === '\\') continue
    indentation ??= own
    if (own !== indentation) return { offset: startIndex, message: 'the indentation fits no block' }
  }
  return undefined
}

function headFault(head: Node): Fault | undefined {
  const parts = head.namedChildren
  const body = parts.findLast(({ type }) => type === 'block')
  if (body === undefined || body.namedChildren.every(({ type }) => type === 'comment')) {
    return { offset: head.startIndex, message: 'an indented block is expected after this line' }
  }
  const isComplete = head.type !== 'try_statement' || parts.some(({ type }) => /^(except|finally)/.test(type))
  return isComplete ? undefined : { offset: head.startIndex, message: 'this try has neither except nor finally' }
}

const skip: Skip = (text, index) => {
  const character = text.charAt(index)
  if (character === '#') return lineEnd(text, index)
  if (character !== '"' && character !== "'") return index
  const triple = character.repeat(3)
  return text.startsWith(triple, index) ? behindTriple(text, index, triple) : behindQuote(text, index, false)
}

function behindTriple(text: string, start: number, triple: string): number | Fault {
  for (let index = start + 3; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text.startsWith(triple, index)) return index + 3
  }
  return behind(text, triple, text.length, start, 'string')
}
