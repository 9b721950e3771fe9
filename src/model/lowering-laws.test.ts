import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject, JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { applyConstraints } from '../guard/apply-constraints.ts'
import { withAttemptNumbers } from '../guard/attempt-numbers.ts'
import { constrain } from '../guard/engine.ts'
import { withKnownPaths } from '../guard/known-paths.ts'
import { regionChoice } from '../guard/region.ts'
import { refusedByMessages } from '../simulator/messages-rules.ts'
import { refusedByResponses } from '../simulator/responses-rules.ts'
import { callOf, openTestRunner } from '../tools/testing.ts'
import { INLINE_TOOLS_BETA, NO_CONCESSIONS as NONE, toWireRequest } from './anthropic-request.ts'
import { lowerGeminiSchema } from './chat-schema.ts'
import { argumentsSchema, type GrammarSchema } from './gguf-schema.ts'
import { acceptsAsGemini, acceptsAsGrammar, faultOfGemini, faultOfGrammar } from './lowered-testing.ts'
import { compiled, historiesOf, randomTools, valuesFor } from './lowering-testing.ts'
import { NO_CONCESSIONS, toWireRequest as toResponsesRequest } from './openai-request.ts'
import { numRuns, withNulls } from './schema-testing.ts'
import { request, userSays } from './testing.ts'

/** Every schema that the guards can make of a tool, as each provider is told it. */

/** A tool under constraints, and arguments that it accepts. */
interface Case {
  readonly tools: readonly ToolDefinition[]
  readonly narrowed: readonly ToolDefinition[]
  /** At the places of `narrowed`. */
  readonly accepted: readonly (readonly Json[])[]
}

/** The tools themselves, and with what they start an attempt with. */
async function realTools(): Promise<readonly ToolDefinition[]> {
  const { runner } = await openTestRunner({})
  return runner.definitions
}

function casesOf(lists: fc.Arbitrary<readonly ToolDefinition[]>): fc.Arbitrary<Case> {
  return lists.chain((tools) =>
    fc.tuple(historiesOf(tools), fc.boolean()).chain(([history, recovery]) => {
      const narrowed = applyConstraints(tools, constrain(history, tools), { recovery }).filter(
        (tool) => !tools.includes(tool) || tool === tools[0],
      )
      const values = narrowed.map(({ inputSchema }) => fc.array(valuesFor(inputSchema), { minLength: 4, maxLength: 8 }))
      return fc.tuple(...values).map((drawn) => ({
        tools,
        narrowed,
        accepted: narrowed.map(({ inputSchema }, at) => (drawn[at] ?? []).filter(compiled(inputSchema))),
      }))
    }),
  )
}

const path = fc.stringMatching(/^[a-z]{1,8}\.ts$/)
/** The real tools as an attempt starts with them, with one for the choice of a region where an edit was not found. */
const startingWith = (tools: readonly ToolDefinition[]) =>
  fc
    .record({
      attempts: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 5 }),
      files: fc.uniqueArray(path, { maxLength: 25 }),
      texts: fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 70 }),
    })
    .map(({ attempts, files, texts }) => {
      const nearest = texts.map((text, at) => ({ startLine: at + 1, endLine: at + 1, text }))
      const call = callOf('editFile', { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] })
      const of = { callId: 'c', tool: 'editFile', path: 'a.ts', edit: 0, tried: [] }
      const region = regionChoice({ kind: 'edit.no-match', ...of, nearest }, call, 'Replaces.')?.tool
      return [...withKnownPaths(withAttemptNumbers(tools, [...new Set(attempts)]), files), ...(region ? [region] : [])]
    })

/** Those of the accepted arguments that a schema as sent does not accept. */
function lost(accepted: readonly Json[], accepts: (value: Json) => boolean): readonly Json[] {
  return accepted.filter((value) => !accepts(value))
}

const strictly = (tools: readonly ToolDefinition[], strict: boolean) => tools.map((tool) => ({ ...tool, strict }))

/** The tools in a list and, at the same time, tightened within the conversation. */
const requestWith = ({ tools, narrowed }: Case, strict: boolean) =>
  request({
    tools: strictly(tools, strict),
    messages: [userSays('Go.'), { role: 'tools', definitions: strictly(narrowed, strict) }],
  })

/** Milliseconds; some ten a case, more where others want the processor too. */
const WITH_MANY_CASES = 900_000

type Law = (one: Case) => void

const takenByMessages = (strict: boolean): Law => {
  return (one) => {
    const wire = toWireRequest(requestWith(one, strict), 'm', NONE)
    expect(refusedByMessages(wire as unknown as JsonObject, [INLINE_TOOLS_BETA])).toBeUndefined()
    const alone = toWireRequest(request({ tools: strictly(one.narrowed, strict) }), 'm', NONE)
    expect(refusedByMessages(alone as unknown as JsonObject)).toBeUndefined()
    for (const [at, tool] of (alone.tools ?? []).entries()) {
      const { input_schema: schema } = tool as unknown as { input_schema: JsonSchema }
      expect(lost(one.accepted[at] ?? [], compiled(schema))).toEqual([])
    }
  }
}

const takenByResponses = (strict: boolean): Law => {
  return (one) => {
    const wire = toResponsesRequest(requestWith(one, strict), 'm', NO_CONCESSIONS)
    expect(refusedByResponses(wire as unknown as JsonObject)).toBeUndefined()
    const { tools = [] } = toResponsesRequest(request({ tools: strictly(one.narrowed, strict) }), 'm', NO_CONCESSIONS)
    for (const [at, tool] of tools.entries()) {
      const { parameters, strict: asked } = tool as unknown as { parameters: JsonSchema; strict: boolean }
      const fits = compiled(parameters)
      const accepts = asked ? (value: Json) => withNulls(value, parameters).some(fits) : fits
      expect(lost(one.accepted[at] ?? [], accepts)).toEqual([])
    }
  }
}

const takenByGemini: Law = ({ narrowed, accepted }) => {
  for (const [at, { inputSchema }] of narrowed.entries()) {
    const schema = lowerGeminiSchema(inputSchema)
    expect(faultOfGemini(schema)).toBeUndefined()
    expect(lost(accepted[at] ?? [], (value) => acceptsAsGemini(schema, value))).toEqual([])
  }
}

const takenByGrammars: Law = ({ narrowed, accepted }) => {
  for (const [at, tool] of narrowed.entries()) {
    const schema: GrammarSchema = argumentsSchema(tool)
    expect(faultOfGrammar(schema)).toBeUndefined()
    expect(lost(accepted[at] ?? [], (value) => acceptsAsGrammar(schema, value))).toEqual([])
  }
}

const LAWS: readonly Law[] = [
  takenByMessages(true),
  takenByMessages(false),
  takenByResponses(true),
  takenByResponses(false),
  takenByGemini,
  takenByGrammars,
]

describe('each provider takes what the guards make of a tool, and with it all arguments that it accepts', () => {
  /** The arguments that were looked at are counted: it might have been none. */
  function hold(lists: fc.Arbitrary<readonly ToolDefinition[]>): void {
    let seen = 0
    const property = fc.property(casesOf(lists), (one) => {
      seen += one.accepted.flat().length
      for (const law of LAWS) law(one)
    })
    fc.assert(property, { numRuns })
    expect(seen).toBeGreaterThan(numRuns)
  }

  it('of the tools that there are', { timeout: WITH_MANY_CASES }, async () => hold(startingWith(await realTools())))

  it('of any tool', { timeout: WITH_MANY_CASES }, () => hold(randomTools))
})
