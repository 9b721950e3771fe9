import fc from 'fast-check'
import type { Failure, TargetFailure, TargetKind } from '../core/failure.ts'
import type { Json, JsonObject, JsonSchema } from '../core/json.ts'
import type { ArgumentKind, ToolCall, ToolDefinition } from '../core/tool.ts'
import type { HistoryEntry } from './guard.ts'
import { choices, type Next, objectSchema, sample, sampleObject, streamOf } from './random-schemas-testing.ts'
import { accepts, violations } from './schema-evaluator-testing.ts'

/** Tools, and calls of them that failed one after the other. */
export interface RandomRun {
  /** The random ones and `editFile`, in which calls fail, then `createFile` and `finishStep`, in which none does. */
  readonly tools: readonly ToolDefinition[]
  readonly entries: readonly HistoryEntry[]
  /** More calls, most of which the base schemas accept. */
  readonly probes: readonly ToolCall[]
}

export const createFile = definition(
  'createFile',
  { path: { type: 'string' }, content: { type: 'string' } },
  ['path', 'content'],
  {
    '/path': 'new-path',
  },
)
const finishStep = definition('finishStep', { summary: { type: 'string' } }, ['summary'], {})
const edit: JsonSchema = {
  type: 'object',
  properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
  required: ['oldText', 'newText'],
}
const editFile = definition(
  'editFile',
  { path: { type: 'string' }, edits: { type: 'array', items: edit, minItems: 1 } },
  ['path', 'edits'],
  {
    '/path': 'existing-path',
  },
)

function definition(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  argumentKinds: ToolDefinition['argumentKinds'],
): ToolDefinition {
  const inputSchema: JsonSchema = { type: 'object', properties, required, additionalProperties: false }
  return { name, description: '', effect: 'write', inputSchema, argumentKinds }
}

const KINDS: readonly ArgumentKind[] = ['existing-path', 'new-path', 'directory', 'command', 'attempt', 'symbol']
const TARGETS: Readonly<Partial<Record<ArgumentKind, readonly TargetKind[]>>> = {
  'existing-path': ['path', 'region'],
  directory: ['directory'],
  command: ['script', 'test'],
  attempt: ['attempt'],
  symbol: ['symbol'],
}

const randomTool: fc.Arbitrary<ToolDefinition> = fc
  .tuple(
    fc.constantFrom('read_it', 'runIt', 'planIt', 'listIt', 'takeIt'),
    objectSchema,
    fc.constantFrom(...KINDS),
    fc.boolean(),
  )
  .map(([name, schema, kind, many]) => {
    const listed = many && (kind === 'existing-path' || kind === 'directory')
    const one: JsonSchema = kind === 'attempt' ? { type: 'integer', minimum: 1 } : { type: 'string', minLength: 1 }
    const target: JsonSchema = listed ? { type: 'array', items: one, minItems: 1 } : one
    const path: Record<string, JsonSchema> = kind === 'symbol' ? { path: { type: 'string' } } : {}
    return {
      name,
      description: '',
      effect: 'read',
      inputSchema: {
        ...schema,
        properties: { ...schema.properties, ...path, target },
        required: [...new Set([...(schema.required ?? []), ...Object.keys(path), 'target'])],
      },
      argumentKinds: {
        [listed ? '/target/*' : '/target']: kind,
        ...(kind === 'symbol' ? { '/path': 'existing-path' as const } : {}),
      },
    }
  })

/** What a repository may call its files, and what nobody should; the two longest are together more than an enum may hold. */
const FILES: readonly string[] = [
  ...Array.from({ length: 70 }, (_, index) => `src/${['cart', 'Cart', 'tax'][index % 3]}/${index >> 1}.ts`),
  ...['', '__none__', 'a\nb', 'c\u202e.ts', 'd\u0000', '\u00adx', '\ud800', 'y'.repeat(4500), 'z'.repeat(4500)],
]
const repository = fc
  .tuple(fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 }), fc.nat(FILES.length))
  .map(([odd, from]) => [...odd, ...FILES.slice(from), ...FILES.slice(0, from)])

/** Runs with one to eight failures of every kind that guards answer. */
export const randomRun: fc.Arbitrary<RandomRun> = fc
  .record({
    random: fc.uniqueArray(randomTool, { minLength: 1, maxLength: 3, selector: (tool) => tool.name }),
    repository,
    events: fc.array(choices, { minLength: 1, maxLength: 8 }),
    more: fc.array(choices, { minLength: 2, maxLength: 4 }),
  })
  .map(({ random, repository, events, more }) => {
    const failing = [...random, editFile]
    return {
      tools: [...failing, createFile, finishStep],
      entries: events.map((numbers) => entryOf(failing, repository, streamOf(numbers))),
      probes: more.map((numbers) => callOf(failing, repository, streamOf(numbers)).call),
    }
  })

