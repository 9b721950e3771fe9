import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mentionsIn, namesIn } from './mentions.ts'

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
