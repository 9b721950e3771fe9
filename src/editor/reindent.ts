import { indentMap, indentOf } from './locate.ts'

/**
 * The lines of a new text in the indentation of the file, given how the old text's lines stand in it. Indentations that
 * the old text has are mapped as they stand; deeper and shallower ones by whole levels of the file's style.
 */
export function reindent(
  fresh: readonly string[],
  wanted: readonly string[],
  found: readonly string[],
  file: readonly string[],
): string[] {
  const map = indentMap(wanted, found) ?? new Map<string, string>()
  const theirs = unitOf([...wanted, ...fresh])
  const own = unitOf(file)
  return fresh.map((line) =>
    line.trim() === '' ? line.trim() : mapIndent(indentOf(line), map, theirs, own) + line.trimStart(),
  )
}

function mapIndent(indent: string, map: ReadonlyMap<string, string>, theirs: string, own: string): string {
  const known = map.get(indent)
  if (known !== undefined) return known
  const shorter = [...map.keys()].filter((key) => indent.startsWith(key)).sort((a, b) => b.length - a.length)[0]
  if (shorter !== undefined) return (map.get(shorter) ?? '') + convert(indent.slice(shorter.length), theirs, own)
  const shallowest = [...map.keys()].sort((a, b) => a.length - b.length)[0]
  if (shallowest === undefined || !shallowest.startsWith(indent)) return convert(indent, theirs, own)
  const base = map.get(shallowest) ?? ''
  const less = convert(shallowest.slice(indent.length), theirs, own)
  return base.slice(0, Math.max(0, base.length - less.length))
}

/** As many levels in the other unit; what is no whole level stays as blanks. */
function convert(indent: string, from: string, to: string): string {
  let levels = 0
  let rest = indent
  while (rest.startsWith('\t') || rest.startsWith(from)) {
    rest = rest.slice(rest.startsWith('\t') ? 1 : from.length)
    levels++
  }
  return to.repeat(levels) + rest
}

/** One level of indentation: a tab where most indented lines start with one, else the most usual step in blanks. */
function unitOf(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf)
  const tabs = indents.filter((indent) => indent.startsWith('\t')).length
  const blanks = indents.filter((indent) => indent.startsWith(' ')).length
  if (tabs > blanks) return '\t'
  const steps = new Map<number, number>()
  for (const [index, indent] of indents.entries()) {
    const step = Math.abs(indent.length - (indents[index - 1]?.length ?? 0))
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1)
  }
  const usual = [...steps].sort(([a, timesA], [b, timesB]) => timesB - timesA || a - b)[0]?.[0]
  return ' '.repeat(usual ?? 2)
}
