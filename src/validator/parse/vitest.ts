import { resolve } from 'node:path'
import type { Diagnostic, TestResult } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { type Place, toRepositoryPath, withoutRoot } from './paths.ts'
import { parseReport, startUpError } from './test-report.ts'

/**
 * The tests in vitest's JSON report; undefined when `json` is no such report. `output` is what the default reporter
 * printed: it shows a failure with difference and code, which the JSON report lacks.
 */
export function parseVitest(json: string, output: string, place: Place): TestResult[] | undefined {
  const blocks = failureBlocks(output)
  return parseReport(json, place, (id, file) => {
    const printed = toRepositoryPath(resolve(place.root, file), { root: place.cwd, cwd: place.cwd })
    return blocks.get(id.replace(file, printed))
  })
}

const RULE = /^⎯{3,}/

/** The printed failures by test; tests with the same failure are listed above one block. */
function failureBlocks(output: string): Map<string, string> {
  const blocks = new Map<string, string>()
  let names: string[] = []
  let lines: string[] = []
  const close = (): void => {
    for (const name of names) blocks.set(name, lines.join('\n').trim())
    names = []
    lines = []
  }
  for (const line of stripTerminalSequences(output).split('\n')) {
    // A project's name stands before the file, a file that failed as a whole is named twice.
    const name = /^ FAIL\s+(?:\|[^|]+\|\s+)?(.+?)(?: \[ .+ \])?$/.exec(line)?.[1]
    if (name !== undefined) {
      if (lines.length > 0) close()
      names.push(name)
    } else if (RULE.test(line)) close()
    else if (names.length > 0) lines.push(line)
  }
  close()
  return blocks
}

/** Errors outside of any test, which make vitest fail though every test passes. */
export function vitestUnhandledErrors(output: string, place: Place): Diagnostic[] {
  const lines = stripTerminalSequences(output).split('\n')
  const start = lines.findIndex((line) => /^⎯+ Unhandled Errors? ⎯+$/.test(line.trim()))
  if (start < 0) return []
  const diagnostics: Diagnostic[] = []
  for (const [index, line] of lines.entries()) {
    if (index <= start || !/^⎯+ (?:Uncaught Exception|Unhandled Rejection|Unhandled Error) ⎯+$/.test(line.trim()))
      continue
    const rest = lines.slice(index + 1)
    const end = rest.findIndex((next) => RULE.test(next))
    const block = end < 0 ? rest : rest.slice(0, end)
    const file = block.map((next) => /^This error originated in "(.+?)" test file/.exec(next)?.[1]).find(Boolean)
    diagnostics.push({
      source: 'vitest',
      severity: 'error',
      ...(file === undefined ? {} : { file: toRepositoryPath(file, place) }),
      code: 'unhandled-error',
      message: withoutRoot(block.find((next) => next.trim() !== '') ?? line, place.root).trim(),
    })
  }
  return diagnostics
}

/** Why vitest could not start, from what it printed: its configuration, usually. */
export function vitestStartUpError(output: string): string {
  const lines = stripTerminalSequences(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const start = lines.findIndex((line) => /Startup Error/.test(line))
  return (start >= 0 ? lines[start + 1] : undefined) ?? startUpError(output)
}
