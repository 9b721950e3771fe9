import { expect, it, test } from 'vitest'
import type { JsonObject, JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { createValidate } from '../tools/validation.ts'
import { applyConstraints } from './apply-constraints.ts'
import { constrain } from './engine.ts'
import type { History } from './guard.ts'

const validate = createValidate()

function toolWith(inputSchema: JsonSchema): ToolDefinition {
  return { name: 'readIt', description: '', effect: 'read', inputSchema, argumentKinds: {} }
}

/** What follows from a call with these arguments: the keywords that are narrowed, by their place, beside refusal and strictness. */
async function after(inputSchema: JsonSchema, value: JsonObject) {
  const tool = toolWith(inputSchema)
  const errors = await validate(inputSchema, value)
  const call = { id: 'c', name: 'readIt', complete: true, input: { parsed: true, value } } as const
  const failure = { kind: 'call.invalid-arguments', callId: 'c', tool: 'readIt', errors } as const
  const history: History = { failures: [{ failure, calls: [call], changesBefore: 0 }], changes: [] }
  const { constraints } = constrain(history, [tool])
  const narrowed = constraints.flatMap((each) => (each.kind === 'narrow' ? [[each.pointer, each.schema]] : []))
  const others = constraints.filter(({ kind }) => kind !== 'narrow')
  const offered = applyConstraints([tool], { constraints, trace: [] })
  const again = await validate(offered[0]?.inputSchema ?? {}, value)
  return { errors, narrowed, others, again, offered: offered[0]?.inputSchema }
}

const refusedToo = (value: JsonObject) => [
  { kind: 'strict', tool: 'readIt', lasts: 'call' },
  { kind: 'refuse', tool: 'readIt', schema: { const: value }, lasts: 'step' },
]
const member = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: schema } })
const branches = (condition: JsonSchema, holds: JsonSchema): JsonSchema =>
  Object.fromEntries([
    ['if', condition],
    ['then', holds],
  ])

