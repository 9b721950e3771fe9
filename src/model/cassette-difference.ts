import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { type RecordedRequest, type RecordedStep, requestKey } from './cassette-format.ts'
import { stringAt } from './wire-json.ts'

/** Differences that are told of one request, and characters of all that is said about it. */
const MOST_DIFFERENCES = 4
const LONGEST_REASON = 1200
/** Characters of a text that are shown before its first difference, and in all. */
const SHOWN_BEFORE = 20
const SHOWN = 80

/** Why nothing is recorded for this request: how it differs from the nearest one that is. `given` have been given out. */
export function describeMissing(
  file: string,
  wanted: RecordedRequest,
  steps: readonly RecordedStep[],
  given: ReadonlySet<RecordedStep>,
): string {
  const key = requestKey(wanted)
  const equal = steps.filter(({ request }) => requestKey(request) === key).length
  if (equal > 0) return `${file} has this request ${equal} times, and it is made once more`
  const nearest = nearestStep(wanted, steps, given)
  const what = `${file} has no answer to this request (${wanted.role}, ${wanted.messages.length} messages)`
  if (nearest === undefined) return `${what}, nor any for the role ${wanted.role}`
  const differences = differencesBetween(wanted, nearest.request)
  const more = differences.length - MOST_DIFFERENCES
  const told = [...differences.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  const reason = `${what}. Nearest is line ${steps.indexOf(nearest) + 2}, which differs in ${told}`
  return reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON)}...`
}

/** Of the same role, the one with most in common; of several the first that was not given out yet. */
function nearestStep(
  wanted: RecordedRequest,
  steps: readonly RecordedStep[],
  given: ReadonlySet<RecordedStep>,
): RecordedStep | undefined {
  const texts = wanted.messages.map(canonicalJson)
  const tools = new Set(wanted.tools.map(canonicalJson))
  const likeness = ({ request }: RecordedStep): number => {
    const equal = request.messages.filter((message, index) => canonicalJson(message) === texts[index]).length
    const known = request.tools.filter((tool) => tools.has(canonicalJson(tool))).length
    const others = Math.abs(request.messages.length - texts.length)
    return 4 * equal - 2 * others + (request.system === wanted.system ? 1 : 0) + known / (request.tools.length + 1)
  }
  const ranked = steps
    .filter(({ request }) => request.role === wanted.role)
    .map((step) => ({ step, score: likeness(step) + (given.has(step) ? 0 : 0.5) }))
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.step
}

function differencesBetween(now: RecordedRequest, then: RecordedRequest): readonly string[] {
  const count =
    now.messages.length === then.messages.length
      ? []
      : [`the number of messages: ${now.messages.length}, recorded ${then.messages.length}`]
  return [
    ...difference('the system prompt', now.system, then.system),
    ...difference('maxOutputTokens', now.maxOutputTokens, then.maxOutputTokens),
    ...toolDifferences(now.tools, then.tools),
    ...now.messages.flatMap((message, index) => {
      const recorded = then.messages[index]
      return recorded === undefined
        ? []
        : difference(`message ${index + 1} (${stringAt(message, 'role')})`, message, recorded)
    }),
    ...count,
  ]
}

function toolDifferences(now: readonly JsonObject[], then: readonly JsonObject[]): readonly string[] {
  const name = (tool: JsonObject): string => stringAt(tool, 'name') ?? ''
  const names = (tools: readonly JsonObject[]): string => tools.map(name).join(', ')
  const changed = now.flatMap((tool) => {
    const recorded = then.find((one) => name(one) === name(tool))
    return recorded === undefined ? [] : difference(`the tool ${name(tool)}`, tool, recorded)
  })
  return names(now) === names(then)
    ? changed
    : [`the list of tools: ${names(now) || 'none'}, recorded ${names(then) || 'none'}`, ...changed]
}

/** The first difference of two values, in words; nothing for equal ones. */
function difference(what: string, now: Json, then: Json): readonly string[] {
  const found = firstDifference(now, then, '')
  if (found === undefined) return []
  const [shownNow, shownThen] = shown(found.now, found.then)
  return [`${what}${found.pointer === '' ? '' : ` at ${found.pointer}`}: ${shownNow}, recorded ${shownThen}`]
}

interface Difference {
  /** JSON pointer. */
  readonly pointer: string
  readonly now: Json | undefined
  readonly then: Json | undefined
}

function firstDifference(now: Json | undefined, then: Json | undefined, pointer: string): Difference | undefined {
  if (now === undefined || then === undefined) return now === then ? undefined : { pointer, now, then }
  if (Array.isArray(now) && Array.isArray(then)) return firstOf([...now.keys(), ...then.keys()], now, then, pointer)
  if (isJsonObject(now) && isJsonObject(then))
    return firstOf([...Object.keys(now), ...Object.keys(then)], now, then, pointer)
  return canonicalJson(now) === canonicalJson(then) ? undefined : { pointer, now, then }
}

function firstOf(
  keys: readonly (string | number)[],
  now: readonly Json[] | JsonObject,
  then: readonly Json[] | JsonObject,
  pointer: string,
): Difference | undefined {
  const at = (of: readonly Json[] | JsonObject, key: string | number) => (of as Readonly<Record<string, Json>>)[key]
  for (const key of new Set(keys)) {
    const escaped = String(key).replaceAll('~', '~0').replaceAll('/', '~1')
    const found = firstDifference(at(now, key), at(then, key), `${pointer}/${escaped}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Both values, cut to where they part. */
function shown(now: Json | undefined, then: Json | undefined): readonly [string, string] {
  if (typeof now !== 'string' || typeof then !== 'string') return [cut(now), cut(then)]
  let common = 0
  while (common < now.length && now[common] === then[common]) common += 1
  const from = Math.max(0, common - SHOWN_BEFORE)
  return [piece(now, from), piece(then, from)]
}

function piece(text: string, from: number): string {
  const end = from + SHOWN
  return `${from > 0 ? '...' : ''}${JSON.stringify(text.slice(from, end))}${text.length > end ? '...' : ''}`
}

function cut(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`
}
