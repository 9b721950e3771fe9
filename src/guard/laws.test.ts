import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConstraintSet, ENUM_LIMITS, NONE_OF_THESE } from '../core/constraint.ts'
import type { Failure } from '../core/failure.ts'
import { canonicalJson, type Json, type JsonObject } from '../core/json.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { applyConstraints } from './apply-constraints.ts'
import { constrain } from './engine.ts'
import type { Guard, HistoryEntry } from './guard.ts'
import { createFile, type RandomRun, randomRun } from './random-histories-testing.ts'
import { satisfiable } from './satisfiable.ts'
import { accepts } from './schema-evaluator-testing.ts'
import { faultOf } from './well-formed.ts'

/** Of each law; with them the ten thousand are reached that all take together. */
const CASES = Number(process.env.TEST_CASES ?? 1300)
const check = (law: (run: RandomRun) => void, cases: number = CASES) =>
  fc.assert(fc.property(randomRun, law), { numRuns: cases })

const historyOf = (entries: readonly HistoryEntry[]) => ({ failures: entries, changes: [] })
const toolOf = ({ failure, calls }: HistoryEntry): string =>
  ('tool' in failure ? failure.tool : undefined) ?? calls[0]?.name ?? ''

/** Whether a call of a tool with these arguments would pass. */
function admits(tools: readonly ToolDefinition[], name: string, value: JsonObject): boolean {
  const tool = tools.find((each) => each.name === name)
  return tool !== undefined && accepts(tool.inputSchema, value)
}
const argumentsIn = ({ input }: ToolCall): JsonObject => (input.parsed ? input.value : {})

/** The tools as they are sent for the recovery of the last call, and as they bind every later one. */
const bothWays = (tools: readonly ToolDefinition[], set: ConstraintSet) => [
  applyConstraints(tools, set),
  applyConstraints(tools, set, { recovery: true }),
]

/** Calls near to those that failed: of an argument each of its members. */
function variants({ tools, probes, entries }: RandomRun, narrowed: readonly ToolDefinition[]) {
  const made = [...probes, ...entries.flatMap(({ calls }) => calls)]
  return made.flatMap((call) => {
    const name = tools.find((tool) => tool.name.toUpperCase() === call.name.toUpperCase())?.name ?? call.name
    const schema = narrowed.find((tool) => tool.name === name)?.inputSchema.properties ?? {}
    const members = [
      ...(schema.target?.enum ?? []),
      ...(schema.target?.items?.enum ?? []),
      ...(schema.path?.enum ?? []),
    ]
    const value = argumentsIn(call)
    return [
      { name, value },
      ...members.slice(0, 6).flatMap((member) => [
        { name, value: { ...value, target: member } },
        { name, value: { ...value, target: [member] } },
        { name, value: { ...value, path: member } },
      ]),
    ]
  })
}

