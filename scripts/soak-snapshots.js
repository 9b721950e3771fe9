// Plays random runs in random trees and looks whether everything is given back. Options: --cases <n>, --seed <n>. Ends with 1
// and the smallest case it finds when something is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import fc from 'fast-check'

const ROOT = path.join(import.meta.dirname, '..')
const TOLD_EVERY = 200

const { cases, seed } = readOptions()
Object.assign(process.env, { GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' })
const { anyCase, playCase } = await loadCases()

let played = 0
const begun = performance.now()
const details = await fc.check(
  fc.asyncProperty(anyCase, async (one) => {
    await playCase(one)
    played++
    if (played % TOLD_EVERY === 0) process.stderr.write(`${played} cases\n`)
  }),
  { numRuns: cases, seed },
)
if (details.failed) {
  const lost = details.errorInstance instanceof Error ? details.errorInstance.message : details.errorInstance
  process.stderr.write(
    `${fc.defaultReportMessage(details)}\n\nLost: ${lost}\nAgain: npm run soak:snapshots -- --seed ${details.seed}\n`,
  )
  process.exitCode = 1
} else {
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(`${details.numRuns} cases, nothing lost (seed ${details.seed}, ${seconds} s)\n`)
}

/** @returns {{ cases: number, seed: number }} */
function readOptions() {
  try {
    const { values } = parseArgs({ options: { cases: { type: 'string' }, seed: { type: 'string' } } })
    const numbers = { cases: Number(values.cases ?? 2000), seed: Number(values.seed ?? Date.now() % 2 ** 31) }
    for (const [name, value] of Object.entries(numbers))
      if (!Number.isSafeInteger(value)) throw new Error(`--${name} is no whole number`)
    return numbers
  } catch (error) {
    process.stderr.write(`soak:snapshots: ${error instanceof Error ? error.message : error}\n`)
    process.exit(2)
  }
}

/** @returns {Promise<typeof import('../src/editor/case-testing.ts') & typeof import('../src/editor/case-run-testing.ts')>} */
async function loadCases() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'goatfied-soak-'))
  try {
    const file = path.join(folder, 'cases.mjs')
    await build({
      stdin: {
        contents: "export * from './case-testing.ts'; export * from './case-run-testing.ts'",
        resolveDir: path.join(ROOT, 'src/editor'),
        loader: 'ts',
      },
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    })
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
