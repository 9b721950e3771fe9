import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readInstructions } from './instructions.ts'

function folder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'goatfied-instructions-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return root
}

test('nearest first, up to the root; CLAUDE.md only where there is no AGENTS.md', async () => {
  const root = folder({
    'AGENTS.md': 'root\n',
    'CLAUDE.md': 'not this',
    'a/CLAUDE.md': 'middle',
    'a/b/AGENTS.md': 'near',
    'other/AGENTS.md': 'no',
  })
  expect(await readInstructions(root, path.join(root, 'a/b'))).toBe(
    '# a/b/AGENTS.md\nnear\n\n# a/CLAUDE.md\nmiddle\n\n# AGENTS.md\nroot',
  )
})

test('none, one that is empty, and a place outside of the root', async () => {
  const root = folder({ 'AGENTS.md': ' \n' })
  expect([await readInstructions(root, root), await readInstructions(root, os.tmpdir())]).toEqual(['', ''])
})

test('long ones are cut, and what is further away is left out', async () => {
  const root = folder({ 'AGENTS.md': 'far', 'a/AGENTS.md': 'x'.repeat(9_000) })
  expect(await readInstructions(root, path.join(root, 'a'))).toBe(`# a/AGENTS.md\n${'x'.repeat(8_000)}\n(cut)`)
})
