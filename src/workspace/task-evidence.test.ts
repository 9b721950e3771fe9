import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createWorkspace } from './facts.ts'
import { createPathIndex } from './path-index.ts'
import { tellingTask } from './task-evidence.ts'

test('files that the task names, and files that have its words, come first among equals', async () => {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'task-evidence-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['a', 'b', 'c', 'd']) {
    mkdirSync(path.join(root, folder))
    writeFileSync(path.join(root, folder, 'index.ts'), folder === 'c' ? 'roundHalfUp()\n' : 'x\n')
  }
  execFileSync('git', ['init', '-q'], { cwd: root })
  execFileSync('git', ['add', '.'], { cwd: root })
  const index = createPathIndex(root)
  const workspace = createWorkspace(root, index, async () => [])
  const task = 'Rounding in `d/index.ts` is wrong: `roundHalfUp` rounds down.'
  expect(await tellingTask(workspace, index).facts(task)).toEqual(await workspace.facts(task))
  const ranked = await index.rank('x/index.ts', 'file', 4)
  expect(ranked.map((each) => each.path)).toEqual(['d/index.ts', 'c/index.ts', 'a/index.ts', 'b/index.ts'])
})
