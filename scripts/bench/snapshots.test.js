import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

/** @param {readonly string[]} args */
const bench = (...args) => {
  const script = path.join(import.meta.dirname, 'snapshots.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('one JSON object, every case measured', () => {
  const { status, stdout, stderr } = bench('--files', '300', '--rounds', '2', '--json')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { ms, files, rounds, limitation, node, ...ratios } = JSON.parse(stdout)
  expect({ files, rounds, limitation, node }).toEqual({
    files: 300,
    rounds: 2,
    limitation: '1 large file is not in the git snapshot',
    node: process.version,
  })
  expect(Object.keys(ms)).toEqual(['status', 'snapshot', 'restore', 'stash', 'bulkStatus', 'bulkSnapshot'])
  expect(Object.keys(ratios)).toEqual([
    'snapshotToStatus',
    'bulkSnapshotToStatus',
    'restoreOverStatusMs',
    'stashToBoth',
  ])
})
