import { isJsonObject, type JsonObject } from '../core/json.ts'
import { blocks, firstOf, objects, text } from './wire.ts'

const MOST_MARKS = 4
/** Keywords that a strict tool's schema can't have. */
const NOT_IN_STRICT = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'contains',
  'oneOf',
  'not',
  'allOf',
  'patternProperties',
]

/** Why the Messages API would reject the request with status 400, in words like its own; undefined when it would not. */
export function refusedByMessages(body: JsonObject): string | undefined {
  if (typeof body.model !== 'string' || body.model === '') return 'model: Field required'
  if (typeof body.max_tokens !== 'number' || body.max_tokens < 1) return 'max_tokens: has to be at least 1'
  return refusedMessages(objects(body.messages)) ?? firstOf(objects(body.tools), refusedTool) ?? refusedMarks(body)
}

function refusedMessages(messages: readonly JsonObject[]): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.role !== 'user') return 'messages.0: the first message has to be from the user'
  if (messages.at(-1)?.role !== 'user') return 'messages: this model does not support assistant message prefill'
  return firstOf(messages, (message, index) => {
    const content = blocks(message.content)
    if (content.length === 0) return `messages.${index}: content has to be non-empty`
    const uses = content.filter(({ type }) => type === 'tool_use')
    const before = index > 0 ? blocks(messages[index - 1]?.content) : []
    return (
      firstOf(content, (block) => refusedBlock(block, `messages.${index}`)) ??
      (uses.length > 0 && message.role !== 'assistant' ? `messages.${index}: tool_use in a user message` : undefined) ??
      refusedResults(
        before.filter(({ type }) => type === 'tool_use').map(({ id }) => text(id)),
        content,
        `messages.${index}`,
      )
    )
  })
}

function refusedBlock(block: JsonObject, place: string): string | undefined {
  if (block.type === 'text' && text(block.text).trim() === '') return `${place}: text content blocks must be non-empty`
  if (block.type === 'tool_use' && !isJsonObject(block.input)) return `${place}: tool_use.input: has to be an object`
  if (block.type === 'thinking' && typeof block.signature !== 'string')
    return `${place}: thinking.signature: Field required`
  return undefined
}

/** Each call of the message before has exactly one result here, and the results come first. */
function refusedResults(ids: readonly string[], content: readonly JsonObject[], place: string): string | undefined {
  const results = content.filter(({ type }) => type === 'tool_result').map((block) => text(block.tool_use_id))
  const missing = ids.find((id) => !results.includes(id))
  if (missing !== undefined) return `${place}: tool_use ids were found without tool_result blocks: ${missing}`
  const stray = results.find((id) => !ids.includes(id))
  if (stray !== undefined) return `${place}: unexpected tool_use_id found in tool_result blocks: ${stray}`
  if (new Set([...results, ...ids]).size !== Math.max(results.length, ids.length))
    return `${place}: each tool_use must have a single result and an id of its own`
  const late = content.slice(0, results.length).some(({ type }) => type !== 'tool_result')
  return late ? `${place}: tool_result blocks have to come first` : undefined
}

function refusedTool(tool: JsonObject, index: number): string | undefined {
  const schema = tool.input_schema
  const place = `tools.${index}.input_schema`
  if (!isJsonObject(schema) || schema.type !== 'object') return `${place}: type has to be object`
  const branch = ['oneOf', 'anyOf', 'allOf', 'not'].find((key) => schema[key] !== undefined)
  if (branch !== undefined) return `${place}: does not support ${branch} at the top level`
  return firstOf(schemasIn(schema), (inner) => {
    if (Array.isArray(inner.enum) && inner.enum.length === 0) return `${place}: enum has to have a value`
    if (tool.strict !== true) return undefined
    if (inner.type === 'object' && inner.additionalProperties !== false)
      return `${place}: strict tools need additionalProperties to be false`
    const refused = NOT_IN_STRICT.find((key) => inner[key] !== undefined)
    return refused === undefined ? undefined : `${place}: strict tools do not support the schema keyword ${refused}`
  })
}

function schemasIn(schema: JsonObject): JsonObject[] {
  const properties = isJsonObject(schema.properties) ? Object.values(schema.properties) : []
  const inner = [...properties, schema.items, ...objects(schema.anyOf), ...objects(schema.allOf)]
  return [schema, ...inner.filter((value): value is JsonObject => isJsonObject(value)).flatMap(schemasIn)]
}

function refusedMarks(body: JsonObject): string | undefined {
  const marked = [
    ...objects(body.tools),
    ...blocks(body.system),
    ...objects(body.messages).flatMap(({ content }) => blocks(content)),
  ].filter((block) => block.cache_control !== undefined)
  return marked.length > MOST_MARKS ? `at most ${MOST_MARKS} blocks with cache_control` : undefined
}
