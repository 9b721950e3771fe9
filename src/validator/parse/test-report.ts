import type { TestResult } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { isRecord, parseJson, records, text } from './json.ts'
import { type Place, toRepositoryPath, withoutForeignFrames, withoutRoot } from './paths.ts'
import { mergeTests } from './tests.ts'

type Entry = Readonly<Record<string, unknown>>

/**
 * The tests in a JSON report of jest's form, which vitest writes too; undefined when `json` is no such report. A file
 * that can't be loaded is a failed test whose id is its path. A file that several projects run is named with the
 * project's name. `messageOf` knows better words for a failure than the report has.
 */
export function parseReport(
  json: string,
  place: Place,
  messageOf: (id: string, file: string) => string | undefined = () => undefined,
): TestResult[] | undefined {
  const report = parseJson(json)
  if (!isRecord(report) || !Array.isArray(report.testResults)) return undefined
  const entries = records(report.testResults)
  const shared = filesOfSeveral(entries)
  const tests = entries.flatMap((entry): TestResult[] => {
    const file = toRepositoryPath(text(entry.name), place)
    const project = text(entry.project)
    const name = project !== '' && shared.has(text(entry.name)) ? `${file} [${project}]` : file
    const cases = records(entry.assertionResults)
    const own = cases.map((test) => one(test, name, file, place, messageOf))
    if (entry.status !== 'failed' || own.some((test) => test.status === 'failed')) return own
    const message = clean(messageOf(name, file) ?? text(entry.message), place)
    return [{ id: name, file, status: 'failed', message }, ...own]
  })
  return mergeTests(tests)
}

function filesOfSeveral(entries: readonly Entry[]): ReadonlySet<string> {
  const names = entries.map((entry) => text(entry.name))
  return new Set(names.filter((name, index) => names.indexOf(name) !== index))
}

function one(
  test: Entry,
  name: string,
  file: string,
  place: Place,
  messageOf: (id: string, file: string) => string | undefined,
): TestResult {
  const titles = Array.isArray(test.ancestorTitles) ? test.ancestorTitles.map(text).filter((title) => title !== '') : []
  const id = [name, ...titles, text(test.title)].join(' > ')
  if (test.status !== 'failed') return { id, file, status: test.status === 'passed' ? 'passed' : 'skipped' }
  const fallback = Array.isArray(test.failureMessages) ? test.failureMessages.map(text).join('\n') : ''
  return { id, file, status: 'failed', message: clean(messageOf(id, file) ?? fallback, place) }
}

/** A failure as the model reads it. */
export function clean(message: string, place: Place): string {
  return withoutRoot(withoutForeignFrames(stripTerminalSequences(message)), place.root).trim()
}

/** Why a runner could not start: the first line it printed that names an error. */
export function startUpError(output: string): string {
  const lines = stripTerminalSequences(output)
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[●✖]\s+)?/, '').trimEnd())
    .filter((line) => line !== '')
  const found =
    lines.find((line) => /^\w*Error\b.*:/i.test(line)) ??
    lines.find((line) => /error|could not|cannot|can't|unrecognized/i.test(line)) ??
    lines[0]
  // Jest's headings end with a colon and say what it is about below.
  const below = found?.endsWith(':') ? lines[lines.indexOf(found) + 1] : undefined
  return [found ?? 'no output', ...(below === undefined ? [] : [below])].join(' ')
}
