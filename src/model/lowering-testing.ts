import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { ArgumentError, Failure } from '../core/failure.ts'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import type { ArgumentKind, ToolCall, ToolDefinition } from '../core/tool.ts'
import { SAMPLE_FAILURES } from '../failure/testing.ts'
import type { History, HistoryEntry } from '../guard/guard.ts'
import { alternatives, flattened, isOfType, typesOf } from './schema-members.ts'
import { anySchema } from './schema-testing.ts'

/** Random tools, arguments for them, and failures of calls: what the guards may make schemas of. */

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, meta: false, validateSchema: false })

export function compiled(schema: JsonSchema): (value: Json) => boolean {
  const validate = validatorOf(schema)
  return (value) => validate(value)
}

function validatorOf(schema: JsonSchema) {
  const validate = ajv.compile(schema)
  // It would keep all of them.
  ajv.removeSchema(schema)
  return validate
}

const word = fc.stringMatching(/^[a-zA-Z]{1,8}$/)
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.ts`)
const text = fc.oneof(
  path,
  fc.constantFrom('', 'a', 'b', 'c', 'ab', 'a.ts', 'src/a.ts', '__none__', '2026-01-01', '\u{1F600}é', '1', 'null'),
  fc.string({ unit: 'grapheme' }),
)
const scalar = fc.oneof(
  text,
  fc.integer({ min: -3, max: 120 }),
  fc.constantFrom(1, 2, 7.5),
  fc.boolean(),
  fc.constant(null),
)
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'path'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
}))

/** Values of which many satisfy the schema; objects have no names but those that it tells of. */
export function valuesFor(schema: JsonSchema): fc.Arbitrary<Json> {
  const flat = flattened(schema)
  const branches = alternatives(flat)
  if (branches) return fc.oneof(...branches.map(valuesFor))
  const types = typesOf(flat)
  const listed = flat.const === undefined ? flat.enum : [flat.const]
  const fitting = listed?.filter((value) => types.length === 0 || isOfType(value, types)) ?? []
  if (fitting.length > 0) return fc.constantFrom(...fitting)
  if (types.length > 0) return fc.oneof(...types.map((type) => valuesOf(flat, type)))
  if (flat.properties) return objectsOf(flat)
  return flat.items ? listsOf(flat) : anyValue
}

function valuesOf(schema: JsonSchema, type: string): fc.Arbitrary<Json> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const low = Math.ceil(Math.max(minimum ?? -3, exclusiveMinimum ?? -3))
  const whole = fc.integer({
    min: low,
    max: Math.max(low, Math.floor(Math.min(maximum ?? 120, exclusiveMaximum ?? 120))),
  })
  switch (type) {
    case 'string':
      return text
    case 'integer':
      return whole
    case 'number':
      return fc.oneof(whole, fc.double({ min: -3, max: 120, noNaN: true }))
    case 'array':
      return listsOf(schema)
    case 'object':
      return objectsOf(schema)
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

function listsOf({ items, minItems = 0, maxItems = 4 }: JsonSchema): fc.Arbitrary<Json> {
  return fc.array(valuesFor(items ?? {}), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) })
}

function objectsOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<JsonObject> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valuesFor(inner)]))
  const requiredKeys = required.filter((name) => Object.hasOwn(properties, name))
  return fc.record<Record<string, Json>>(members, { requiredKeys, noNullPrototype: true })
}

/** Written so that nothing takes it for a promise. */
function conditional([condition, met, unmet]: readonly [JsonSchema, JsonSchema, JsonSchema]): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', met],
    ['else', unmet],
  ])
}

/** Keywords of objects and lists that stand beside what else a schema says. */
const rest = fc.oneof(
  fc.constant<JsonSchema>({}),
  fc.record<JsonSchema>({
    type: fc.constant('array' as const),
    items: anySchema,
    contains: anySchema,
    minContains: fc.nat(2),
    maxContains: fc.nat(3),
  }),
  fc.tuple(anySchema, anySchema, anySchema).map(conditional),
  fc.record<JsonSchema>({ type: fc.constant('string' as const), format: fc.constantFrom('date', 'email', 'regex') }),
  fc.constantFrom<JsonSchema>(
    { type: 'array', items: { enum: ['a', 'b'] }, contains: { not: { const: 'a' } }, maxContains: 1 },
    { type: 'array', items: { enum: ['a', 'b'] }, contains: { const: 'b' }, minContains: 0 },
    { type: 'object', properties: { a: {} }, minProperties: 1, maxProperties: 2 },
    { type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] }, additionalProperties: false },
    { type: 'object', propertyNames: { pattern: '^a', not: { const: 'ab' } } },
    { type: 'object', anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false },
    { type: 'object', additionalProperties: { type: 'string', not: { const: 'x' } } },
  ),
)
const KINDS: readonly ArgumentKind[] = ['existing-path', 'new-path', 'directory', 'command', 'attempt', 'symbol']

/** Tools whose arguments may be described by every keyword there is. */
const randomTool: fc.Arbitrary<ToolDefinition> = fc
  .record({
    name: word,
    target: fc.constantFrom<JsonSchema>(
      { type: 'string', minLength: 1 },
      { type: 'integer' },
      { type: ['string', 'null'] },
    ),
    listed: fc.boolean(),
    kind: fc.constantFrom(...KINDS),
    others: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(anySchema, rest), { noNullPrototype: true }),
    needed: fc.subarray(['a', 'b', 'c']),
    more: fc.constantFrom<JsonSchema>(
      {},
      { additionalProperties: false },
      { unevaluatedProperties: false },
      { dependentRequired: { a: ['b'] } },
      { minProperties: 2 },
      conditional([{ required: ['a'] }, { required: ['b'] }, {}]),
      { allOf: [{ if: { required: ['a'] } }, conditional([{}, { required: ['b'] }, {}])] },
      { allOf: [{ required: ['a'] }, { properties: { a: { type: 'string' } }, additionalProperties: false }] },
    ),
  })
  .map(({ name, target, listed, kind, others, needed, more }) => {
    const required = ['target', ...needed.filter((one) => one in others)]
    const properties = { ...others, target: listed ? { type: 'array' as const, items: target } : target }
    return {
      name,
      description: '',
      effect: 'write',
      inputSchema: { type: 'object', properties, required, ...more },
      argumentKinds: { [listed ? '/target/*' : '/target']: kind },
    }
  })

export const randomTools = fc.uniqueArray(randomTool, { minLength: 1, maxLength: 3, selector: ({ name }) => name })

/** Failures of calls of these tools, of every kind that a guard answers. */
export function historiesOf(tools: readonly ToolDefinition[]): fc.Arbitrary<History> {
  const entry = fc.constantFrom(...tools).chain(entriesOf)
  return fc.array(entry, { minLength: 1, maxLength: 5 }).map((failures) => ({ failures, changes: [] }))
}

const KINDS_OF_FAILURE = [
  'call.denied',
  'call.truncated',
  'edit.no-match',
  'edit.ambiguous',
  'edit.out-of-scope',
  'check.types',
] as const

function entriesOf(tool: ToolDefinition): fc.Arbitrary<HistoryEntry> {
  const drawn = fc.record({
    value: objectsOf(flattened(tool.inputSchema)),
    candidates: fc.array(fc.oneof(path, text, fc.string({ unit: 'binary' })), { maxLength: 80 }),
    exhaustive: fc.boolean(),
    wrong: fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'target', ...Object.keys(tool.inputSchema.properties ?? {})),
      anyValue,
    ),
    lacks: fc.boolean(),
    kind: fc.constantFrom('target.not-found', 'call.invalid-arguments', ...KINDS_OF_FAILURE),
  })
  return drawn.map(({ value, candidates, exhaustive, wrong: [name, instead], lacks, kind }) => {
    const of = { callId: 'c', tool: tool.name }
    if (kind === 'target.not-found') {
      const [pointer, missing] = textIn(value) ?? ['/path', 'src/b.ts']
      const failure: Failure = { ...SAMPLE_FAILURES[kind], ...of, pointer, value: missing, candidates, exhaustive }
      return entryOf(tool, value, failure)
    }
    if (kind !== 'call.invalid-arguments') return entryOf(tool, value, { ...SAMPLE_FAILURES[kind], ...of } as Failure)
    const { [name]: _, ...others } = value
    const broken = lacks ? others : { ...value, [name]: instead }
    return entryOf(tool, broken, { kind, ...of, errors: errorsOf(tool.inputSchema, broken) })
  })
}

function entryOf({ name }: ToolDefinition, value: JsonObject, failure: Failure): HistoryEntry {
  const call: ToolCall = { id: 'c', name, complete: true, input: { parsed: true, value } }
  return { failure, calls: [call], changesBefore: 0 }
}

/** Where the first text in a value is, and the text. */
function textIn(value: Json, pointer = ''): readonly [string, string] | undefined {
  if (typeof value === 'string') return [pointer, value]
  const members = isJsonObject(value) || Array.isArray(value) ? Object.entries(value as JsonObject) : []
  return members.flatMap(([name, member]) => {
    const found = textIn(member, `${pointer}/${name}`)
    return found ? [found] : []
  })[0]
}

function errorsOf(schema: JsonSchema, value: JsonObject): readonly ArgumentError[] {
  const validate = validatorOf(schema)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, keyword, message = '', params }) => ({
    pointer: instancePath,
    keyword,
    message,
    params,
  }))
}
