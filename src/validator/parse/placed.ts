import type { Diagnostic } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { type Place, toRepositoryPath, withoutRoot } from './paths.ts'

const PLACED = /^\s*(?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+):(?<column>\d+):?\s+(?<message>\S.*)$/
/** The form of a report with a heading for each file. */
const HEADING = /^\s*(?<file>\S*[\w)\]]\.\w+)(?::\d+:\d+)?$/
const UNDER_HEADING = /^\s+(?:(?<mark>[⚠✖×✘])\s+)?(?<line>\d+):(?<column>\d+)\s+(?<message>\S.*)$/

/** Whatever has the form of a complaint with a place. Warnings are left out where there are errors, which made the tool fail. */
export function parsePlaced(output: string, source: string, place: Place): Diagnostic[] {
  const found: Diagnostic[] = []
  let heading: string | undefined
  for (const line of stripTerminalSequences(output).split('\n')) {
    const groups = PLACED.exec(line)?.groups
    const under = groups === undefined && heading !== undefined ? UNDER_HEADING.exec(line)?.groups : undefined
    const file = groups?.file ?? (under && heading)
    const at = groups ?? under
    if (file !== undefined && at !== undefined) {
      const said = withoutRoot((at.message ?? '').trim(), place.root).replace(/\s{2,}/g, '  ')
      const code = /\[(?:Error|Warning)\/(?<code>[^\]]+)\]$/.exec(said)?.groups?.code
      const warning = under?.mark === '⚠' || /^(?:warning|warn)\b|\[Warning(?:\/[^\]]+)?\]$/i.test(said)
      found.push({
        source,
        severity: warning ? 'warning' : 'error',
        file: toRepositoryPath(file, place),
        line: Number(at.line),
        column: Number(at.column),
        ...(code === undefined ? {} : { code }),
        message: said.replace(/ ?\[(?:Error|Warning)(?:\/[^\]]+)?\]$/, ''),
      })
    } else if (line.trim() !== '') heading = HEADING.exec(line)?.groups?.file ?? heading
  }
  return errorsFirst(found)
}

const COMMAND = /^::(?<severity>error|warning) (?<fields>\S.*?)::(?<message>.*)$/

/** The form that GitHub reads. */
export function parseGithub(output: string, source: string, place: Place): Diagnostic[] {
  const found = stripTerminalSequences(output)
    .split('\n')
    .flatMap((line): Diagnostic[] => {
      const groups = COMMAND.exec(line.trim())?.groups
      if (groups === undefined) return []
      const fields = new Map((groups.fields ?? '').split(',').map((field) => pair(field)))
      const file = fields.get('file')
      const code = fields.get('title')
      return [
        {
          source,
          severity: groups.severity === 'warning' ? 'warning' : 'error',
          ...(file === undefined ? {} : { file: toRepositoryPath(unescapeField(file), place) }),
          ...(Number(fields.get('line')) > 0 ? { line: Number(fields.get('line')) } : {}),
          ...(Number(fields.get('col')) > 0 ? { column: Number(fields.get('col')) } : {}),
          ...(code === undefined ? {} : { code: unescapeField(code) }),
          message: withoutRoot(unescapeField(groups.message ?? ''), place.root),
        },
      ]
    })
  return errorsFirst(found)
}

/** The files that a formatter names, one a line; those that it can't read have a message of their own. */
export function parseUnformatted(output: string, source: string, place: Place): Diagnostic[] {
  return stripTerminalSequences(output)
    .split('\n')
    .flatMap((line): Diagnostic[] => {
      const failed = /^\[error\] (?<file>\S.*?\.\w+): (?<message>\S.*)$/.exec(line)?.groups
      const named = /^(?:\[warn\] )?(?<file>[^\s[].*?\.\w+)(?: \(\d+ms\))?$/.exec(line)?.groups
      const file = failed?.file ?? named?.file
      if (file === undefined || /\s(?:above|in|the)\s/.test(file)) return []
      const message = failed?.message ?? 'is not formatted'
      return [{ source, severity: 'error', file: toRepositoryPath(file, place), message }]
    })
}

function errorsFirst(all: readonly Diagnostic[]): Diagnostic[] {
  const errors = all.filter((one) => one.severity === 'error')
  return errors.length > 0 ? errors : [...all]
}

function pair(field: string): readonly [string, string] {
  const at = field.indexOf('=')
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
}

function unescapeField(text: string): string {
  return text
    .replaceAll('%0A', '\n')
    .replaceAll('%0D', '')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')
}
