import type { Diagnostic } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { type Place, toRepositoryPath, withoutRoot } from './paths.ts'

const LOCATED =
  /^(?<file>\S.*?)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$/
const GLOBAL = /^(?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$/

/** The diagnostics of `tsc --pretty false`. Indented lines go on the message before them; other lines are left out. */
export function parseTsc(output: string, place: Place, source = 'tsc'): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const line of stripTerminalSequences(output).split('\n')) {
    const previous = diagnostics.at(-1)
    if (/^\s+\S/.test(line) && previous !== undefined) {
      diagnostics[diagnostics.length - 1] = {
        ...previous,
        message: `${previous.message}\n${withoutRoot(line.trimEnd(), place.root)}`,
      }
      continue
    }
    const groups = (LOCATED.exec(line) ?? GLOBAL.exec(line))?.groups
    if (groups === undefined) continue
    diagnostics.push({
      source,
      severity: groups.severity === 'warning' ? 'warning' : 'error',
      ...(groups.file === undefined
        ? {}
        : {
            file: toRepositoryPath(groups.file, place),
            line: Number(groups.line),
            column: Number(groups.column),
          }),
      code: groups.code ?? '',
      message: withoutRoot(groups.message ?? '', place.root),
    })
  }
  return diagnostics
}