/** Every keyword that ajv tells of: a schema, arguments that it refuses for that, and what is narrowed where. */
const TABLE: readonly (readonly [string, JsonSchema, JsonObject, readonly (readonly [string, JsonSchema])[]])[] = [
  ['type', member({ type: 'string' }), { a: 1 }, [['/a', { type: 'string' }]]],
  [
    'required',
    { ...member({}), required: ['a'] },
    { A: 1 },
    [
      ['', { required: ['a'] }],
      ['', { additionalProperties: false }],
    ],
  ],
  [
    'additionalProperties',
    { ...member({}), additionalProperties: false },
    { b: 1 },
    [['', { additionalProperties: false }]],
  ],
  [
    'unevaluatedProperties',
    { ...member({}), unevaluatedProperties: false },
    { b: 1 },
    [['', { unevaluatedProperties: false }]],
  ],
  ['enum', member({ enum: ['x', 1] }), { a: 'y' }, [['/a', { enum: ['x', 1] }]]],
  ['const', member({ const: 3 }), { a: 4 }, [['/a', { const: 3 }]]],
  ['pattern', member({ pattern: '^x' }), { a: 'y' }, [['/a', { pattern: '^x' }]]],
  ['format', member({ format: 'date' }), { a: 'y' }, [['/a', { format: 'date' }]]],
  ['minimum', member({ minimum: 3 }), { a: 2 }, [['/a', { minimum: 3 }]]],
  ['maximum', member({ maximum: 3 }), { a: 4 }, [['/a', { maximum: 3 }]]],
  ['exclusiveMinimum', member({ exclusiveMinimum: 3 }), { a: 3 }, [['/a', { exclusiveMinimum: 3 }]]],
  ['exclusiveMaximum', member({ exclusiveMaximum: 3 }), { a: 3 }, [['/a', { exclusiveMaximum: 3 }]]],
  ['multipleOf', member({ multipleOf: 2 }), { a: 3 }, [['/a', { multipleOf: 2 }]]],
  ['minLength', member({ minLength: 2 }), { a: 'x' }, [['/a', { minLength: 2 }]]],
  ['maxLength', member({ maxLength: 2 }), { a: 'xyz' }, [['/a', { maxLength: 2 }]]],
  ['minItems', member({ minItems: 2 }), { a: [1] }, [['/a', { minItems: 2 }]]],
  ['maxItems', member({ maxItems: 1 }), { a: [1, 2] }, [['/a', { maxItems: 1 }]]],
  ['uniqueItems', member({ uniqueItems: true }), { a: [1, 1] }, [['/a', { uniqueItems: true }]]],
  [
    'contains',
    member({ contains: { const: 1 }, minContains: 2 }),
    { a: [1] },
    [['/a', { contains: { const: 1 }, minContains: 2 }]],
  ],
  ['minProperties', { type: 'object', minProperties: 1 }, {}, [['', { minProperties: 1 }]]],
  ['maxProperties', { type: 'object', maxProperties: 1 }, { a: 1, b: 1 }, [['', { maxProperties: 1 }]]],
  [
    'dependentRequired',
    { type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } },
    { a: 1 },
    [
      ['', { dependentRequired: { a: ['b'] } }],
      ['', { additionalProperties: false }],
    ],
  ],
  [
    'propertyNames',
    { type: 'object', propertyNames: { enum: ['a'] } },
    { b: 1 },
    [['', { propertyNames: { enum: ['a'] } }]],
  ],
  ['not', member({ not: { enum: ['x'] } }), { a: 'x' }, [['/a', { not: { enum: ['x'] } }]]],
  [
    'oneOf',
    member({ oneOf: [{ minimum: 1 }, { maximum: 5 }] }),
    { a: 3 },
    [['/a', { oneOf: [{ minimum: 1 }, { maximum: 5 }] }]],
  ],
  [
    'anyOf',
    member({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    { a: true },
    [['/a', { anyOf: [{ type: 'string' }, { type: 'integer' }] }]],
  ],
  [
    'if',
    member(branches({ minimum: 3 }, { multipleOf: 2 })),
    { a: 5 },
    [['/a', branches({ minimum: 3 }, { multipleOf: 2 })]],
  ],
  ['false schema', { type: 'object', properties: { a: false } } as unknown as JsonSchema, { a: 1 }, []],
  ['items', member({ prefixItems: [{}], items: false } as unknown as JsonSchema), { a: [1, 2] }, []],
]

test.each(TABLE)('%s', async (keyword, schema, value, narrowed) => {
  const found = await after(schema, value)
  expect(found.errors.map((error) => error.keyword)).toContain(keyword)
  expect([found.narrowed, found.others]).toEqual([narrowed, refusedToo(value)])
  expect(found.again).not.toEqual([])
})

test.each(['shown', 'overlap', 'no-change', 'order', 'exclusive', 'schema', 'unheard-of', 'toString'])(
  'what no keyword of a schema describes is held by refusing the call: %s',
  (keyword) => {
    const value = { a: 'x' }
    const errors = [{ pointer: '/a', keyword, message: '', params: {} }]
    const failure = { kind: 'call.invalid-arguments', callId: 'c', tool: 'readIt', errors } as const
    const call = { id: 'c', name: 'readIt', complete: true, input: { parsed: true, value } } as const
    const history: History = { failures: [{ failure, calls: [call], changesBefore: 0 }], changes: [] }
    expect(constrain(history, [toolWith(member({ type: 'string' }))]).constraints).toEqual(refusedToo(value))
  },
)

it('states what only an allOf held, and what all items have to meet', async () => {
  const schema = member({ type: 'array', items: { allOf: [{ minLength: 2 }, { allOf: [{ pattern: '^x' }] }] } })
  const { narrowed, offered } = await after(schema, { a: ['y'] })
  expect(narrowed).toEqual([
    ['/a/*', { minLength: 2 }],
    ['/a/*', { pattern: '^x' }],
  ])
  expect(offered?.properties?.a?.items).toEqual({ ...schema.properties?.a?.items, minLength: 2, pattern: '^x' })
})

it('does not hold a call to what only a branch demands, nor to what a moment ago bound its recovery', async () => {
  const either = await after({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {})
  expect(either.narrowed).toEqual([['', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }]])
  const failure = {
    kind: 'call.invalid-arguments',
    callId: 'c',
    tool: 'readIt',
    errors: [{ pointer: '/a', keyword: 'enum', message: '', params: { allowedValues: ['x', '__none__'] } }],
  } as const
  const history: History = { failures: [{ failure, calls: [], changesBefore: 0 }], changes: [] }
  expect(constrain(history, [toolWith(member({ type: 'string' }))]).constraints).toEqual([refusedToo({})[0]])
})

test.each<[string, JsonSchema]>([
  ['that names more under a keyword', { ...member({}), required: ['b'], allOf: [{ properties: { b: {} } }] }],
  ['that demands a name it does not tell', { ...member({}), required: ['b'] }],
  ['that tells no names', { type: 'object', required: ['b'] }],
  [
    'that tells what others are like',
    { ...member({}), required: ['a', 'b'], additionalProperties: { type: 'string' } },
  ],
])('an object %s stays open', async (_, schema) => {
  expect((await after(schema, { c: 'x' })).narrowed).toEqual([['', { required: schema.required }]])
})
