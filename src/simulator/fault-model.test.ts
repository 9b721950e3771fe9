import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NONE_OF_THESE } from '../core/constraint.ts'
import type { JsonSchema } from '../core/json.ts'
import type { Message, ModelAnswer, ModelRequest } from '../core/message.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { FaultModel, type FaultModelOptions } from './fault-model.ts'
import { editOf, fixOf, MISTAKE_KINDS, type MistakeKind, mistakenCall } from './fault-model-mistakes.ts'
import { type WantedCall, type WantedSession, wantedSession } from './fault-model-session.ts'
import { createUsageMeter } from './fault-model-usage.ts'

const REPLAN = 'Revise the plan with submitPlan.'
const READ: WantedCall = { tool: 'readFile', input: { path: 'src/orders/format.ts', startLine: 1, endLine: 9 } }

function tool(name: string, schema: JsonSchema = {}, strict?: boolean): ToolDefinition {
  const inputSchema: JsonSchema = { type: 'object', ...schema }
  return { name, description: name, effect: 'read', inputSchema, argumentKinds: {}, ...(strict ? { strict } : {}) }
}
const TOOLS = ['readFile', 'editFile', 'searchCode', 'createFile', 'runCommand', 'submitPlan', 'finishStep'].map(
  (name) => tool(name),
)
const enumOf = (...values: string[]): JsonSchema => ({ properties: { path: { enum: [...values, NONE_OF_THESE] } } })

const sessionOf = (...calls: WantedCall[]): WantedSession => ({ task: 't', files: {}, calls })
const options = (session: WantedSession, more: Partial<FaultModelOptions> = {}): FaultModelOptions => ({
  seed: 1,
  session,
  faults: 1,
  repeats: 1,
  guesses: 0,
  read: () => '',
  ...more,
})

/** A conversation with the model: what it calls, and what it is told of that. */
class Talk {
  readonly messages: Message[]
  constructor(
    readonly model: FaultModel,
    readonly role: ModelRequest['role'] = 'edit',
    readonly tools: readonly ToolDefinition[] = TOOLS,
  ) {
    this.messages = [{ role: 'user', content: [{ type: 'text', text: `begin ${role}` }] }]
  }

  async call(): Promise<ToolCall> {
    const { role, tools, messages } = this
    const request = { role, system: 's', tools, messages: [...messages], maxOutputTokens: 1 }
    const answer = await answerOf(this.model, request)
    this.messages.push({ role: 'assistant', content: answer.content })
    const [block] = answer.content
    if (block?.type !== 'call') throw new Error('it calls')
    return block.call
  }

  tell(callId: string, text: string, failed: boolean, definitions: readonly ToolDefinition[] = []): void {
    this.messages.push({ role: 'user', content: [{ type: 'result', callId, text, failed }] })
    if (definitions.length > 0) this.messages.push({ role: 'tools', definitions })
  }
}

async function answerOf(model: FaultModel, request: ModelRequest): Promise<ModelAnswer> {
  const step = await model.answer(request).next()
  if (!step.done || !step.value.ok) throw new Error('it answers at once')
  return step.value.value
}

/** A seed for which the first call is got wrong in that way, and the call as it then comes. */
async function begun(
  kind: MistakeKind,
  wanted: WantedCall,
  more: Partial<FaultModelOptions> = {},
  ...rest: WantedCall[]
) {
  for (let seed = 0; ; seed += 1) {
    const model = new FaultModel(options(sessionOf(wanted, ...rest), { ...more, seed }))
    const talk = new Talk(model)
    const first = await talk.call()
    const made = [0, 1, 2, 3].map((variant) => mistakenCall(wanted, { kind, variant }))
    if (made.some(({ name, input }) => name === first.name && JSON.stringify(input) === JSON.stringify(first.input)))
      return { model, talk, first }
  }
}

