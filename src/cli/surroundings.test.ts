import path from 'node:path'
import { expect, it } from 'vitest'
import { bed, edit, finish, inTurn, PROJECT, plan, repository, stateOf, temporaryFolder } from './testing.ts'

const mend = edit('src/math.js', 'a - b', 'a + b')

it('ends, and gives the tree back, when there is no temporary folder to work in', async () => {
  const root = repository(PROJECT)
  const before = stateOf(root)
  const { run } = await bed(inTurn([plan('src/math.js'), mend, finish]))
  const ended = await run(['fix', 'add() is wrong', '-C', root], {
    env: { TMPDIR: path.join(temporaryFolder('gone'), 'none') },
  })
  expect([ended.exitCode, ended.signal, stateOf(root)]).toEqual([1, null, before])
})

it('does not ask the model for more once it is known that no check can run', async () => {
  const root = repository({
    'package.json': JSON.stringify({ devDependencies: { vitest: '4' }, scripts: { test: 'vitest run' } }),
  })
  const { run, requests } = await bed(() => ({ answer: [{ call: 'listFiles', input: {} }], delayMs: 300 }))
  const ended = await run(['fix', 'x', '-C', root])
  expect(ended.exitCode).toBe(54)
  expect(ended.stdout).toContain('vitest is not installed')
  expect(requests.length).toBeLessThan(4)
})
