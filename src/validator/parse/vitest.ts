import type { Diagnostic, TestResult } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { isRecord, parseJson, records, text } from './json.ts'
import { type Place, toRepositoryPath, withoutForeignFrames, withoutRoot } from './paths.ts'
import { mergeTests } from './tests.ts'

/**
 * The tests in vitest's JSON report; undefined when `json` is no such report.
 * A file that can't be loaded is a failed test whose id is its path. `output` is what the default reporter printed: it
 * shows a failure with difference and code, which the JSON report lacks.
 */
export function parseVitest(json: string, output: string, place: Place): TestResult[] | undefined {
  const report = parseJson(json)
  if (!isRecord(report) || !Array.isArray(report.testResults)) return undefined
  const blocks = failureBlocks(output)
  const tests = records(report.testResults).flatMap((entry): TestResult[] => {
    const file = toRepositoryPath(text(entry.name), place)
    const printed = toRepositoryPath(text(entry.name), { root: place.cwd, cwd: place.cwd })
    const cases = records(entry.assertionResults)
    if (entry.status === 'failed' && !cases.some((test) => test.status === 'failed')) {
      const message = blocks.get(printed) ?? text(entry.message)
      return [
        { id: file, file, status: 'failed', message: clean(message, place) },
        ...cases.map((test) => one(test, file)),
      ]
    }
    return cases.map((test) => {
      const result = one(test, file)
      if (result.status !== 'failed') return result
      const fallback = Array.isArray(test.failureMessages) ? test.failureMessages.map(text).join('\n') : ''
      const message = blocks.get(result.id.replace(file, printed)) ?? fallback
      return { ...result, message: clean(message, place) }
    })
  })
  return mergeTests(tests)
}

function one(test: Readonly<Record<string, unknown>>, file: string): TestResult {
  const titles = Array.isArray(test.ancestorTitles) ? test.ancestorTitles.map(text).filter((title) => title !== '') : []
  return {
    id: [file, ...titles, text(test.title)].join(' > '),
    file,
    status: test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped',
  }
}

function clean(message: string, place: Place): string {
  return withoutRoot(withoutForeignFrames(stripTerminalSequences(message)), place.root).trim()
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
  return (start >= 0 ? lines[start + 1] : lines.find((line) => /error/i.test(line))) ?? lines[0] ?? 'no output'
}
