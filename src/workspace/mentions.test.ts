import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mentionsIn, namesIn, pathsIn } from './mentions.ts'

function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'goatfied-mentions-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  execFileSync('git', ['init', '-q'], { cwd: root })
  execFileSync('git', ['add', '--all'], { cwd: root })
  return root
}

test('names are what stands in backticks, without words that tell nothing', () => {
  const task =
    '`parseArgs(["--force"], { force: { type: "boolean" } })` gives `"true"`; so does `a.minFractionDigits`. Not parseRaw.'
  expect(namesIn(task)).toEqual(['parseArgs', 'force', 'minFractionDigits'])
  expect(namesIn("`parse('a=1', { duplicates: 'last' })`")).toEqual(['parse', 'duplicates'])
})

test('places are those of whole words in tracked files, file by file', async () => {
  const root = repository({
    'src/odd: name.ts': 'parseArgs()\nx\nparseArgs(parseArgs)\n',
    'src/b.ts': 'parseArgsOther()\n',
    'package-lock.json': 'parseArgs',
  })
  expect(await mentionsIn(root, ['parseArgs', 'nowhere'])).toEqual([
    { name: 'parseArgs', places: ['src/odd: name.ts:1,3'] },
  ])
})

test('without git, or without names, there are none', async () => {
  const plain = mkdtempSync(path.join(os.tmpdir(), 'goatfied-mentions-'))
  onTestFinished(() => rmSync(plain, { recursive: true, force: true }))
  expect([await mentionsIn(plain, ['parseArgs']), await mentionsIn(plain, [])]).toEqual([[], []])
})

test('paths are words with a slash or an extension, without what stands around them', () => {
  const task = `Fix \`src/cart/totals.ts:12\` (see ./docs/start.md, src\\core\\money.ts) and "app/(shop)/page.tsx".
    In package.json, and/or Makefile; version 1.2 of src/core. See https://example.org/a/b.html and
    https://github.com/o/r/blob/main/lib/tax.ts#L3; e.g. this. Again: src/cart/totals.ts!`
  expect(pathsIn(task)).toEqual([
    'src/cart/totals.ts',
    'docs/start.md',
    'src/core/money.ts',
    'app/(shop)/page.tsx',
    'package.json',
    'and/or',
    'src/core',
    'lib/tax.ts',
    'e.g',
  ])
})

test('of a text that is one endless word nothing is taken', () => {
  expect([pathsIn('.'.repeat(200_000)), pathsIn(`${'a/'.repeat(50_000)}b.ts`), pathsIn('')]).toEqual([[], [], []])
})
