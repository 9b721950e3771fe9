import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENUM_LIMITS, NONE_OF_THESE } from '../core/constraint.ts'
import type { ArgumentError, Failure } from '../core/failure.ts'
import { canonicalJson, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import type { ArgumentKind, ToolCall, ToolDefinition } from '../core/tool.ts'
import { applyConstraints } from './apply-constraints.ts'
import { constrain } from './engine.ts'
import type { History } from './guard.ts'
import { satisfiable } from './narrow.ts'

const CASES = Number(process.env.TEST_CASES ?? 300)
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: CASES })

// The schemas of schemas are not needed here, and compiling them takes most of the time.
const ajv = () => new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false })
const accepts = (schema: JsonSchema, value: Json): boolean => ajv().validate(schema, value)

const word = fc.stringMatching(/^[a-zA-Z]{1,8}$/)
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.ts`)

/** A schema of one argument together with a way to make values for it. */
const argument: fc.Arbitrary<{ readonly schema: JsonSchema; readonly value: fc.Arbitrary<Json> }> = fc.oneof(
  fc
    .record({ minLength: fc.nat(2) })
    .map((bounds) => ({ schema: { type: 'string' as const, ...bounds }, value: fc.string({ minLength: 2 }) })),
  fc.constant({
    schema: { type: 'integer' as const, minimum: 1, maximum: 99 },
    value: fc.integer({ min: 1, max: 99 }),
  }),
  fc.constant({ schema: { type: ['string', 'null'] as const }, value: fc.option(word) }),
  fc.constant({ schema: { type: 'boolean' as const }, value: fc.boolean() }),
  fc
    .uniqueArray(word, { minLength: 2, maxLength: 5 })
    .map((values) => ({ schema: { enum: values }, value: fc.constantFrom(...values) })),
  fc.constant({
    schema: { type: 'array' as const, items: { type: 'string' as const } },
    value: fc.array(word, { maxLength: 3 }),
  }),
)

const kinds: readonly ArgumentKind[] = ['existing-path', 'new-path', 'directory', 'command', 'attempt']

interface RandomTool {
  readonly tool: ToolDefinition
  readonly input: fc.Arbitrary<JsonObject>
}

const randomTool: fc.Arbitrary<RandomTool> = fc
  .record({
    name: word,
    extra: fc.dictionary(
      word.map((name) => `x${name}`),
      argument,
      { maxKeys: 3 },
    ),
    kind: fc.constantFrom(...kinds),
    closed: fc.boolean(),
    listed: fc.boolean(),
  })
  .map(({ name, extra, kind, closed, listed }) => {
    const target: JsonSchema = { type: 'string', minLength: 1 }
    const properties: Record<string, JsonSchema> = { target: listed ? { type: 'array', items: target } : target }
    const values: Record<string, fc.Arbitrary<Json>> = {
      target: listed ? fc.array(path, { minLength: 1, maxLength: 3 }) : path,
    }
    for (const [key, one] of Object.entries(extra)) {
      properties[key] = one.schema
      values[key] = one.value
    }
    const inputSchema: JsonSchema = {
      type: 'object',
      properties,
      required: ['target'],
      ...(closed ? { additionalProperties: false } : {}),
    }
    const tool: ToolDefinition = {
      name,
      description: '',
      effect: 'write',
      inputSchema,
      argumentKinds: { [listed ? '/target/*' : '/target']: kind },
    }
    return {
      tool,
      input: fc.record(values, { requiredKeys: ['target'], noNullPrototype: true }) as fc.Arbitrary<JsonObject>,
    }
  })

/** At least two tools, one of which nothing ever fails on: the way on that every run has (`finishStep`). */
const finish: RandomTool = {
  tool: {
    name: 'finishStep',
    description: '',
    effect: 'control',
    inputSchema: { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] },
    argumentKinds: {},
  },
  input: fc.record({ summary: fc.string() }, { noNullPrototype: true }),
}
const randomTools = fc.uniqueArray(randomTool, { minLength: 1, maxLength: 4, selector: ({ tool }) => tool.name })

const callOf = (name: string, value: JsonObject): ToolCall => ({
  id: 'c',
  name,
  complete: true,
  input: { parsed: true, value },
})

/** A call of a random tool that fails in one of the ways that guards answer. */
const failing = randomTools.chain((tools) =>
  fc.constantFrom(...tools).chain(({ tool, input }) =>
    fc
      .record({
        value: input,
        candidates: fc.array(fc.oneof(path, fc.string()), { maxLength: 80 }),
        damage: fc.nat(4),
        how: fc.nat(2),
      })
      .map(({ value, candidates, damage, how }) => {
        const call = callOf(tool.name, value)
        const failure =
          how === 0 ? notFound(tool, value, candidates) : how === 1 ? noMatch(tool) : invalid(tool, value, damage)
        return {
          tools: [...tools.map((one) => one.tool), finish.tool],
          call: failure.call ?? call,
          failure: failure.failure,
        }
      }),
  ),
)

function notFound(
  tool: ToolDefinition,
  value: JsonObject,
  candidates: readonly string[],
): { call?: ToolCall; failure: Failure } {
  const target = value.target
  const [pointer, missing] = Array.isArray(target) ? ['/target/0', String(target[0])] : ['/target', String(target)]
  return {
    failure: {
      kind: 'target.not-found',
      callId: 'c',
      tool: tool.name,
      target: 'path',
      pointer,
      value: missing,
      candidates: candidates.filter((one) => one !== missing),
      exhaustive: false,
      lead: 0,
    },
  }
}

function noMatch(tool: ToolDefinition): { call?: ToolCall; failure: Failure } {
  return { failure: { kind: 'edit.ambiguous', callId: 'c', tool: tool.name, path: 'a.ts', edit: 0, lines: [1, 2] } }
}

/** Arguments made wrong, with what ajv says of them. */
function invalid(tool: ToolDefinition, value: JsonObject, damage: number): { call?: ToolCall; failure: Failure } {
  const { target, ...rest } = value
  const wrong: readonly JsonObject[] = [
    rest,
    { ...value, target: 7 },
    { ...value, target: '' },
    { ...rest, target: null },
    { ...value, target: { a: 1 } },
  ]
  const broken = wrong[damage] as JsonObject
  const validator = ajv()
  validator.validate(tool.inputSchema, broken)
  const errors: ArgumentError[] = (validator.errors ?? []).map((error) => ({
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? '',
    params: error.params,
  }))
  return {
    call: callOf(tool.name, broken),
    failure: { kind: 'call.invalid-arguments', callId: 'c', tool: tool.name, errors },
  }
}

const historyOf = (failure: Failure, call: ToolCall): History => ({
  failures: [{ failure, calls: [call], changesBefore: 0 }],
  changes: [],
})

const namesOf = (tools: readonly ToolDefinition[]) => new Map(tools.map((tool) => [tool.name, tool]))

/** What a call of a tool by that name would be checked against. */
const admits = (tools: readonly ToolDefinition[], call: ToolCall): boolean => {
  const tool = namesOf(tools).get(call.name)
  return tool !== undefined && call.input.parsed && accepts(tool.inputSchema, call.input.value)
}

describe('the laws of the guard engine', () => {
  it('1 unreachable: the failing call no longer validates', () => {
    check(
      fc.property(failing, ({ tools, call, failure }) => {
        const set = constrain(historyOf(failure, call), tools)
        expect(admits(applyConstraints(tools, set), call)).toBe(false)
        expect(admits(applyConstraints(tools, set, { recovery: true }), call)).toBe(false)
      }),
    )
  })

  it('2 only narrows: whatever the new schema accepts, the base schema accepts', () => {
    const withValue = failing.chain((one) =>
      fc.tuple(
        fc.constant(one),
        randomTools.chain((tools) => fc.constantFrom(...tools).chain(({ input }) => input)),
      ),
    )
    check(
      fc.property(withValue, fc.boolean(), ([{ tools, call, failure }, other], recovery) => {
        const narrowed = applyConstraints(tools, constrain(historyOf(failure, call), tools), { recovery })
        const offered = namesOf(narrowed).get(call.name)
        const base = namesOf(tools).get(call.name)
        if (offered === undefined || base === undefined) return
        const enumerated =
          offered.inputSchema.properties?.target?.enum ?? offered.inputSchema.properties?.target?.items?.enum ?? []
        const made = call.input.parsed ? call.input.value : {}
        const candidates: Json[] = [
          other,
          ...enumerated.flatMap((value) => [
            { ...made, target: value },
            { ...made, target: [value] },
          ]),
        ]
        for (const value of candidates)
          if (accepts(offered.inputSchema, value)) expect(accepts(base.inputSchema, value)).toBe(true)
      }),
    )
  })

  it('3 satisfiable: at least one call of one tool is possible, and no enum is empty', () => {
    check(
      fc.property(failing, fc.boolean(), ({ tools, call, failure }, recovery) => {
        const narrowed = applyConstraints(tools, constrain(historyOf(failure, call), tools), { recovery })
        expect(admits(narrowed, callOf('finishStep', { summary: 'x' }))).toBe(true)
        expect(narrowed.every((tool) => satisfiable(tool.inputSchema))).toBe(true)
        expect(canonicalJson(narrowed as unknown as Json)).not.toContain('"enum":[]')
      }),
    )
  })

  it('4 the way out stays open: a guard on an existing path never blocks making that file', () => {
    const create: ToolDefinition = {
      name: 'createFile',
      description: '',
      effect: 'write',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
        additionalProperties: false,
      },
      argumentKinds: { '/path': 'new-path' },
    }
    const onExisting = failing.map((one) => ({
      ...one,
      tools: [...one.tools.map((tool) => ({ ...tool, argumentKinds: mapKinds(tool) })), create],
    }))
    check(
      fc.property(onExisting, path, ({ tools, call, failure }, other) => {
        const missing = failure.kind === 'target.not-found' ? failure.value : other
        const narrowed = applyConstraints(tools, constrain(historyOf(failure, call), tools), { recovery: true })
        expect(admits(narrowed, callOf('createFile', { path: missing, content: '' }))).toBe(true)
      }),
    )
  })

  it('5 pure: the same history gives the same bytes, and nothing that goes in is changed', () => {
    check(
      fc.property(failing, ({ tools, call, failure }) => {
        const history = historyOf(failure, call)
        const before = JSON.stringify({ history, tools })
        const [one, two] = [constrain(history, tools), constrain(history, tools)]
        expect(JSON.stringify(one)).toBe(JSON.stringify(two))
        expect(JSON.stringify(applyConstraints(tools, one, { recovery: true }))).toBe(
          JSON.stringify(applyConstraints(tools, two, { recovery: true })),
        )
        expect(JSON.stringify({ history, tools })).toBe(before)
      }),
    )
  })

  it('6 bounded: few, short, clean values, no two of which differ only in letter case', () => {
    check(
      fc.property(failing, ({ tools, call, failure }) => {
        const set = constrain(historyOf(failure, call), tools)
        for (const constraint of set.constraints) {
          if (constraint.kind !== 'enum') continue
          expect(constraint.values.length).toBeLessThanOrEqual(ENUM_LIMITS.usual)
          expect(Buffer.byteLength(JSON.stringify(constraint.values))).toBeLessThanOrEqual(ENUM_LIMITS.mostBytes + 2)
          expect(new Set(constraint.values.map((value) => value.toLowerCase())).size).toBe(constraint.values.length)
          expect(constraint.values.filter((value) => /\p{Cc}/u.test(value) || value === NONE_OF_THESE)).toEqual([])
        }
      }),
    )
  })

  it('adds up: with every further failure the schemas accept the same or less', () => {
    check(
      fc.property(
        failing,
        fc.array(path, { minLength: 1, maxLength: 3 }),
        path,
        ({ tools, call, failure }, values, probe) => {
          const failures = [{ failure, calls: [call], changesBefore: 0 }]
          const later = values.map((value) => ({
            failure: { ...notFoundOf(call.name), value },
            calls: [callOf(call.name, { target: value })],
            changesBefore: 0,
          }))
          const first = applyConstraints(tools, constrain({ failures, changes: [] }, tools))
          const last = applyConstraints(tools, constrain({ failures: [...failures, ...later], changes: [] }, tools))
          for (const target of [probe, ...values]) {
            const again = callOf(call.name, { ...(call.input.parsed ? call.input.value : {}), target })
            if (admits(last, again)) expect(admits(first, again)).toBe(true)
          }
        },
      ),
    )
  })
})

const mapKinds = (tool: ToolDefinition) =>
  Object.fromEntries(Object.keys(tool.argumentKinds).map((pointer) => [pointer, 'existing-path' as const]))
const notFoundOf = (tool: string) => ({
  kind: 'target.not-found' as const,
  callId: 'c',
  tool,
  target: 'path' as const,
  pointer: '/target',
  candidates: [],
  exhaustive: false,
  lead: 0,
})
