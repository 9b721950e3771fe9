import { expect, it } from 'vitest'
import type { ToolDefinition } from '../core/tool.ts'
import { definitionsInForce, replacements, sameDefinition } from './definitions-in-force.ts'
import { LISTED, readFile, tightened } from './overlay-testing.ts'
import { editFile, userSays } from './testing.ts'

const [first, second] = [tightened(editFile, 'a.ts'), tightened(editFile, 'b.ts')]
const unlisted = { ...readFile, name: 'moveFile' }
const defines = (...definitions: ToolDefinition[]) => ({ role: 'tools' as const, definitions })

it('a later definition holds in place of an earlier one of its name', () => {
  const messages = [userSays('Go.'), defines(first, unlisted), userSays('On.'), defines(readFile, second)]
  expect(definitionsInForce({ tools: LISTED, messages })).toEqual([second, readFile])
  expect(definitionsInForce({ tools: LISTED, messages: messages.slice(0, 2) })).toEqual([first, readFile])
  expect(definitionsInForce({ tools: LISTED, messages: [] })).toEqual(LISTED)
})

it('of one message the last definition of a name holds, and none of a name that the list does not have', () => {
  expect(replacements(defines(first, unlisted, readFile, second), LISTED)).toEqual([second, readFile])
})

it('definitions are the same where name, description and schema are', () => {
  const { properties, ...others } = readFile.inputSchema
  const reordered = { ...others, ...(properties && { properties }) }
  expect(sameDefinition(readFile, { ...readFile, strict: true, effect: 'write', inputSchema: reordered })).toBe(true)
  for (const change of [{ name: 'x' }, { description: 'x' }, { inputSchema: first.inputSchema }])
    expect(sameDefinition(readFile, { ...readFile, ...change })).toBe(false)
})
