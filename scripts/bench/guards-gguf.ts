import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NONE_OF_THESE } from '../../src/core/constraint.ts'
import type { Correctable } from '../../src/core/failure.ts'
import type { Message, ModelRequest } from '../../src/core/message.ts'
import type { Model, ToolRunner } from '../../src/core/ports.ts'
import { prompt } from '../../src/core/prompts.ts'
import type { ToolCall, ToolDefinition } from '../../src/core/tool.ts'
import { explain } from '../../src/failure/explain.ts'
import { applyConstraints } from '../../src/guard/apply-constraints.ts'
import { constrain } from '../../src/guard/engine.ts'
import type { HistoryEntry } from '../../src/guard/guard.ts'
import { createGgufModel } from '../../src/model/gguf.ts'
import { withoutCandidates } from './guards-arms.ts'
import { titleOf } from './guards-figures.ts'
import { type Recovery, recoveries } from './guards-gguf-cases.ts'
import { ARMS, type Arm, prompts } from './guards-session.ts'

const TRIES = 2
const MOST_TOKENS = 96

/** How many recoveries of one kind came out right in one arm. */
export interface GgufRow {
  readonly arm: Arm
  readonly kind: Recovery['kind']
  readonly count: number
  /** The right value was the first of the candidates: as many come out right by taking the first, whatever it is. */
  readonly leading: number
  /** Right at the first try, and within two. */
  readonly first: number
  readonly withinTwo: number
  /** Carried out with another value than the one that was meant: there is no second try then. */
  readonly other: number
}

type Outcome = 'first' | 'second' | 'other' | 'failed'

/** What came of one recovery in one arm. */
interface Asked {
  readonly arm: Arm
  readonly kind: Recovery['kind']
  readonly leading: boolean
  readonly outcome: Outcome
}

/** Asks a model file for `count` failed calls again, in every arm. */
export async function playGguf(options: {
  readonly file: string
  readonly count: number
  readonly seed: number
  /** Where node-llama-cpp is. */
  readonly packages: readonly string[]
  readonly onProgress: (text: string) => void
}): Promise<GgufRow[]> {
  const model = await createGgufModel({
    path: options.file,
    prompts,
    contextSize: 4_096,
    packageFolders: options.packages,
  })
  const base = mkdtempSync(path.join(tmpdir(), 'goatfied-guards-gguf-'))
  try {
    const made = await recoveries(base, options.count, options.seed)
    const asked: Asked[] = []
    for (const [index, one] of made.entries()) {
      const { kind, leading } = one
      for (const arm of ARMS) asked.push({ arm, kind, leading, outcome: await recoverWith(model, arm, one) })
      if ((index + 1) % 10 === 0) options.onProgress(`${index + 1} of ${made.length}`)
    }
    const kinds = [...new Set(made.map(({ kind }) => kind))]
    return ARMS.flatMap((arm) => kinds.map((kind) => rowOf(arm, kind, asked)))
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function rowOf(arm: Arm, kind: Recovery['kind'], all: readonly Asked[]): GgufRow {
  const own = all.filter((one) => one.arm === arm && one.kind === kind)
  const count = (...outcomes: readonly Outcome[]) => own.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    arm,
    kind,
    count: own.length,
    leading: own.filter(({ leading }) => leading).length,
    first: count('first'),
    withinTwo: count('first', 'second'),
    other: count('other'),
  }
}

/** One failed call, asked for again as a scoped replay does; a second time where that fails too. */
async function recoverWith(model: Model, arm: Arm, one: Recovery): Promise<Outcome> {
  const tools = arm === 'error-text' ? withoutCandidates(one.tools) : one.tools
  const base = tools.definitions.filter(({ name }) => name === one.call.name)
  const history: HistoryEntry[] = []
  let failed = await failureOf(tools, one.call, base)
  if (failed === undefined) throw new Error(`${one.call.name} does not fail`)
  let call = one.call
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: openingOf(one, failed) }] }]
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    history.push({ failure: failed, calls: [call], changesBefore: 0 })
    const offered = arm === 'guards' ? constrained(tools.definitions, history, one.call.name) : base
    const made = await answerOf(model, { messages, tools: offered })
    if (made === undefined) return 'failed'
    const value = made.input.parsed ? made.input.value[one.argument] : undefined
    if (value === one.right) return attempt === 1 ? 'first' : 'second'
    // Choosing none of the values leaves the failure as it was.
    const again: Correctable | undefined = value === NONE_OF_THESE ? failed : await failureOf(tools, made, offered)
    if (again === undefined) return 'other'
    ;[failed, call] = [again, made]
    messages.push(
      { role: 'assistant', content: [{ type: 'call', call: made }] },
      { role: 'user', content: [{ type: 'result', callId: made.id, text: explain(prompts, failed), failed: true }] },
    )
  }
  return 'failed'
}

function openingOf({ goal, call }: Recovery, failure: Correctable): string {
  return prompt(prompts, 'replay', {
    goal,
    tool: call.name,
    arguments: call.input.parsed ? JSON.stringify(call.input.value) : call.input.raw,
    failure: explain(prompts, failure),
    none: NONE_OF_THESE,
  })
}

function constrained(definitions: readonly ToolDefinition[], failures: readonly HistoryEntry[], name: string) {
  const set = constrain({ failures, changes: [] }, definitions)
  return applyConstraints(definitions, set, { recovery: true }).filter((tool) => tool.name === name)
}

async function failureOf(tools: ToolRunner, call: ToolCall, definitions: readonly ToolDefinition[]) {
  const checked = await tools.check(call, definitions)
  return checked.ok ? undefined : checked.failure
}

async function answerOf(
  model: Model,
  { messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
): Promise<ToolCall | undefined> {
  const system = prompt(prompts, 'replay-system')
  const request = { role: 'repair', system, tools, messages, maxOutputTokens: MOST_TOKENS } as const
  const answering = model.answer(request, new AbortController().signal)
  let step = await answering.next()
  while (!step.done) step = await answering.next()
  if (!step.value.ok) throw new Error(`the model can't answer: ${JSON.stringify(step.value.failure)}`)
  return step.value.value.content.flatMap((block) => (block.type === 'call' ? [block.call] : []))[0]
}

/** The rows as a table with a heading. */
export function ggufTableOf(rows: readonly GgufRow[]): string[][] {
  const share = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(0)} %`
  return [
    [
      '',
      'wrong',
      'calls',
      'first candidate is right',
      'right at first',
      'right within two',
      'another value carried out',
    ],
    ...rows.map(({ arm, kind, count, leading, first, withinTwo, other }) => [
      titleOf(arm),
      kind,
      String(count),
      share(leading, count),
      share(first, count),
      share(withinTwo, count),
      share(other, count),
    ]),
  ]
}
