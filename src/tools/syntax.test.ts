import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestRunner } from './testing.ts'

const GOOD = 'export function add(a, b) {\n  return a + b\n}\n'

test('an edit that breaks the syntax is refused before it is written', async () => {
  const { root, run } = await openTestRunner({ 'a.js': GOOD })
  const edits = [{ oldText: 'a + b', newText: '(a + b' }]
  const before = await readFile(path.join(root, 'a.js'))
  expect(await run('editFile', { path: 'a.js', edits })).toEqual({
    callId: expect.any(String),
    tool: 'editFile',
    kind: 'edit.syntax',
    path: 'a.js',
    line: 3,
    column: 1,
    message: 'Unexpected token, expected ","; edit 1 opens 1 more "(" than it closes',
    shown: '1\texport function add(a, b) {\n2\t  return (a + b\n3\t}\n4\t',
  })
  expect(await readFile(path.join(root, 'a.js'))).toEqual(before)
})

test('an edit of a file that did not parse is taken, though it does not parse afterwards', async () => {
  const { root, run } = await openTestRunner({ 'a.js': `(${GOOD}` })
  await run('editFile', { path: 'a.js', edits: [{ oldText: 'a + b', newText: '[a + b' }] })
  expect(await readFile(path.join(root, 'a.js'), 'utf8')).toBe(`(${GOOD.replace('a + b', '[a + b')}`)
})

test('a new file has to parse, and is not there when it does not', async () => {
  const { root, run } = await openTestRunner({})
  expect(await run('createFile', { path: 'b.json', content: `{ "a": ${'1'.repeat(400)} "b": 2 }` })).toEqual({
    callId: expect.any(String),
    tool: 'createFile',
    kind: 'edit.syntax',
    path: 'b.json',
    line: 1,
    column: 409,
    message: 'unexpected string where "," or the end of the list or object is expected',
    shown: `1\t[...] ${'1'.repeat(149)} "b": 2 }`,
  })
  expect(existsSync(path.join(root, 'b.json'))).toBe(false)
  await run('createFile', { path: 'b.json', content: '{ "a": 1 }' })
  expect(await readFile(path.join(root, 'b.json'), 'utf8')).toBe('{ "a": 1 }')
})
