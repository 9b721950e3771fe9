import { expect, it } from 'vitest'
import { both } from './merge.ts'

async function drain<E, R>(events: AsyncGenerator<E, R>): Promise<{ events: E[]; result: R }> {
  const seen: E[] = []
  for (;;) {
    const step = await events.next()
    if (step.done) return { events: seen, result: step.value }
    seen.push(step.value)
  }
}

async function* count(name: string, to: number): AsyncGenerator<string, string> {
  for (let at = 1; at <= to; at += 1) yield `${name}${at}`
  return name
}

it('yields the events of both in the order of each, and gives what both return', async () => {
  const { events, result } = await drain(both(count('a', 3), count('b', 1)))
  expect([events.filter((one) => one.startsWith('a')), events.filter((one) => one.startsWith('b')), result]).toEqual([
    ['a1', 'a2', 'a3'],
    ['b1'],
    ['a', 'b'],
  ])
})

it('resumes a side only after its event has been taken', async () => {
  const acts: string[] = []
  async function* announcing(name: string): AsyncGenerator<string, void> {
    yield `${name} announced`
    acts.push(`${name} done`)
  }
  const merged = both(announcing('a'), announcing('b'))
  const first = await merged.next()
  await new Promise((resolve) => setImmediate(resolve))
  expect([first.value, acts]).toEqual(['a announced', []])
  await drain(merged)
  expect(acts.sort()).toEqual(['a done', 'b done'])
})

it('ends the other side when one throws', async () => {
  const ended: string[] = []
  async function* throwing(): AsyncGenerator<string, void> {
    yield 'soon'
    throw new Error('broken')
  }
  async function* endless(): AsyncGenerator<string, void> {
    try {
      for (;;) yield await new Promise<string>((resolve) => setTimeout(resolve, 1, 'tick'))
    } finally {
      ended.push('endless')
    }
  }
  await expect(drain(both(endless(), throwing()))).rejects.toThrow('broken')
  expect(ended).toEqual(['endless'])
})
