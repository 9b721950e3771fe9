import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../core/json.ts'
import type { AssistantBlock, Message, ModelRequest } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { refusedByMessages } from '../simulator/messages-rules.ts'
import { refusedByResponses } from '../simulator/responses-rules.ts'
import { toolsInForce } from '../simulator/tool-changes.ts'
import { appendsDefinitions, INLINE_TOOLS_BETA, toWireRequest } from './anthropic-request.ts'
import { definitionsInForce, sameDefinition } from './definitions-in-force.ts'
import { aliasesOf, meantAnswer } from './openai-aliases.ts'
import { NO_CONCESSIONS, strictToolNames, toWireRequest as toResponsesRequest } from './openai-request.ts'
import { LISTED, replyTo, tightened } from './overlay-testing.ts'
import { numRuns } from './schema-testing.ts'
import { editFile, request, userSays } from './testing.ts'

/** What holds in every conversation, whatever is defined in it and when. */

/** A tool with more optional parameters than fit many times into one request of strict tools. */
const wide: ToolDefinition = {
  ...editFile,
  name: 'searchCode',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 7 }, (_, n) => [`p${n}`, { type: ['string', 'null'] as const }]),
    ),
    additionalProperties: false,
  },
}
const tools = [...LISTED, { ...wide, strict: true }]

const definition = fc
  .tuple(
    fc.constantFrom(...tools, { ...editFile, name: 'unlisted' }),
    fc.constantFrom('base', 'tight', 'loose', 'strict'),
  )
  .map(([tool, kind]): ToolDefinition => {
    if (kind === 'base') return tool
    if (kind === 'strict') return { ...tool, strict: true, description: `${tool.description} ` }
    return { ...tightened(tool, 'a.ts', 'b.ts'), strict: kind === 'tight' }
  })
const round = fc.record({
  calls: fc.array(fc.constantFrom(...tools.map(({ name }) => name)), { maxLength: 3 }),
  said: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
  thought: fc.boolean(),
  text: fc.option(fc.constantFrom('Go on.', ' ', '\ud83d'), { nil: undefined }),
  definitions: fc.option(fc.array(definition, { maxLength: 4 }), { nil: undefined }),
})
const rounds = fc.array(round, { minLength: 1, maxLength: 12 })

type Made = (asked: ModelRequest, calls: readonly string[], n: number) => readonly AssistantBlock[]

/** The requests of a conversation of these rounds. */
function requestsOf(played: readonly (typeof rounds extends fc.Arbitrary<(infer T)[]> ? T : never)[], made: Made) {
  const messages: Message[] = [userSays('Mend it.')]
  return [
    ...played.map(({ calls, said = '', thought, text, definitions }, n) => {
      const asked = request({ tools, messages: [...messages] })
      const content: AssistantBlock[] = [
        ...(thought ? [thinking] : []),
        { type: 'text', text: calls.length > 0 ? said : `${said}.` },
        ...made(asked, calls, n),
      ]
      messages.push({ role: 'assistant', content })
      messages.push(
        ...replyTo(content, {
          ...(text !== undefined && (calls.length > 0 || text !== ' ') && { text }),
          ...(definitions && { definitions }),
        }),
      )
      return asked
    }),
    request({ tools, messages }),
  ]
}

