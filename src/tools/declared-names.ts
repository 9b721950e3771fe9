const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*/u

/**
 * The names that a list of declarators (`a = 1, { b, c: d } = e`) or the members of an object (`{ a, b: c }`) bind. `code`
 * is masked source that begins with the first of them; `depthAt` tells how deep in brackets an offset of it is, and
 * `depth` how deep the list is. Of object members the keys count.
 */
export function declaredNames(code: string, depthAt: (at: number) => number, depth: number): string[] {
  const isObject = code.startsWith('{') && depthAt(0) < depth
  const parts = split(isObject ? 1 : 0, code, depthAt, depth)
  if (isObject)
    return parts.flatMap(
      (part) => NAME.exec(part.replace(/^(?:async\s+|get\s+|set\s+|\*\s*)+(?=[\p{L}_$])/u, ''))?.[0] ?? [],
    )
  // A comma within type arguments separates no declarators, and nothing tells them from comparisons.
  const [first = '', ...others] = parts
  const declarators = first.includes('<') ? [first] : [first, ...others]
  return declarators
    .filter((part, index) => index === 0 || /^(?:[\p{L}_$][\p{L}\p{N}_$]*\s*(?:[:=!]|$)|[[{])/u.test(part))
    .flatMap(boundIn)
}

/** The trimmed parts of a list, split at its commas, up to the bracket or semicolon that ends it. */
function split(from: number, code: string, depthAt: (at: number) => number, depth: number): string[] {
  const parts: string[] = []
  let start = from
  let at = from
  for (; at < code.length; at += 1) {
    if (depthAt(at) < depth) break
    if (depthAt(at) > depth) continue
    const letter = code.charAt(at)
    if (letter === ';') break
    if (letter !== ',') continue
    parts.push(code.slice(start, at).trim())
    start = at + 1
  }
  return [...parts, code.slice(start, at).trim()].filter((part) => part !== '')
}

/** The names that one declarator binds: its own, or those in its pattern. */
function boundIn(declarator: string): string[] {
  if (!/^[[{]/.test(declarator)) return [NAME.exec(declarator)?.[0] ?? []].flat()
  const depths = relativeDepths(declarator)
  const depthAt = (at: number) => depths[at] ?? 0
  return split(1, declarator, depthAt, 1).flatMap((part) => {
    const target = declarator.startsWith('{') ? part.replace(/^[^:=[{]+:\s*/, '') : part
    return boundIn(target.replace(/^\.\.\.\s*/, ''))
  })
}

function relativeDepths(code: string): number[] {
  let depth = 0
  return code.split('').map((letter) => {
    if (/[)\]}]/.test(letter)) depth -= 1
    const here = depth
    if (/[([{]/.test(letter)) depth += 1
    return here
  })
}
