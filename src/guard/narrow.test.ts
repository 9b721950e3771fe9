import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json, JsonSchema } from '../core/json.ts'
import { narrow } from './narrow.ts'
import { choices, leafSchema, objectSchema, sample, streamOf } from './random-schemas-testing.ts'
import { satisfiable } from './satisfiable.ts'
import { accepts } from './schema-evaluator-testing.ts'

const schema = fc.oneof(leafSchema, objectSchema)
const pairs = fc.oneof(fc.tuple(leafSchema, leafSchema), fc.tuple(objectSchema, objectSchema))
/** Closing an object is about the names that the base tells, so it is no conjunction. */
const closes = (part: JsonSchema): boolean =>
  (part.additionalProperties === false && part.properties === undefined) || part.unevaluatedProperties === false
const samples = fc.array(choices, { minLength: 6, maxLength: 6 })

function valuesFor(schemas: readonly JsonSchema[], numbers: readonly (readonly number[])[]): Json[] {
  return numbers.flatMap((each) => schemas.map((one) => sample(one, streamOf(each))))
}

it('accepts exactly what both accept', () => {
  fc.assert(
    fc.property(pairs, samples, ([base, part], numbers) => {
      fc.pre(!closes(part))
      const both = narrow(base, part)
      for (const value of valuesFor([base, part], numbers))
        expect([value, accepts(both, value)]).toEqual([value, accepts(base, value) && accepts(part, value)])
    }),
    { numRuns: 1500 },
  )
})

it('accepts nothing more than its base, however many are added, and says nothing twice', () => {
  fc.assert(
    fc.property(schema, fc.array(schema, { maxLength: 4 }), samples, (base, parts, numbers) => {
      const all = parts.reduce(narrow, base)
      for (const value of valuesFor([base, all], numbers))
        if (accepts(all, value)) expect(accepts(base, value)).toBe(true)
      expect(narrow(base, base)).toEqual(base)
    }),
    { numRuns: 500 },
  )
})

it('calls nothing unsatisfiable that a value satisfies', () => {
  fc.assert(
    fc.property(pairs, samples, ([base, part], numbers) => {
      const both = narrow(base, part)
      if (valuesFor([base, part], numbers).some((value) => accepts(both, value))) expect(satisfiable(both)).toBe(true)
    }),
    { numRuns: 1500 },
  )
})
