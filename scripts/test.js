// What `npm test` does: build, static checks, tests. Its last line counts the tests; a check that fails counts as one failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { run } from './run.js'

const root = path.join(import.meta.dirname, '..')
const DEADLINE_MS = 10 * 60_000

/** @type {readonly (readonly [name: string, args: readonly string[]])[]} */
const CHECKS = [
  ['types', ['node_modules/typescript7/bin/tsc', '--noEmit', '-p', 'tsconfig.json']],
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
]

let passed = 0
let failed = 0

await check('build', ['scripts/build.js'])
for (const [name, args] of CHECKS) await check(name, args)
await runTests(process.argv.slice(2))
print(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** @param {string} name @param {readonly string[]} args */
async function check(name, args) {
  const { code, output } = await run(process.execPath, args, { cwd: root, show: false, deadlineMs: DEADLINE_MS })
  print(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (code === 0) return
  failed += 1
  print(output.trimEnd())
}

/** @param {readonly string[]} args for vitest, such as the files to run */
async function runTests(args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'goatfied-test-'))
  const report = path.join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { code } = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
      cwd: root,
      show: true,
      deadlineMs: DEADLINE_MS,
    })
    const failedBefore = failed
    count(report)
    // No test failed and yet the run did: an error outside of a test, a crash, or the deadline.
    if (code !== 0 && failed === failedBefore) failed += 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} report */
function count(report) {
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  let results
  try {
    results = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    print('The tests ended without a report.')
    return
  }
  passed += results.numPassedTests
  failed += results.numFailedTests
  // A file that could not be loaded has no tests to count.
  for (const file of results.testResults) {
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) failed += 1
  }
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}
