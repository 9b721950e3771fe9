import { expect, test } from 'vitest'
import { TOOL_NAMES } from '../core/tool.ts'
import { nearestNames } from './nearest-names.ts'

test.each([
  ['str_replace_editor', 'editFile'],
  ['edit_file', 'editFile'],
  ['EditFile', 'editFile'],
  ['editfiles', 'editFile'],
  ['read', 'readFile'],
  ['search', 'searchCode'],
  ['run_terminal_command', 'runCommand'],
  ['list_directory', 'listFiles'],
  ['submit_plan', 'submitPlan'],
])('%s is nearest to %s', (wanted, name) => {
  expect(nearestNames(wanted, TOOL_NAMES)[0]?.name).toBe(name)
})

test('all names stay, those that are equally far in their order', () => {
  expect(nearestNames('bbb', ['x', 'y', 'bbc'])).toEqual([
    { name: 'bbc', score: 1 - 1 / 3 },
    { name: 'x', score: 0 },
    { name: 'y', score: 0 },
  ])
})
