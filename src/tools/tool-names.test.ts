import { expect, test } from 'vitest'
import { TOOL_NAMES } from '../core/tool.ts'
import { meantTool } from './tool-names.ts'

const tools = TOOL_NAMES.map((name) => ({ name }))

test.each([
  ['read_file', 'readFile'],
  ['READFILE', 'readFile'],
  ['Read-File', 'readFile'],
  ['read file', 'readFile'],
  ['functions.readFile', 'readFile'],
  ['functions.edit_file', 'editFile'],
  ['default_api:runCommand', 'runCommand'],
  ['mcp__goatfied__create_file', 'createFile'],
  ['tools/listFiles', 'listFiles'],
])('%s means %s', (written, name) => {
  expect(meantTool(written, tools)?.name).toBe(name)
})

test.each(['readFile', 'read', 'readFiles', 'file.read', 'write_file', 'str_replace_editor', '', '.', 'toString'])(
  '%s means no other tool for certain',
  (written) => {
    expect(meantTool(written, tools)).toBe(undefined)
  },
)

test('of two tools that a name may mean none is taken', () => {
  expect(meantTool('READ_FILE', [{ name: 'readFile' }, { name: 'read_file' }])).toBe(undefined)
})
