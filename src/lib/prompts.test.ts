import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadPrompts } from './prompts.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'goatfied-prompts-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('names are paths without ending, and other files are left out', () => {
  mkdirSync(path.join(dir, 'tools/deep'), { recursive: true })
  writeFileSync(path.join(dir, 'edit.md'), 'Edit {{what}}.\n')
  writeFileSync(path.join(dir, 'tools/readFile.md'), 'Reads.\n')
  writeFileSync(path.join(dir, 'tools/deep/call.unknown-tool.md'), 'No such tool.\n')
  writeFileSync(path.join(dir, 'notes.txt'), 'not a prompt')
  expect(loadPrompts(dir)).toEqual({
    edit: 'Edit {{what}}.\n',
    'tools/readFile': 'Reads.\n',
    'tools/deep/call.unknown-tool': 'No such tool.\n',
  })
})

test('a folder that is not there is an error that names it', () => {
  expect(() => loadPrompts(path.join(dir, 'none'))).toThrow(path.join(dir, 'none'))
})
