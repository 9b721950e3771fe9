import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parseScenario, readScenario } from './scenario.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/scenarios/', import.meta.url))

it('the bundled scenario and the one in the documentation are valid', async () => {
  expect((await readScenario(`${fixtures}demo.json`)).name).toBe('demo')
  const [, example] = (await readFile(`${fixtures}README.md`, 'utf8')).match(/```json\n([\s\S]*?)```/) ?? []
  expect(parseScenario(example ?? '', 'README.md').turns).toHaveLength(3)
})

it('a file that is not there is named', async () => {
  const file = `${fixtures}none.json`
  await expect(readScenario(file)).rejects.toThrow(
    new Error(`${file}: the scenario can't be read (ENOENT). Check the path.`),
  )
})

it('text that is not JSON is told', () => {
  expect(() => parseScenario('{"name": ', 'a.json')).toThrow(/^a\.json: this is not JSON \(.+\)\.$/)
})

const withTurn = (turn: unknown) => ({ name: 'n', task: 't', turns: [turn] })
const BLOCKS = 'text, thinking, redactedThinking, call with input, rawCall with arguments'

it.each<[string, unknown, string[]]>([
  ['no object', [], ['top level: must be object']],
  ['members missing', { name: 'n' }, ['top level: "task" is missing', 'top level: "turns" is missing']],
  ['no turns', { name: 'n', task: 't', turns: [] }, ['turns: must NOT have fewer than 1 items']],
  ['an empty turn', withTurn({}), ['turns[0]: give at least one of answer, fault']],
  [
    'a misspelt member',
    withTurn({ answer: [], expcet: {} }),
    [
      'turns[0]: "expcet" is not known here; known are note, expect, answer, fault, stopReason, stopExplanation, usage, delayMs',
    ],
  ],
  [
    'a call without input',
    withTurn({ answer: [{ call: 'readFile' }] }),
    [`turns[0].answer[0]: give exactly one of ${BLOCKS}`],
  ],
  [
    'two things in a block',
    withTurn({ answer: [{ text: 'a', thinking: 'b' }] }),
    [`turns[0].answer[0]: give exactly one of ${BLOCKS}`],
  ],
  ['a fault that is off', withTurn({ fault: { reset: false } }), ['turns[0].fault.reset: has to be true']],
  [
    'an answer that is missing',
    withTurn({ fault: { cutAfterDeltas: 1 } }),
    ['turns[0].fault: "cutAfterDeltas" acts on an answer; give turns[0].answer too'],
  ],
  [
    'a member of another fault',
    withTurn({ fault: { reset: true, retryAfter: 1 } }),
    ['turns[0].fault: "retryAfter" goes with status only'],
  ],
])('a scenario with %s is refused in words', (_, value, complaints) => {
  const message = ['a.json is not a valid scenario:', ...complaints.map((complaint) => `  ${complaint}`)].join('\n')
  expect(() => parseScenario(JSON.stringify(value), 'a.json')).toThrow(new Error(message))
})
