import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wantedSession } from '../../src/simulator/fault-model-session.ts'
import { type Row, rowOf, tableOf, targetsOf } from './guards-figures.ts'
import { plotOf } from './guards-plot.ts'
import { ARMS, type Arm, type Played, play, writeTemplate } from './guards-session.ts'

const CALLS = 12
const usage = (input: number, cacheRead: number, output: number) => ({ input, cacheRead, cacheWrite: 0, output })
const PLAYED: Played = {
  finished: true,
  requests: 15,
  usage: usage(1_300, 9_000, 200),
  failedCalls: 2,
  repeatedCalls: 0,
  mistaken: 3,
  recovered: 2,
  mended: 1,
  cacheLost: 0,
}
const CLEAN: Played = {
  ...PLAYED,
  requests: 12,
  usage: usage(1_000, 8_000, 100),
  failedCalls: 0,
  mistaken: 0,
  recovered: 0,
}
const LOST: Played = { ...PLAYED, finished: false, repeatedCalls: 4, recovered: 0, failure: 'gave up' }

test('figures are of the finished sessions, against the same ones without mistakes', () => {
  const row = rowOf({ arm: 'candidates', repeats: 0.5 }, [PLAYED, LOST], [CLEAN, CLEAN], CALLS)
  const expected: Row = {
    arm: 'candidates',
    repeats: 0.5,
    sessions: 2,
    finished: 1,
    finishedShare: 0.5,
    mistaken: 6,
    failedCalls: 4,
    repeatedCalls: 4,
    recovered: 2,
    mended: 2,
    requestsPerCall: 1.25,
    tokensPerCall: 875,
    newTokensPerCall: 125,
    extraTokensPerRecovery: 200,
    extraCacheReadsPerRecovery: 500,
    cacheLost: 0,
    failures: { 'gave up': 1 },
  }
  expect(row).toEqual(expected)
  expect(new Set(tableOf([row]).map((cells) => cells.length))).toEqual(new Set([14]))
})

test('a target is missed by the worst row of the guards, and by no other arm', () => {
  const good = rowOf({ arm: 'guards', repeats: 0 }, [{ ...PLAYED, requests: 13 }], [CLEAN], CALLS)
  const bad = rowOf({ arm: 'guards', repeats: 1 }, [PLAYED, { ...LOST, cacheLost: 7 }], [CLEAN, CLEAN], CALLS)
  const other = rowOf({ arm: 'error-text', repeats: 1 }, [LOST], [CLEAN], CALLS)
  const met = (rows: readonly Row[]) => targetsOf(rows).map((target) => target.met)
  expect(met([good, other])).toEqual([true, true, true, true, true])
  expect(met([good, bad, other])).toEqual([false, false, false, true, false])
  expect(met([other])).toEqual([false, false, false, false, false])
})

test('the plot has a line of every arm in every panel, within its bounds', () => {
  const rows = ARMS.flatMap((arm) =>
    [0, 1].map((repeats) => rowOf({ arm, repeats }, [PLAYED, LOST], [CLEAN, CLEAN], CALLS)),
  )
  const svg = plotOf(rows)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  const points = [...svg.matchAll(/points="([^"]*)"/g)].map(([, text = '']) => text.split(' '))
  expect(points.map((line) => line.length)).toEqual(Array.from({ length: 9 }, () => 2))
  for (const [x, y] of points.flat().map((point) => point.split(',').map(Number))) {
    expect([x, y]).toEqual([expect.any(Number), expect.any(Number)])
    expect(x).toBeLessThanOrEqual(Number(width))
    expect(y).toBeLessThanOrEqual(Number(height))
  }
})

/** A stubborn model's session through the real loop. */
async function stubborn(arm: Arm): Promise<Played> {
  const template = mkdtempSync(path.join(tmpdir(), 'goatfied-guards-test-'))
  onTestFinished(() => rmSync(template, { recursive: true, force: true }))
  const session = wantedSession(7, CALLS)
  // Without commands, which would start npm.
  const calls = session.calls.filter(({ tool }) => tool !== 'runCommand')
  writeTemplate(session, template)
  return play({ arm, seed: 7, session: { ...session, calls }, template, faults: 0.5, repeats: 1 })
}

test('with guards a stubborn model finishes and makes no failed call again', async () => {
  const { finished, repeatedCalls, recovered, mended, mistaken, cacheLost } = await stubborn('guards')
  expect({ finished, repeatedCalls, cacheLost }).toEqual({ finished: true, repeatedCalls: 0, cacheLost: 0 })
  expect(recovered + mended).toBe(mistaken)
})

test('told only of its errors it does not', async () => {
  const { finished, repeatedCalls, failure } = await stubborn('error-text')
  expect({ finished, told: failure !== undefined }).toEqual({ finished: false, told: true })
  expect(repeatedCalls).toBeGreaterThan(0)
})

test('wrong arguments are refused', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(import.meta.dirname, 'guards.js'), ...args], { encoding: 'utf8' })
  const { status, stderr } = run('--faults', '2')
  expect({ status, stderr }).toEqual({ status: 2, stderr: '--faults: a share from 0 to 1\n' })
  expect(run('--nonsense').status).toBe(2)
})
