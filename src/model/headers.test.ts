import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Headers as LightHeaders } from './headers.ts'

const name = fc.constantFrom('A', 'a', 'B-c', 'b-C', 'other')
const value = fc.stringMatching(/^[a-z]{1,3}$/)
const act = fc.oneof(
  fc.tuple(fc.constantFrom('set' as const, 'append' as const), name, value),
  fc.tuple(fc.constantFrom('delete' as const), name, value),
)

it('are what the global of their name holds after the same acts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.array(act), (init, acts) => {
      const [light, global] = [new LightHeaders(init), new Headers(init)]
      for (const [what, of, to] of acts) for (const each of [light, global]) each[what](of, to)
      expect(new Map(light)).toEqual(new Map(global))
      for (const of of ['A', 'b-c', 'none'])
        expect([light.get(of), light.has(of)]).toEqual([global.get(of), global.has(of)])
    }),
  )
})

it('are made of others, of entries and of an object, without what is undefined', () => {
  const made = [new LightHeaders(new LightHeaders([['A', '1']])), new LightHeaders({ A: 1, b: undefined })]
  expect(made.map((each) => [...each.entries()])).toEqual([[['a', '1']], [['a', '1']]])
})
