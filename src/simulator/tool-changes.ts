import { isJsonObject, type JsonObject } from '../core/json.ts'
import { refusedTool } from './messages-tool-rules.ts'
import { blocks, firstOf, objects, text } from './wire.ts'

/** Tools that are defined within a conversation of the Messages API: `tool_addition` blocks in messages of the system. */

const BETA = 'inline-tools-2026-09-15'

/** The definitions in the messages, in their order. */
export function definitionsIn(messages: readonly JsonObject[]): JsonObject[] {
  return messages.flatMap(({ role, content }) =>
    role === 'system'
      ? blocks(content).flatMap(({ type, tool }) =>
          type === 'tool_addition' && isJsonObject(tool) && isJsonObject(tool.definition) ? [tool.definition] : [],
        )
      : [],
  )
}

/** The tools at the end of a conversation: those of the list, each as it was defined last, then those defined later. */
export function toolsInForce({ tools, messages }: JsonObject): readonly JsonObject[] {
  const latest = new Map<string, JsonObject>()
  for (const tool of [...objects(tools), ...definitionsIn(objects(messages))]) latest.set(text(tool.name), tool)
  return [...latest.values()]
}

/** The messages without what only changes tools. */
export function withoutChanges(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.filter(
    ({ role, content }) => role !== 'system' || !blocks(content).every(({ type }) => type === 'tool_addition'),
  )
}

/** Messages of the system stand after a turn of the user (or one another), at the end or before the model's answer. */
export function refusedPlace(messages: readonly JsonObject[], index: number): string | undefined {
  const before = messages[index - 1]?.role
  const after = messages[index + 1]?.role
  if (before === 'assistant')
    return `messages.${index}: a system message has to follow a user message, not stand before the results of calls`
  return after === 'user'
    ? `messages.${index}: a system message has to be last or before an assistant message`
    : undefined
}

/** What is in messages of the system only, in another. */
export function refusedRole({ role, content }: JsonObject, place: string): string | undefined {
  if (role !== 'user' && role !== 'assistant') return `${place}.role: Input should be 'user', 'assistant' or 'system'`
  const adds = blocks(content).some(({ type }) => type === 'tool_addition')
  return adds ? `${place}: tool_addition blocks are only permitted in system messages` : undefined
}

/** What is wrong with the changes of tools that the messages make. */
export function refusedChanges(
  messages: readonly JsonObject[],
  tools: readonly JsonObject[],
  betas: readonly string[],
): string | undefined {
  const types = new Map(tools.map((tool) => [text(tool.name), typeOf(tool)]))
  return firstOf(messages, ({ role, content }, index) =>
    role === 'system'
      ? firstOf(blocks(content), (block, at) => refusedChange(block, `messages.${index}.content.${at}`, types, betas))
      : undefined,
  )
}

/** `types` are those of the tools so far; a definition is added. */
function refusedChange(
  { type, tool }: JsonObject,
  place: string,
  types: Map<string, string>,
  betas: readonly string[],
): string | undefined {
  if (type === 'text') return undefined
  if (type !== 'tool_addition') return `${place}: '${text(type)}' blocks are not permitted in system messages`
  if (!isJsonObject(tool)) return `${place}.tool_addition.tool: Field required`
  if (tool.type === 'tool_reference')
    return types.has(text(tool.name)) ? undefined : `tool_reference_unresolved: ${place} names ${text(tool.name)}`
  if (tool.type !== 'tool_definition') return `${place}.tool_addition.tool.type: unexpected value '${text(tool.type)}'`
  if (!betas.includes(BETA)) return `${place}.tool_addition: tool_definition requires the beta ${BETA}`
  if (!isJsonObject(tool.definition)) return `${place}.tool_addition.tool.definition: Field required`
  const { definition } = tool
  const name = text(definition.name)
  if (types.has(name) && types.get(name) !== typeOf(definition))
    return `tool_name_conflict: ${place} defines ${name} as a tool of another type`
  types.set(name, typeOf(definition))
  return refusedTool(definition, `${place}.tool_addition.tool.definition`)
}

function typeOf({ type }: JsonObject): string {
  return type === undefined ? 'custom' : text(type)
}
