import type { Diagnostic } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { parseJson, records, text } from './json.ts'
import { type Place, toRepositoryPath, withoutRoot } from './paths.ts'

/**
 * The complaints of `eslint -f json`; undefined when `json` is no such report.
 * Notes without a rule (a file that is ignored, a directive that is unused) are no complaints unless eslint calls them
 * errors. Warnings are left out unless asked for.
 */
export function parseEslint(
  json: string,
  place: Place,
  options: { readonly warnings: boolean },
): Diagnostic[] | undefined {
  const report = parseJson(json)
  if (!Array.isArray(report)) return undefined
  return records(report).flatMap((entry) =>
    records(entry.messages).flatMap((message) => {
      const error = message.severity === 2 || message.fatal === true
      const code = typeof message.ruleId === 'string' ? message.ruleId : undefined
      if (!error && (code === undefined || !options.warnings)) return []
      return [
        {
          source: 'eslint',
          severity: error ? ('error' as const) : ('warning' as const),
          file: toRepositoryPath(text(entry.filePath), place),
          ...position(message),
          ...(code === undefined ? {} : { code }),
          message: withoutRoot(stripTerminalSequences(text(message.message)), place.root),
        },
      ]
    }),
  )
}

function position(message: Readonly<Record<string, unknown>>): { line?: number; column?: number } {
  return {
    ...(typeof message.line === 'number' ? { line: message.line } : {}),
    ...(typeof message.column === 'number' ? { column: message.column } : {}),
  }
}

/** What eslint says when it can't lint at all (exit code 2): the first line that tells something. */
export function eslintCrash(output: string): string {
  const lines = stripTerminalSequences(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(Oops! Something went wrong|ESLint: \d)/.test(line))
  return lines[0] ?? 'no output'
}
