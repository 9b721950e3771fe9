import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Stats } from '../core/stats.ts'
import { NO_STATS } from '../runlog/stats.ts'
import { RESULT, started, writeRun } from '../runlog/testing.ts'
import { bed, QUICK_PROJECT, repository, temporaryFolder } from './testing.ts'

it('counts the runs of a log folder, and says which logs it left out', async () => {
  const root = repository(QUICK_PROJECT)
  const { run } = await bed(() => [])
  const logs = temporaryFolder('logs')
  writeRun(logs, 'a', [started('a'), { type: 'run.ended', result: RESULT }])
  mkdirSync(path.join(logs, 'b'))
  writeFileSync(path.join(logs, 'b', 'log.jsonl'), '{}\n')
  const printed = await run(['stats', '-C', root, '--log-dir', logs, '--json'])
  const stats: Stats = JSON.parse(printed.stdout)
  expect(stats).toEqual({ ...NO_STATS, runs: 1, results: { ...NO_STATS.results, validated: 1 } })
  expect(printed.stderr).toMatch(/^goatfied: b: .*does not begin like a run log.*\n$/)
  const shown = await run(['stats', '-C', root, '--log-dir', logs])
  expect([shown.exitCode, shown.stdout.split('\n')[0]]).toEqual([0, '1 run: 1 validated'])
})

it('says so where there are no runs', async () => {
  const root = repository(QUICK_PROJECT)
  const { run } = await bed(() => [])
  const { exitCode, stdout, stderr } = await run(['stats', '-C', root])
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: 'no runs yet\n', stderr: '' })
})
