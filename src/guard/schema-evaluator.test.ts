import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json, JsonSchema } from '../core/json.ts'
import { choices, objectSchema, sample, sampleObject, streamOf } from './random-schemas-testing.ts'
import { accepts, violations } from './schema-evaluator-testing.ts'

/** The schemas of schemas are not needed here, and compiling them takes most of the time. */
function compile(schema: JsonSchema) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, meta: false, validateSchema: false })
  addFormats.default(ajv, {})
  return ajv.compile(schema)
}
const inOrder = (errors: readonly { readonly pointer: string; readonly keyword: string }[]) =>
  [...new Set(errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`))].sort()

/** Ajv compares only items of the type that items have, and does not always look for unknown members where others are wrong. */
const SOMETIMES = new Set(['uniqueItems', 'unevaluatedProperties'])
/** What stands within these is told by ajv in more detail than anybody needs. */
const DETAILED = new Set(['contains', 'propertyNames'])

it('judges as ajv does, and finds the same wrong', () => {
  let valid = 0
  let invalid = 0
  fc.assert(
    fc.property(objectSchema, fc.array(choices, { minLength: 12, maxLength: 12 }), (schema, numbers) => {
      const validate = compile(schema)
      for (const each of numbers) {
        const next = streamOf(each)
        const value: Json = next() % 10 === 0 ? sample({}, next) : sampleObject(schema, next)
        const fits = validate(value)
        expect([value, accepts(schema, value)]).toEqual([value, fits])
        if (fits) valid += 1
        else invalid += 1
        const theirs = (validate.errors ?? []).map((error) => ({ pointer: error.instancePath, keyword: error.keyword }))
        const ours = violations(schema, value)
        const [known, found] = [theirs, ours].map((list) =>
          inOrder(list.filter(({ keyword }) => !SOMETIMES.has(keyword))),
        )
        if (theirs.some(({ keyword }) => DETAILED.has(keyword)))
          expect(known).toEqual(expect.arrayContaining(found ?? []))
        else expect(found).toEqual(known)
      }
    }),
    { numRuns: 250 },
  )
  expect([valid > 300, invalid > 300]).toEqual([true, true])
})

it('leaves schemas that are no objects at the root to the same rules', () => {
  const boolean = { properties: { a: false } } as unknown as JsonSchema
  expect([violations(boolean, { a: 1 }), violations({ type: 'string' }, 1), violations({}, null)]).toEqual([
    [{ pointer: '/a', keyword: 'false schema' }],
    [{ pointer: '', keyword: 'type' }],
    [],
  ])
})