const thinking = {
  type: 'thinking' as const,
  text: 'hm',
  payload: { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
}
const callsOf = (calls: readonly string[], n: number) =>
  calls.map((name, at) => ({
    type: 'call' as const,
    call: { id: `c${n}.${at}`, name, input: { parsed: true as const, value: { path: 'a.ts' } }, complete: true },
  }))

const bare = (value: Json): Json =>
  JSON.parse(JSON.stringify(value, (key, member) => (key === 'cache_control' ? undefined : member)))

it('on the Messages API requests extend one another, and the definitions in force are those of the conversation', () => {
  fc.assert(
    fc.property(rounds, (played) => {
      const requests = requestsOf(played, (_, calls, n) => callsOf(calls, n))
      const wires = requests.map(
        (asked) => toWireRequest(asked, 'm') as unknown as JsonObject & { messages: JsonObject[] },
      )
      let before: readonly Json[] = []
      for (const [n, wire] of wires.entries()) {
        const { messages, tools: listed, system } = wire
        const betas = appendsDefinitions(wire as never) ? [INLINE_TOOLS_BETA] : []
        expect(refusedByMessages(wire, betas)).toBeUndefined()
        expect(JSON.stringify([listed, system])).toBe(JSON.stringify([wires[0]?.tools, wires[0]?.system]))
        const now = bare(messages) as readonly Json[]
        expect(JSON.stringify(now.slice(0, before.length))).toBe(JSON.stringify(before))
        before = now
        const marks = messages.flatMap(({ role, content }, at) =>
          JSON.stringify(content).includes('cache_control') ? [[role, at]] : [],
        )
        const users = messages.flatMap(({ role }, at) => (role === 'user' ? [[role, at]] : []))
        expect(marks).toEqual(users.slice(-2))
        const inForce = toolsInForce(wire).map(({ name, input_schema: schema }) => [name, enumIn(schema)])
        expect(inForce).toEqual(
          definitionsInForce(requests[n] ?? request()).map((tool) => [tool.name, enumIn(tool.inputSchema as Json)]),
        )
      }
    }),
    { numRuns },
  )
})

function enumIn(schema: Json | undefined): Json {
  const path = ((schema as JsonObject).properties as JsonObject).path as JsonObject | undefined
  // Null stands for what is absent.
  return (path?.enum as readonly Json[] | undefined)?.filter((value) => value !== null) ?? null
}

it('on Responses requests extend one another, and what may be called is what is in force', () => {
  fc.assert(
    fc.property(rounds, (played) => {
      const madeAs = new Map<string, string>()
      const made: Made = (asked, calls, n) => {
        const aliases = aliasesOf(asked)
        const named = calls.map((name) => aliases.inForce.get(name)?.name ?? name)
        const answer = { content: callsOf(named, n), stopReason: 'calls', usage, model: 'm' } as const
        const strict = new Set(strictToolNames(toResponsesRequest(asked, 'm', NO_CONCESSIONS, madeAs)))
        const meant = meantAnswer(answer, asked, aliases, strict, madeAs).content
        expect(meant).toEqual(callsOf(calls, n))
        return meant
      }
      const requests = requestsOf(played, made)
      const wires = requests.map(
        (asked) => toResponsesRequest(asked, 'm', NO_CONCESSIONS, madeAs) as unknown as JsonObject & { input: Json[] },
      )
      let before: readonly Json[] = []
      for (const [n, wire] of wires.entries()) {
        expect(refusedByResponses(wire)).toBeUndefined()
        expect(JSON.stringify(wire.tools)).toBe(JSON.stringify(wires[0]?.tools))
        expect(JSON.stringify(wire.input.slice(0, before.length))).toBe(JSON.stringify(before))
        before = wire.input
        const inForce = definitionsInForce(requests[n] ?? request())
        const loose = inForce.map((one, at) => sameDefinition(one, tools[at] ?? one))
        const { tool_choice: choice } = wire
        const names =
          choice === undefined
            ? tools.map(({ name }) => name)
            : ((choice as JsonObject).tools as JsonObject[]).map(({ name }) => String(name))
        expect(names.map((name) => !name.includes('__g'))).toEqual(loose)
        expect(names.map((name) => name.replace(/__g\d+$/, ''))).toEqual(tools.map(({ name }) => name))
        const declared = wire.input.flatMap((item) =>
          (item as JsonObject).type === 'additional_tools' ? ((item as JsonObject).tools as JsonObject[]) : [],
        )
        expect(choice === undefined).toBe(declared.length === 0)
        const enums = names.map((name, at) =>
          enumIn((declared.find((tool) => tool.name === name)?.parameters ?? tools[at]?.inputSchema) as Json),
        )
        expect(enums).toEqual(inForce.map(({ inputSchema }) => enumIn(inputSchema as Json)))
      }
    }),
    { numRuns },
  )
})

const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