describe('a mistake', () => {
  it('comes again as it was while nothing excludes it, whatever is told', async () => {
    const { talk, first } = await begun('wrong-target', READ)
    let last = first
    for (let again = 0; again < 5; again += 1) {
      talk.tell(last.id, `There is no such path. Did you mean ${READ.input.path}?`, true)
      last = await talk.call()
      expect([last.name, last.input]).toEqual([first.name, first.input])
    }
  })

  it('can not come out of a strict tool whose schema, as it is now, excludes it', async () => {
    const { talk, first } = await begun('wrong-target', READ)
    talk.tell(first.id, 'no', true, [tool('readFile', enumOf('src/orders/format.ts', 'src/a.ts'), true)])
    expect((await talk.call()).input).toEqual({ parsed: true, value: READ.input })
  })

  it('comes out of one that is not strict, and of one whose tightened schema was taken back', async () => {
    const tight = enumOf('src/orders/format.ts')
    const { talk, first } = await begun('wrong-target', READ)
    talk.tell(first.id, 'no', true, [tool('readFile', tight)])
    const second = await talk.call()
    talk.tell(second.id, 'no', true, [tool('readFile', tight, true)])
    talk.messages.push({ role: 'tools', definitions: [tool('readFile')] })
    const third = await talk.call()
    expect([second.input, third.input]).toEqual([first.input, first.input])
  })

  it('gives way to the way out where the right value is not offered', async () => {
    const { talk, first } = await begun('wrong-target', READ)
    talk.tell(first.id, 'no', true, [tool('readFile', enumOf('src/other.ts'), true)])
    expect((await talk.call()).input).toEqual({ parsed: true, value: { ...READ.input, path: NONE_OF_THESE } })
  })

  it('is mended by a text that names what is right as a whole, and else becomes another of its kind', async () => {
    const { talk, first } = await begun('wrong-target', READ, { repeats: 0 })
    talk.tell(first.id, 'not src/orders/format.ts.bak', true)
    const second = await talk.call()
    talk.tell(second.id, 'Try src/orders/format.ts.', true)
    const third = await talk.call()
    expect(second.name).toBe('readFile')
    expect(second.input).not.toEqual(first.input)
    expect(second.input).not.toEqual({ parsed: true, value: READ.input })
    expect(third.input).toEqual({ parsed: true, value: READ.input })
  })

  it('in the name of a tool comes again until the plan is to be revised, and not after that', async () => {
    const { model, talk, first } = await begun('unknown-tool', READ, {}, READ, READ, READ)
    talk.tell(first.id, 'There is no such tool; readFile is one.', true)
    const second = await talk.call()
    talk.tell(second.id, REPLAN, true)
    const third = await talk.call()
    expect([first.name, second.name, third.name]).toEqual(['view', 'view', 'readFile'])
    let last = third
    for (let index = 0; index < 3; index += 1) {
      talk.tell(last.id, 'fine', false)
      last = await talk.call()
      expect(last.name).toBe('readFile')
    }
    expect(model.tally).toEqual({ mistaken: 4, recovered: 1, mended: 2, cacheLost: 0 })
  })
})

describe('a replay', () => {
  const oldText = '  const rate0 = amount * 3\n  return rate0 + 5'
  const EDIT: WantedCall = {
    tool: 'editFile',
    input: { path: 'src/a.ts', edits: [{ oldText, newText: '  return 9' }] },
  }
  const file = `// head\n// more\n${oldText}\n// tail\n`
  const regions = (...labels: string[]) =>
    tool('replaceRegion', { properties: { region: { enum: [...labels, NONE_OF_THESE] } } }, true)

  it('of an edit picks the region that holds its text, or none', async () => {
    const { model } = await begun('edit-mismatch', EDIT, { read: () => file })
    const picked = await new Talk(model, 'repair', [regions('line 1', 'lines 2-4')]).call()
    const none = await new Talk(model, 'repair', [regions('lines 1-3')]).call()
    expect([picked.input, none.input]).toEqual([
      { parsed: true, value: { region: 'lines 2-4', newText: '// more\n  return 9' } },
      { parsed: true, value: { region: NONE_OF_THESE, newText: '' } },
    ])
  })

  it('has one tool, whose schema binds without being strict', async () => {
    const closed: JsonSchema = { required: ['path'], properties: { startLine: { type: 'integer' } } }
    for (const kind of ['wrong-type', 'missing-argument', 'malformed-json'] as const) {
      const { model } = await begun(kind, READ)
      const again = await new Talk(model, 'repair', [tool('readFile', closed)]).call()
      expect([kind, again.input]).toEqual([kind, { parsed: true, value: READ.input }])
    }
  })

  it('that succeeds takes the conversation on to the next call', async () => {
    const { model, talk, first } = await begun('wrong-target', READ)
    await new Talk(model, 'repair', [tool('readFile', enumOf('src/orders/format.ts'))]).call()
    talk.tell(first.id, '(corrected) the file', false)
    expect((await talk.call()).name).toBe('finishStep')
    expect(model.tally).toEqual({ mistaken: 1, recovered: 1, mended: 0, cacheLost: 0 })
  })
})

