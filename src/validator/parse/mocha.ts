import type { TestResult } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { isRecord, parseJson, records, text } from './json.ts'
import { type Place, toRepositoryPath } from './paths.ts'
import { clean } from './test-report.ts'
import { mergeTests } from './tests.ts'

/**
 * The tests in mocha's JSON report; undefined when there is none in `printed`, which older versions mix with what the
 * tests print. A hook that fails is a failed test.
 */
export function parseMocha(printed: string, place: Place): TestResult[] | undefined {
  const report = findReport(printed)
  if (report === undefined) return undefined
  const list = (name: string, status: TestResult['status']): TestResult[] =>
    records(report[name]).map((test) => {
      const file = text(test.file) === '' ? undefined : toRepositoryPath(text(test.file), place)
      const error = isRecord(test.err) ? test.err : {}
      const said = text(error.stack).includes(text(error.message)) ? text(error.stack) : text(error.message)
      return {
        id: [...(file === undefined ? [] : [file]), text(test.fullTitle)].join(' > '),
        ...(file === undefined ? {} : { file }),
        status,
        ...(status === 'failed' ? { message: clean(said, place) } : {}),
      }
    })
  return mergeTests([...list('passes', 'passed'), ...list('pending', 'skipped'), ...list('failures', 'failed')])
}

function findReport(printed: string): Readonly<Record<string, unknown>> | undefined {
  for (const match of printed.matchAll(/^\{\s*"stats"/gm)) {
    const rest = printed.slice(match.index)
    // What is printed after the report starts a line of its own, or follows its last brace.
    const report = parseJson(rest) ?? parseJson(rest.slice(0, rest.search(/^\}/m) + 1))
    if (isRecord(report) && isRecord(report.stats)) return report
  }
  return undefined
}

/**
 * The test file that mocha could not load, which ends it before the first test: as a failed test. Undefined where it is
 * mocha itself that could not start (its configuration, what it is to load first).
 */
export function mochaLoadFailure(output: string, place: Place): TestResult | undefined {
  const said = stripTerminalSequences(output).trim()
  const begin = /^.*Exception during run: /m.exec(said)
  if (/^✖? ?ERROR: /m.test(said)) return undefined
  const message = begin === null ? said : said.slice(begin.index + begin[0].length)
  const file = loadedFile(message, place)
  return file === undefined ? undefined : { id: file, file, status: 'failed', message: clean(message, place) }
}

function loadedFile(message: string, place: Place): string | undefined {
  const own = (path: string | undefined): path is string =>
    path?.startsWith(`${place.root}/`) === true && !/\/node_modules\/|\.mocharc\./.test(path.slice(place.root.length))
  const paths = (pattern: RegExp) => [...message.matchAll(pattern)].map((match) => match[1]).filter(own)
  const importing = paths(/(?: imported from |\[ @)(?:file:\/\/)?(\/[^\n]+?)(?: \]|$)/gm)
  // Of the files that load each other the test comes last, called by mocha.
  const frames = paths(/^\s*at .*?(?:file:\/\/)?(\/[^\n:()]+):\d+:\d+\)?$/gm)
  const named = paths(/^(?:file:\/\/)?(\/[^\n:]+):\d+$/gm)
  const found = importing[0] ?? frames.at(-1) ?? named[0]
  return found === undefined ? undefined : toRepositoryPath(found, place)
}
