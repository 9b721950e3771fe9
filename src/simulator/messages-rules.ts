import { isJsonObject, type JsonObject } from '../core/json.ts'
import { refusedStrictness, refusedTool } from './messages-tool-rules.ts'
import { definitionsIn, refusedChanges, refusedPlace, refusedRole } from './tool-changes.ts'
import { blocks, firstOf, objects, text } from './wire.ts'

const MOST_MARKS = 4

/**
 * Why the Messages API would reject the request with status 400, in words like its own; undefined when it would not.
 * `betas` are those that its header names.
 */
export function refusedByMessages(body: JsonObject, betas: readonly string[] = []): string | undefined {
  if (typeof body.model !== 'string' || body.model === '') return 'model: Field required'
  if (typeof body.max_tokens !== 'number' || body.max_tokens < 1) return 'max_tokens: has to be at least 1'
  const messages = objects(body.messages)
  const tools = objects(body.tools)
  return (
    refusedMessages(messages) ??
    firstOf(tools, (tool, index) => refusedTool(tool, `tools.${index}`)) ??
    refusedChanges(messages, tools, betas) ??
    refusedStrictness([...tools, ...definitionsIn(messages)]) ??
    refusedMarks(body)
  )
}

function refusedMessages(messages: readonly JsonObject[]): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.role !== 'user') return 'messages.0: the first message has to be from the user'
  if (messages.at(-1)?.role === 'assistant') return 'messages: this model does not support assistant message prefill'
  return firstOf(messages, (message, index) => {
    const place = `messages.${index}`
    const content = blocks(message.content)
    if (content.length === 0) return `${place}: content has to be non-empty`
    const uses = content.filter(({ type }) => type === 'tool_use')
    const before = index > 0 ? blocks(messages[index - 1]?.content) : []
    const misplaced = message.role === 'system' ? refusedPlace(messages, index) : refusedRole(message, place)
    return (
      misplaced ??
      firstOf(content, (block) => refusedBlock(block, place)) ??
      (uses.length > 0 && message.role !== 'assistant'
        ? `${place}: tool_use in a ${text(message.role)} message`
        : undefined) ??
      refusedResults(
        before.filter(({ type }) => type === 'tool_use').map(({ id }) => text(id)),
        content,
        place,
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

function refusedMarks(body: JsonObject): string | undefined {
  const marked = [
    ...objects(body.tools),
    ...blocks(body.system),
    ...objects(body.messages).flatMap(({ content }) => blocks(content)),
  ].filter((block) => block.cache_control !== undefined)
  return marked.length > MOST_MARKS ? `at most ${MOST_MARKS} blocks with cache_control` : undefined
}
