import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Reporting, runTogether } from './merge.ts'

const never = new AbortController().signal

async function read<T>(events: AsyncGenerator<string, T>): Promise<{ events: string[]; value: T }> {
  const seen: string[] = []
  for (;;) {
    const next = await events.next()
    if (next.done === true) return { events: seen, value: next.value }
    seen.push(next.value)
  }
}

/** Waits for ever, unless it is told to stop. */
const hanging = (log: string[]): Reporting<string, number> => {
  return async (emit, signal) => {
    emit('hangs')
    await sleep(60_000, undefined, { signal }).catch(() => log.push('stopped'))
    signal.throwIfAborted()
    return 0
  }
}

test('reports as it goes, gives results in order, and keeps to the limit', async () => {
  let running = 0
  let most = 0
  const task = (name: string, ms: number): Reporting<string, string> => {
    return async (emit) => {
      emit(`${name} starts`)
      most = Math.max(most, ++running)
      await sleep(ms)
      running -= 1
      emit(`${name} ends`)
      return name
    }
  }
  const { events, value } = await read(runTogether([task('a', 60), task('b', 5), task('c', 5)], 2, never))
  expect({ events, value, most }).toEqual({
    events: ['a starts', 'b starts', 'b ends', 'c starts', 'c ends', 'a ends'],
    value: ['a', 'b', 'c'],
    most: 2,
  })
})

test('nothing to do is done at once', async () => {
  expect(await read(runTogether<string, string>([], 2, never))).toEqual({ events: [], value: [] })
})

test('one that throws stops the others, which are awaited', async () => {
  const log: string[] = []
  const failing: Reporting<string, number> = async () => {
    throw new Error('defect')
  }
  await expect(read(runTogether([hanging(log), failing], 2, never))).rejects.toThrow('defect')
  expect(log).toEqual(['stopped'])
})

test('once enough is known, what still runs is stopped and awaited, and counts for nothing', async () => {
  const log: string[] = []
  const task = (result: number, emit: string): Reporting<string, number> => {
    return async (report) => {
      report(emit)
      return result
    }
  }
  const late: Reporting<string, number> = async (emit, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    emit('late')
    return 3
  }
  const tasks = [hanging(log), task(1, 'one'), late, task(2, 'two'), task(4, 'never begun')]
  const { events, value } = await read(runTogether(tasks, 3, never, (result) => result === 2))
  expect({ events, value, log }).toEqual({ events: ['hangs', 'one', 'two'], value: [1, 2], log: ['stopped'] })
})

test('an abort comes out as its reason', async () => {
  const log: string[] = []
  const controller = new AbortController()
  const reason = new Error('enough')
  const events = runTogether([hanging(log)], 2, controller.signal)
  expect(await events.next()).toEqual({ done: false, value: 'hangs' })
  controller.abort(reason)
  await expect(events.next()).rejects.toBe(reason)
  expect(log).toEqual(['stopped'])
})

test('a reader that goes away stops everything', async () => {
  const log: string[] = []
  for await (const _ of runTogether([hanging(log), hanging(log)], 2, never)) break
  expect(log).toEqual(['stopped', 'stopped'])
})
