import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Language, type Node, Parser } from 'web-tree-sitter'
import type { Fault } from './scan.ts'

/**
 * Parses a text; undefined when the grammar takes it, otherwise the first place that it does not take. What the grammar takes is
 * given to `further`, for rules that it does not hold.
 */
export type GrammarFault = (text: string, further?: (root: Node) => Fault | undefined) => Fault | undefined

/**
 * A parser from the compressed WebAssembly in `folder`: `web-tree-sitter.wasm.br` and `tree-sitter-<name>.wasm.br`.
 * Throws when a file is missing or is of another version.
 */
export async function loadGrammar(folder: string, name: string): Promise<GrammarFault> {
  const read = (file: string) => brotliDecompressSync(readFileSync(path.join(folder, `${file}.wasm.br`)))
  await Parser.init({ wasmBinary: read('web-tree-sitter') })
  const language = await Language.load(read(`tree-sitter-${name}`))
  return (text, further) => {
    const parser = new Parser()
    try {
      parser.setLanguage(language)
      const tree = parser.parse(text)
      if (tree === null) return undefined
      const { rootNode } = tree
      const fault = rootNode.hasError ? asFault(firstBroken(rootNode)) : further?.(rootNode)
      tree.delete()
      return fault
    } finally {
      parser.delete()
    }
  }
}

/** Children with an error are followed down to the first that is one itself. */
function firstBroken(root: Node): Node {
  let node = root
  for (;;) {
    if (node.isError || node.isMissing) return innermost(node)
    const next = node.children.find((child) => child.hasError || child.isMissing)
    if (next === undefined) return node
    node = next
  }
}

/** An error that spans much holds what is at fault as an error of its own, or begins with it. */
function innermost(error: Node): Node {
  let node = error
  for (;;) {
    const next = node.children.find((child) => child.isError || child.isMissing || child.hasError)
    if (next === undefined) return node
    node = next
  }
}

function asFault(node: Node): Fault {
  const offset = node.startIndex
  if (node.isMissing) return { offset, message: `"${node.type}" is missing here` }
  const snippet = node.text.split('\n')[0]?.trim().slice(0, 60) ?? ''
  return { offset, message: snippet === '' ? 'this can not be parsed' : `this can not be parsed: ${snippet}` }
}
