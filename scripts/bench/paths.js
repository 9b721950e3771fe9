// How often, how fast and in how much memory a mistyped path is found among many. Options: --paths <file>, one path a line;
// --queries <file>, JSON lines { "mistyped", "meant", "kind"? }; both plain or gzipped; --json.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { printTable } from './measure.js'

const ROOT = path.join(import.meta.dirname, '../..')
const DATA = path.join(ROOT, '../shared/data')
const LIMIT = 20

/** What the person who started it has to put right. */
class UsageError extends Error {}

/** @typedef {{ mistyped: string, meant: string, kind: string }} Query */
/** @typedef {{ kind: string, place: number, ms: number }} Result `place` of the right path from 0, -1 when it is not offered */

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`bench:paths: ${error.message}\n`)
  process.exitCode = 2
}

async function main() {
  const options = readOptions()
  const paths = [...new Set(readLines(options.paths).map(({ text }) => text))]
  if (paths.length === 0) throw new UsageError(`${options.paths}: no paths`)
  const queries = readLines(options.queries).map(({ text, line }) => readQuery(text, `${options.queries}:${line}`))
  if (queries.length === 0) throw new UsageError(`${options.queries}: no queries`)
  report(paths.length, await measure(paths, queries), options.json === true)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        paths: { type: 'string', default: path.join(DATA, 'paths-100k.txt.gz') },
        queries: { type: 'string', default: path.join(DATA, 'mistyped-paths.jsonl') },
        json: { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

/** The lines that are not empty, with their numbers from 1. @param {string} file */
function readLines(file) {
  return readText(file)
    .split(/\r?\n/)
    .flatMap((text, index) => (text === '' ? [] : [{ text, line: index + 1 }]))
}

/** @param {string} file */
function readText(file) {
  try {
    const bytes = readFileSync(file)
    const gzipped = bytes[0] === 0x1f && bytes[1] === 0x8b
    return (gzipped ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`)
  }
}

/** @param {string} text @param {string} place @returns {Query} */
function readQuery(text, place) {
  let value
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${place}: ${messageOf(error)}`)
  }
  const { mistyped, meant, kind = '' } = value ?? {}
  if ([mistyped, meant, kind].every((each) => typeof each === 'string')) return { mistyped, meant, kind }
  throw new UsageError(`${place}: not { "mistyped": string, "meant": string, "kind"?: string }`)
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}

async function loadRanking() {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, 'src/workspace/path-ranking.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  const code = Buffer.from(outputFiles[0]?.text ?? '').toString('base64')
  /** @type {typeof import('../../src/workspace/path-ranking.ts')} */
  const ranking = await import(`data:text/javascript;base64,${code}`)
  return ranking.createPathRanking
}

/** @param {readonly string[]} paths @param {readonly Query[]} queries */
async function measure(paths, queries) {
  const createPathRanking = await loadRanking()
  const rssBefore = process.memoryUsage.rss()
  const begun = performance.now()
  const ranking = createPathRanking(paths)
  const buildMs = performance.now() - begun
  const results = queries.map(({ mistyped, meant, kind }) => {
    const asked = performance.now()
    const ranked = ranking.rank(mistyped, LIMIT)
    const ms = performance.now() - asked
    return { kind, place: ranked.findIndex((each) => each.path === meant), ms }
  })
  const rss = process.memoryUsage.rss()
  return { buildMs, rssMb: (rss - rssBefore) / 2 ** 20, rssTotalMb: rss / 2 ** 20, results }
}

/** The share of results whose right path is among the first `most`. @param {readonly Result[]} results @param {number} most */
function recall(results, most) {
  return results.filter(({ place }) => place >= 0 && place < most).length / results.length
}

/** The least time within which this share of the queries was answered. @param {readonly Result[]} results @param {number} share */
function percentile(results, share) {
  const sorted = results.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

/** @param {readonly Result[]} results */
function figures(results) {
  return {
    recallAt1: recall(results, 1),
    recallAt5: recall(results, 5),
    recallAt20: recall(results, LIMIT),
    p50Ms: percentile(results, 0.5),
    p95Ms: percentile(results, 0.95),
  }
}

/** @param {number} paths @param {Awaited<ReturnType<typeof measure>>} measured @param {boolean} json */
function report(paths, { results, ...measured }, json) {
  const all = { ...figures(results), ...measured }
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ paths, queries: results.length, ...all, node: process.version }, null, 2)}\n`,
    )
    return
  }
  const kinds = [...new Set(results.map(({ kind }) => kind))].filter((kind) => kind !== '')
  printTable([
    [`${paths} paths`, 'queries', 'first', 'among 5', `among ${LIMIT}`, 'p50', 'p95'],
    ...kinds.map((kind) =>
      row(
        kind,
        results.filter((each) => each.kind === kind),
      ),
    ),
    row('all', results),
  ])
  const megabytes = `${all.rssMb.toFixed(0)} MiB for the index, ${all.rssTotalMb.toFixed(0)} MiB in all`
  process.stdout.write(`built in ${all.buildMs.toFixed(0)} ms; ${megabytes}\n`)
}

/** @param {string} name @param {readonly Result[]} results */
function row(name, results) {
  const { recallAt1, recallAt5, recallAt20, p50Ms, p95Ms } = figures(results)
  const shares = [recallAt1, recallAt5, recallAt20].map((share) => `${(share * 100).toFixed(1)} %`)
  return [name, String(results.length), ...shares, `${p50Ms.toFixed(1)} ms`, `${p95Ms.toFixed(1)} ms`]
}