describe('the laws of the guard engine', () => {
  it('1 unreachable: no call that failed validates any more', () => {
    check(({ tools, entries }) => {
      const set = constrain(historyOf(entries), tools)
      for (const offered of bothWays(tools, set)) {
        for (const entry of entries) {
          // Of several changes any one may be right.
          if (entry.calls.length > 1) continue
          const value = entry.calls.map(argumentsIn)[0] ?? {}
          const tool = entry.failure.kind === 'check.types' ? (entry.calls[0]?.name ?? '') : toolOf(entry)
          expect([entry.failure.kind, admits(offered, tool, value)]).toEqual([entry.failure.kind, false])
        }
      }
    })
  })

  it('2 only narrows: whatever a new schema accepts, its base schema accepts', () => {
    check((run) => {
      for (const offered of bothWays(run.tools, constrain(historyOf(run.entries), run.tools))) {
        for (const { name, value } of variants(run, offered))
          if (admits(offered, name, value))
            expect([name, value, admits(run.tools, name, value)]).toEqual([name, value, true])
      }
    })
  })

  it('3 satisfiable: at least one call of one tool is possible, no enum is empty, every schema compiles', () => {
    check(({ tools, entries }) => {
      for (const offered of bothWays(tools, constrain(historyOf(entries), tools))) {
        expect(admits(offered, 'finishStep', { summary: 'x' })).toBe(true)
        expect(
          offered.filter((tool) => !satisfiable(tool.inputSchema) || faultOf(tool.inputSchema) !== undefined),
        ).toEqual([])
        expect(canonicalJson(offered as unknown as Json)).not.toContain('"enum":[]')
      }
    })
  })

  it('4 the way out stays open: whatever was not found can be made', () => {
    check(({ tools, entries }) => {
      const set = constrain(historyOf(entries), tools)
      const values = entries.flatMap(({ failure }) =>
        failure.kind === 'target.not-found' ? [failure.value] : ['src/new.ts'],
      )
      for (const offered of bothWays(tools, set))
        for (const path of values) expect(admits(offered, createFile.name, { path, content: '' })).toBe(true)
    })
  })

  it('5 pure: the same history gives the same bytes, and nothing that goes in is changed', () => {
    check(({ tools, entries }) => {
      const history = historyOf(entries)
      const before = JSON.stringify({ history, tools })
      const [one, two] = [constrain(history, tools), constrain(structuredClone(history), structuredClone(tools))]
      expect(JSON.stringify(one)).toBe(JSON.stringify(two))
      expect(JSON.stringify(bothWays(tools, one))).toBe(JSON.stringify(bothWays(tools, two)))
      expect(JSON.stringify({ history, tools })).toBe(before)
    })
  })

  it('6 bounded: few, short, clean values, no two of which differ only in letter case', () => {
    check(({ tools, entries }) => {
      for (const constraint of constrain(historyOf(entries), tools).constraints) {
        if (constraint.kind !== 'enum') continue
        expect(constraint.values.length).toBeGreaterThan(0)
        expect(constraint.values.length).toBeLessThanOrEqual(ENUM_LIMITS.usual)
        expect(Buffer.byteLength(JSON.stringify(constraint.values))).toBeLessThanOrEqual(ENUM_LIMITS.mostBytes + 2)
        expect(new Set(constraint.values.map((value) => value.toLowerCase())).size).toBe(constraint.values.length)
        expect(
          constraint.values.filter((value) => /[\p{Cc}\p{Cf}\p{Cs}]/u.test(value) || value === NONE_OF_THESE),
        ).toEqual([])
      }
    })
  })

  it('adds up: with every further failure the schemas accept the same or less', () => {
    check((run) => {
      const sets = run.entries.map((_, index) => constrain(historyOf(run.entries.slice(0, index + 1)), run.tools))
      const steps = [run.tools, ...sets.map((set) => applyConstraints(run.tools, set))]
      const last = steps.at(-1) ?? []
      for (const { name, value } of variants(run, last)) {
        const admitted = steps.map((tools) => admits(tools, name, value))
        expect([name, value, admitted]).toEqual([name, value, [...admitted].sort((a, b) => Number(b) - Number(a))])
      }
    })
  })

  it('fails closed: a guard that can not decide leaves the refusal of the call, and says so', () => {
    const only = (add: Partial<Guard>): Guard => ({
      id: 'odd',
      order: 1,
      reason: 'odd',
      when: () => true,
      constrain: () => [],
      ...add,
    })
    const fail = (): never => {
      throw new Error('no idea')
    }
    const broken = (tool: string): readonly (readonly [Guard, string])[] => [
      [only({ when: fail }), 'no idea'],
      [only({ constrain: fail }), 'no idea'],
      [only({ constrain: () => [narrowed(tool, { enum: [] })] }), "/enum can't be []"],
      [
        only({ constrain: () => [narrowed(tool, { properties: { a: { pattern: '(' } } })] }),
        `/properties/a/pattern can't be "("`,
      ],
      [only({ constrain: () => [narrowed(tool, { type: 'string' })] }), `no call of ${tool} would be left`],
    ]
    check(({ tools, entries }) => {
      for (const [index, entry] of entries.entries()) {
        const [call, ...others] = entry.calls
        const name = entry.failure.kind === 'check.types' ? (call?.name ?? '') : toolOf(entry)
        const base = tools.find((tool) => tool.name === name)
        if (call === undefined || others.length > 0 || base === undefined || !satisfiable(base.inputSchema)) continue
        const [guard, why] = broken(name)[index % 5] ?? [only({ when: fail }), 'no idea']
        const set = constrain(historyOf([entry]), tools, [guard])
        const refusal = [{ kind: 'refuse', tool: name, schema: { const: argumentsIn(call) }, lasts: 'step' }]
        const reason = `odd; the guard could not decide (${why}), so only this very call is refused`
        expect(set).toEqual({
          constraints: refusal,
          trace: [{ guard: 'odd', failure: 0, reason, constraints: refusal }],
        })
        expect(bothWays(tools, set).map((offered) => admits(offered, name, argumentsIn(call)))).toEqual([false, false])
      }
    })
  })
})

const narrowed = (tool: string, schema: object) =>
  ({ kind: 'narrow', tool, pointer: '', schema, lasts: 'step' }) as const

it('is shown histories of all lengths, with every kind of failure, target and wrong argument', () => {
  const lengths = new Set<number>()
  const failures = new Set<Failure['kind']>()
  const details = new Set<string>()
  check(({ entries }) => {
    lengths.add(entries.length)
    for (const { failure } of entries) {
      failures.add(failure.kind)
      if (failure.kind === 'target.not-found') details.add(failure.target)
      if (failure.kind === 'call.invalid-arguments') for (const { keyword } of failure.errors) details.add(keyword)
    }
  }, 2000)
  expect([...lengths].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect([...failures].sort()).toEqual([
    'call.denied',
    'call.invalid-arguments',
    'call.truncated',
    'check.types',
    'edit.ambiguous',
    'edit.no-match',
    'edit.out-of-scope',
    'target.not-found',
  ])
  const keywords =
    'type required additionalProperties unevaluatedProperties enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems contains minProperties maxProperties dependentRequired propertyNames not oneOf anyOf if overlap'
  const targets = 'path region directory script test attempt symbol'
  expect([...details].sort()).toEqual(`${keywords} ${targets}`.split(' ').sort())
})
