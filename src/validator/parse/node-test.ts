import { resolve } from 'node:path'
import type { TestResult } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { isRecord, parseJson, text } from './json.ts'
import { type Place, toRepositoryPath, withoutForeignFrames, withoutRoot } from './paths.ts'
import { mergeTests } from './tests.ts'

/**
 * The tests in the lines that `NODE_TEST_REPORTER` writes. Suites and tests that fail only by their subtests are left
 * out. A file that fails as a whole (it can't be loaded, it throws after its tests) is a failed test whose id is its
 * path, with what it printed to stderr, or what Node says of it, as message.
 */
export function parseNodeTest(lines: string, place: Place): TestResult[] {
  const names: string[] = []
  let file = ''
  const printed = new Map<string, string>()
  const tests: TestResult[] = []
  for (const line of lines.split('\n')) {
    const event = parseJson(line)
    if (!isRecord(event)) continue
    const nesting = typeof event.nesting === 'number' ? event.nesting : 0
    if (event.type === 'test:stderr' || event.type === 'test:diagnostic') {
      // Newer versions name the file as the command line does, and no file with an error that came after the tests.
      const of = typeof event.file === 'string' ? resolve(place.cwd, event.file) : file
      printed.set(of, `${printed.get(of) ?? ''}${text(event.message)}`)
    } else if (event.type === 'test:start') {
      names.length = nesting
      names.push(text(event.name))
      // A test declared in a helper names the helper's file; the outermost one tells the test file.
      if (nesting === 0) file = text(event.file)
    } else {
      const path = [...names.slice(0, nesting), text(event.name)]
      const test = oneTest(event, path, file, printed.get(file), place)
      if (test !== undefined) tests.push(test)
    }
  }
  // A file is reported as failed again when tests in it failed.
  const failing = new Set(
    tests.filter((test) => test.status === 'failed' && test.id !== test.file).map((test) => test.file),
  )
  return mergeTests(tests.filter((test) => test.id !== test.file || !failing.has(test.file)))
}

function oneTest(
  event: Readonly<Record<string, unknown>>,
  path: readonly string[],
  absoluteFile: string,
  printed: string | undefined,
  place: Place,
): TestResult | undefined {
  const left = event.skip === true || event.todo === true
  const failed = event.type === 'test:fail' && !left
  if (event.failureType === 'subtestsFailed' || (event.suite === true && !failed)) return undefined
  const file = toRepositoryPath(absoluteFile, place)
  const wholeFile = path.length === 1 && resolve(place.cwd, path[0] ?? '') === absoluteFile
  const id = wholeFile ? file : [file, ...path].join(' > ')
  if (!failed) return { id, file, status: left ? 'skipped' : 'passed' }
  const message = wholeFile && printed !== undefined ? printed : text(event.error)
  const plain = withoutForeignFrames(stripTerminalSequences(message))
  return { id, file, status: 'failed', message: withoutRoot(plain, place.root).trim() }
}
