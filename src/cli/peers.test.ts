import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { RecordedRequest } from '../simulator/simulator.ts'
import type { AnswerBlock } from '../simulator/turn.ts'
import { expectGoodConversations } from './conversation-testing.ts'
import { bed, edit, finish, repository, TYPED_PROJECT } from './testing.ts'

/*
 * One small task, played by a model that makes one kind of mistake: read a file, replace two lines, say done. The model
 * repeats a mistake as often as the column says, or until a schema or a result names the right value.
 */

const FILE = 'src/price.ts'
const OLD = 'export function total(prices: number[]): number {\n  return prices.length\n'
const NEW = 'export function total(prices: readonly number[]): number {\n  return prices.reduce((a, b) => a + b, 0)\n'
const WRONG_INDENT = OLD.replace('  return', '      return')
const call = (name: string, input: JsonObject): AnswerBlock => ({ call: name, input })
const right = edit(FILE, OLD, NEW)

interface Column {
  /** The mistaken answers, in the place of reading or of editing. */
  readonly at: 'read' | 'edit'
  readonly mistake: AnswerBlock
  /** How often it is made; `until-named`: as long as neither a schema nor a result names the file. */
  readonly times: number | 'until-named'
  /** The most requests: one more than the happy run for each call that is recovered. */
  readonly most: number
  /** What the leanest of other agents sent, in tokens of four bytes. */
  readonly leanest: number
}

const COLUMNS: Readonly<Record<string, Column>> = {
  'a wrong folder': {
    at: 'edit',
    mistake: edit('lib/prices/price.ts', OLD, NEW),
    times: 'until-named',
    most: 4,
    leanest: 25_000,
  },
  'a wrong extension': {
    at: 'edit',
    mistake: edit('src/price.js', OLD, NEW),
    times: 'until-named',
    most: 4,
    leanest: 25_000,
  },
  'an unknown tool, three times': {
    at: 'edit',
    mistake: call('apply_patch', { patch: '*** Begin' }),
    times: 3,
    most: 6,
    leanest: 9_700,
  },
  'a wrong type, twice': {
    at: 'edit',
    mistake: call('editFile', { path: FILE, edits: { old: OLD } }),
    times: 2,
    most: 5,
    leanest: 8_000,
  },
  'a wrong indentation, twice': {
    at: 'edit',
    mistake: edit(FILE, WRONG_INDENT, NEW),
    times: 2,
    most: 5,
    leanest: 8_500,
  },
  'arguments that are cut short': {
    at: 'edit',
    mistake: { rawCall: 'editFile', arguments: `{"path":"${FILE}","edits":[{"oldText":"export fun` },
    times: 1,
    most: 4,
    leanest: 6_300,
  },
  'no mistake': { at: 'edit', mistake: right, times: 0, most: 3, leanest: 4_600 },
}

it.each(Object.entries(COLUMNS))('%s: the right tree, few requests, few tokens', async (_, column) => {
  const root = repository(TYPED_PROJECT, { packages: ['typescript'] })
  const { run, requests } = await bed(playing(column))
  const ended = await run(['fix', 'total() counts the prices instead of adding them up', '-C', root, '--json'])
  const tokens = requests.reduce((sum, { body }) => sum + Buffer.byteLength(JSON.stringify(body)) / 4, 0)
  expect([ended.exitCode, readFileSync(path.join(root, FILE), 'utf8')]).toEqual([0, `${NEW}}\n`])
  expect(requests.length).toBeLessThanOrEqual(column.most)
  expect(tokens).toBeLessThan(column.leanest)
  expectGoodConversations(requests)
})

/** Reads, edits, says done; a scoped replay is answered by the edit as well. */
function playing({ mistake, times }: Column): (request: RecordedRequest) => readonly AnswerBlock[] {
  let mistakes = 0
  let place: 'read' | 'edit' | 'done' = 'read'
  return ({ body }) => {
    if (place === 'read') {
      place = 'edit'
      return [call('readFile', { path: FILE })]
    }
    const again = place === 'edit' && (times === 'until-named' ? !isNamed(body) : mistakes < times)
    if (again) {
      mistakes += 1
      return [mistake]
    }
    if (place === 'edit') {
      place = 'done'
      return [right]
    }
    return [finish]
  }
}

/** Whether the tools or the last message name the file that is meant; its earlier mentions were there at the first mistake. */
function isNamed({ tools, messages }: JsonObject): boolean {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  return JSON.stringify([tools, last]).includes(`"${FILE}"`)
}
