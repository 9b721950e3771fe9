import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { AssistantBlock } from '../core/message.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { objectAt, parseJson, stringAt } from './wire-json.ts'

/** A call as a model writes it. */
export interface WrittenCall {
  readonly name: string
  readonly args: JsonObject
}

/** Thinking that a server has left in the text. */
const THINKING = /^\s*<think(?:ing)?>.*?<\/think(?:ing)?>\s*/s
const CALL_ENDS = ['</tool_call>', '</function>'] as const
const CALL_STARTS = { '</tool_call>': '<tool_call>', '</function>': '<function=' } as const

/** The text without thinking before it, and without a fence around it. */
export function plainText(text: string): string {
  const said = text.replace(THINKING, '').trim()
  if (!said.startsWith('```') || !said.endsWith('```') || said.length < 6) return said
  return said.slice(said.indexOf('\n') + 1, -3).trim()
}

/**
 * A text as what it is where a server did not see that it has calls of these tools in it: the words before them, and the
 * calls. Undefined unless the text ends in calls in tags, or is nothing but one as JSON, and all of them are whole and of
 * a tool that is known: what only looks like a call stays a text. Call ids in `takenIds` are not used; those used are added.
 */
export function callsInText(
  text: string,
  tools: readonly string[],
  takenIds: Set<string>,
): readonly AssistantBlock[] | undefined {
  const { words, tagged } = withoutTagged(text.replace(THINKING, '').trim())
  const calls = tagged.length > 0 ? tagged.map(writtenCall) : [writtenCall(plainText(text))]
  const known = calls.filter((call) => call !== undefined && tools.includes(call.name))
  if (known.length === 0 || known.length < calls.length) return undefined
  return [
    ...(words === '' || tagged.length === 0 ? [] : [{ type: 'text' as const, text: words }]),
    ...known.flatMap((call): AssistantBlock[] => {
      if (!call) return []
      const { name, args } = call
      const input = { parsed: true as const, value: args }
      return [{ type: 'call', call: { id: uniqueCallId('', takenIds), name, input, complete: true } }]
    }),
  ]
}

/** The tagged calls with which a text ends, each with its tags, and the words before them. */
function withoutTagged(text: string): { readonly words: string; readonly tagged: readonly string[] } {
  const tagged: string[] = []
  let words = text
  for (;;) {
    const end = CALL_ENDS.find((one) => words.endsWith(one))
    const start = end === undefined ? -1 : words.lastIndexOf(CALL_STARTS[end])
    if (start < 0) return { words, tagged }
    tagged.unshift(words.slice(start))
    words = words.slice(0, start).trim()
  }
}

/** The call that a text is, as `{"name", "arguments"}`, with or without tags, or as `<function=name>{...}</function>`. */
export function writtenCall(text: string): WrittenCall | undefined {
  const inner = text.replace(/^\s*<[\w|]+>\s*|\s*<\/[\w|]+>\s*$/g, '')
  const parsed = parseJson(inner)
  const first = Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed
  if (!isJsonObject(first)) return tagged(text)
  const name = stringAt(first, 'name')
  const given = stringAt(first, 'arguments')
  const args = objectAt(first, 'arguments') ?? objectAt(first, 'parameters') ?? (given ? parseJson(given) : undefined)
  return name !== undefined && isJsonObject(args) ? { name, args } : undefined
}

/** With or without the first closing bracket. */
function tagged(text: string): WrittenCall | undefined {
  const [, name, json] = /^\s*<function=([\w-]+)[>,\s]*(\{.*\})\s*(?:<\/function>|>)?\s*$/s.exec(text) ?? []
  const args = json === undefined ? undefined : parseJson(json)
  return name !== undefined && isJsonObject(args) ? { name, args } : undefined
}