describe('a session', () => {
  it('begins with a plan, and after a roll-back anew or with the attempt that is offered', async () => {
    const model = new FaultModel(options(sessionOf(READ, READ), { faults: 0 }))
    const planning = new Talk(model, 'plan')
    const plan = await planning.call()
    planning.tell(plan.id, 'accepted', false)
    const read = await planning.call()
    planning.tell(read.id, 'fine', false)
    await planning.call()
    const resume = tool('resumeAttempt', { properties: { attempt: { enum: [1, 2] } } })
    const resuming = new Talk(model, 'edit', [...TOOLS, resume])
    const resumed = await resuming.call()
    resuming.tell(resumed.id, 'resumed', false)
    const next = await resuming.call()
    const anew = await new Talk(model).call()
    expect([plan, read, resumed, next, anew].map(({ name, input }) => [name, input.parsed && input.value])).toEqual([
      ['submitPlan', expect.anything()],
      ['readFile', READ.input],
      ['resumeAttempt', { attempt: 2 }],
      ['readFile', READ.input],
      ['readFile', READ.input],
    ])
  })

  it('is the same for the same seed, whatever it is told', async () => {
    const told = fc.array(
      fc.record({ failed: fc.boolean(), text: fc.constantFrom('no', REPLAN, 'try src/orders/format.ts') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), told, async (seed, repeats, results) => {
        const session = wantedSession(seed, 10)
        const played = async () => {
          const talk = new Talk(new FaultModel(options(session, { seed, faults: 0.5, repeats, guesses: 0.5 })))
          for (const { failed, text } of results) talk.tell((await talk.call()).id, text, failed)
          return [await talk.call(), talk.messages]
        }
        expect(await played()).toEqual(await played())
      }),
      { numRuns: 50 },
    )
  })

  it('wants calls that can be made, and mistakes are none of them', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 200 }), fc.nat(9), (seed, count, variant) => {
        const { files, calls } = wantedSession(seed, count)
        const paths = new Set(Object.keys(files).flatMap((file) => [file, file.slice(0, file.lastIndexOf('/'))]))
        expect(calls).toHaveLength(count)
        expect(
          new Set(calls.filter(({ tool }) => tool === 'editFile').map(({ input }) => JSON.stringify(input))).size,
        ).toBe(calls.filter(({ tool }) => tool === 'editFile').length)
        for (const call of calls) {
          const path = String(call.input.path)
          if (call.tool === 'createFile') expect(paths.has(path)).toBe(false)
          else if (call.tool !== 'runCommand') expect(paths.has(path)).toBe(true)
          if (call.tool === 'editFile') {
            expect(files[path]?.split(editOf(call.input).oldText)).toHaveLength(2)
            const { input } = mistakenCall(call, { kind: 'edit-mismatch', variant })
            expect(input.parsed && files[path]?.includes(editOf(input.value).oldText)).toBe(false)
          }
          if (call.tool === 'readFile' || call.tool === 'searchCode') {
            const { input } = mistakenCall(call, { kind: 'wrong-target', variant })
            expect(input.parsed && paths.has(String(input.value.path))).toBe(false)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('knows for every mistake what would be right', () => {
    for (const call of wantedSession(3, 10).calls)
      for (const kind of MISTAKE_KINDS) {
        if (kind === 'edit-mismatch' && call.tool !== 'editFile') continue
        expect(fixOf(call, { kind, variant: 0 })).not.toBe('')
      }
  })
})

describe('the usage', () => {
  const request = (texts: readonly string[], tools = TOOLS): ModelRequest => ({
    role: 'edit',
    system: 's',
    tools,
    messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
    maxOutputTokens: 1,
  })

  it('reads from the cache what the conversation began with before', () => {
    const meter = createUsageMeter()
    const first = meter.count(request(['a']), 'four')
    const second = meter.count(request(['a', 'b'.repeat(400)]), '')
    expect([first.cacheRead, first.output, second.cacheRead, meter.lost]).toEqual([0, 1, first.input, 0])
    expect(second.input).toBeGreaterThan(100)
  })

  it('loses what stands behind a change, and all of it when the tool list changes', () => {
    const meter = createUsageMeter()
    const first = meter.count(request(['a']), '')
    const other = meter.count(request(['a', 'b'], [tool('other'), ...TOOLS]), '')
    expect([other.cacheRead, meter.lost]).toEqual([0, first.input])
  })

  it('loses nothing when a conversation with the same words begins', () => {
    const meter = createUsageMeter()
    const first = meter.count(request(['a']), '')
    meter.count(request(['a', 'b']), '')
    expect([meter.count(request(['a']), '').cacheRead, meter.lost]).toEqual([first.input, 0])
  })
})