interface Made {
  readonly tool: ToolDefinition
  readonly call: ToolCall
  readonly value: JsonObject
}

const pick = <T>(list: readonly T[], next: Next): T => {
  const picked = list[next() % list.length]
  if (picked === undefined) throw new Error('an empty list')
  return picked
}

function callOf(tools: readonly ToolDefinition[], repository: readonly string[], next: Next): Made {
  const tool = pick(tools, next)
  const value = next() % 20 === 0 ? sampleObject({}, next) : argumentsOf(tool, repository, next)
  // Some call a tool by another spelling of its name, which the runner mends.
  const written = next() % 12 === 0 ? tool.name.toUpperCase() : tool.name
  return { tool, value, call: { id: 'c', name: written, complete: true, input: { parsed: true, value } } }
}

function argumentsOf(tool: ToolDefinition, repository: readonly string[], next: Next): JsonObject {
  if (tool.name === 'editFile') {
    const edits = Array.from({ length: 1 + (next() % 2) }, () => ({ oldText: pick(['x', 'y'], next), newText: 'z' }))
    return { path: pick(repository, next), edits: next() % 9 === 0 ? sample({}, next) : edits }
  }
  const { target, ...others } = tool.inputSchema.properties ?? {}
  const rest = sampleObject({ ...tool.inputSchema, properties: others }, next)
  const member = (): Json =>
    next() % 15 === 0 ? sample({}, next) : target?.type === 'integer' ? 1 + (next() % 5) : pick(repository, next)
  const made: JsonObject = { ...rest, target: target?.type === 'array' ? [member(), member()] : member() }
  return others.path === undefined ? made : { ...made, path: pick(repository, next) }
}

function entryOf(tools: readonly ToolDefinition[], repository: readonly string[], next: Next): HistoryEntry {
  const made = callOf(tools, repository, next)
  if (next() % 10 === 0) {
    const calls = next() % 2 === 0 ? [made.call] : [made.call, callOf(tools, repository, next).call]
    return { failure: { kind: 'check.types', diagnostics: [] }, calls, changesBefore: 0 }
  }
  return { failure: failureOf(made, repository, next), calls: [made.call], changesBefore: 0 }
}

function failureOf(made: Made, repository: readonly string[], next: Next): Failure {
  const { tool, value } = made
  const of = { callId: 'c', tool: tool.name }
  const wrong = violations(tool.inputSchema, value)
  if (wrong.length > 0 || next() % 12 === 0) {
    // What a tool refuses beyond its schema has a keyword of its own.
    const errors = wrong.length > 0 ? wrong : [{ pointer: '/target', keyword: 'overlap' }]
    return {
      ...of,
      kind: 'call.invalid-arguments',
      errors: errors.map((error) => ({ ...error, message: '', params: {} })),
    }
  }
  const missing = next() % 4 > 0 ? notFound(made, repository, next) : undefined
  if (missing !== undefined) return missing
  const path = typeof value.path === 'string' ? value.path : 'src/a.ts'
  const regions = [{ startLine: 1, endLine: 1, text: 'x' }]
  const failures: readonly Failure[] = [
    { ...of, kind: 'edit.no-match', path, edit: 0, tried: [], nearest: regions },
    { ...of, kind: 'edit.ambiguous', path, edit: 0, lines: [1, 2], regions },
    { ...of, kind: 'edit.out-of-scope', path, reason: 'outside' },
    { ...of, kind: 'call.denied', by: 'person' },
    { ...of, kind: 'call.truncated' },
  ]
  return pick(failures, next)
}

function notFound({ tool, value }: Made, repository: readonly string[], next: Next): TargetFailure | undefined {
  const [place, kind] = Object.entries(tool.argumentKinds).find(([pointer]) => pointer.startsWith('/target')) ?? [
    '/path',
    'existing-path',
  ]
  const target = TARGETS[kind]
  if (target === undefined || !accepts(tool.inputSchema, value)) return undefined
  const argument = value[place.split('/')[1] ?? '']
  const missing = Array.isArray(argument) ? argument[0] : argument
  const from = next() % repository.length
  const candidates = kind === 'attempt' ? ['1', '2', '3'] : repository.slice(from, from + (next() % 80))
  return {
    kind: 'target.not-found',
    callId: 'c',
    tool: tool.name,
    target: pick(target, next),
    pointer: place.replace('*', '0'),
    value: String(missing),
    candidates: candidates.filter((one) => one !== String(missing)),
    exhaustive: next() % 2 === 0,
    lead: 0,
  }
}
