import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** One import of a source file, types included. */
export interface Import {
  /** Relative to `src`, with `/`. */
  readonly from: string
  /** A file relative to `src`, or the name of a package or built-in as written. */
  readonly to: string
  readonly kind: 'file' | 'built-in' | 'package'
}

/** All imports of the sources below `src`: static, dynamic, of types, and re-exports. Tests and what only they use (`testing.ts`) are left out. */
export function scanImports(src: string): Import[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(?:\.test|\btesting)\.tsx?$/.test(file))
    .flatMap((file) => importsOf(readFileSync(path.join(src, file), 'utf8'), file.split(path.sep).join('/')))
}

/** The imports of one source; `from` is its path relative to `src`. */
export function importsOf(source: string, from: string): Import[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => {
    if (fileName.startsWith('.')) return { from, to: path.posix.join(path.posix.dirname(from), fileName), kind: 'file' }
    return { from, to: fileName, kind: fileName.startsWith('node:') ? 'built-in' : 'package' }
  })
}

/** Circles of files that import one another, each once, from its first file by name. */
export function findCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to, kind } of imports) {
    if (kind === 'file') targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (file: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(file)
    if (seen >= 0) cycles.push(trail.slice(seen))
    if (seen >= 0 || done.has(file)) return
    for (const to of targets.get(file) ?? []) visit(to, [...trail, file])
    done.add(file)
  }
  for (const file of [...targets.keys()].sort()) visit(file, [])
  return cycles
}
