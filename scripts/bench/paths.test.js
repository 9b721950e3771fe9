import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** @type {string} */
let folder
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'goatfied-bench-paths-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** @param {string} name @param {string | Uint8Array} content */
const put = (name, content) => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** @param {readonly string[]} args */
const bench = (...args) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'paths.js'), ...args],
    {
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}

const PATHS = 'src/cart/totals.ts\nsrc/core/money.ts\nsrc/core/rounding.ts\n'
const QUERIES = [
  { kind: 'swap', mistyped: 'src/core/mnoey.ts', meant: 'src/core/money.ts' },
  { kind: 'swap', mistyped: 'src/core/mnoey.ts', meant: 'src/cart/totals.ts' },
  { mistyped: 'src/money.ts', meant: 'src/core/money.ts' },
  { mistyped: 'src/money.ts', meant: 'src/core/gone.ts' },
]
const jsonLines = QUERIES.map((query) => JSON.stringify(query)).join('\n')

test.each([
  ['plain', (/** @type {string} */ text) => Buffer.from(text)],
  ['gzipped', (/** @type {string} */ text) => gzipSync(text)],
  ['with Windows line ends', (/** @type {string} */ text) => Buffer.from(text.replaceAll('\n', '\r\n'))],
])('one JSON object from files that are %s', (_, packed) => {
  const { status, stdout, stderr } = bench(
    '--paths',
    put('paths', packed(PATHS)),
    '--queries',
    put('queries', packed(jsonLines)),
    '--json',
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { buildMs, p50Ms, p95Ms, rssMb, rssTotalMb, ...exact } = JSON.parse(stdout)
  expect(exact).toEqual({
    paths: 3,
    queries: 4,
    recallAt1: 0.5,
    recallAt5: 0.75,
    recallAt20: 0.75,
    node: process.version,
  })
  expect([buildMs, p50Ms, p95Ms, rssMb, rssTotalMb].map((figure) => typeof figure)).toEqual(Array(5).fill('number'))
  expect(p95Ms).toBeGreaterThanOrEqual(p50Ms)
  expect(rssTotalMb).toBeGreaterThanOrEqual(rssMb)
})

test('a table for a person, a row for each kind', () => {
  const { status, stdout, stderr } = bench('--paths', put('paths', PATHS), '--queries', put('queries', jsonLines))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const figures = stdout
    .replaceAll(/\d+\.\d ms/g, '<ms>')
    .replaceAll(/-?\d+ (ms|MiB)/g, '<$1>')
    .replaceAll(/ {2,}/g, ' | ')
  expect(figures).toBe(
    [
      '3 paths | queries | first | among 5 | among 20 | p50 | p95',
      'swap | 2 | 50.0 % | 100.0 % | 100.0 % | <ms> | <ms>',
      'all | 4 | 50.0 % | 75.0 % | 75.0 % | <ms> | <ms>',
      'built in <ms>; <MiB> for the index, <MiB> in all',
      '',
    ].join('\n'),
  )
})

test.each([
  ['an option that there is not', ['--path', 'x'], /^bench:paths: Unknown option '--path'/],
  ['an argument', ['paths.txt'], /^bench:paths: Unexpected argument 'paths\.txt'/],
  ['an option without its value', ['--paths'], /^bench:paths: Option '--paths <value>' argument missing/],
  ['a missing file', ['--paths', '/none/paths.txt'], /^bench:paths: \/none\/paths\.txt: ENOENT: no such file/],
])('%s is told, and the exit code is 2', (_, args, message) => {
  const { status, stdout, stderr } = bench(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n').length).toBe(1)
})

test.each([
  ['no JSON', PATHS, `${jsonLines}\n\nsrc/a.ts`, /queries:6: Unexpected token/],
  ['no object', PATHS, 'null', /queries:1: not \{ "mistyped": string/],
  ['a field missing', PATHS, '{"mistyped":"a"}', /queries:1: not \{ "mistyped": string/],
  ['nothing asked', PATHS, '\n', /queries: no queries$/m],
  ['no paths', '', jsonLines, /paths: no paths$/m],
  ['a broken archive', Uint8Array.of(0x1f, 0x8b, 1), jsonLines, /paths: /],
])('%s: which line of which file, and the exit code is 2', (_, paths, queries, message) => {
  const { status, stdout, stderr } = bench(
    '--paths',
    put('paths', paths),
    '--queries',
    put('queries', queries),
    '--json',
  )
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n').length).toBe(1)
})
