import { canonicalJson, type Json } from '../core/json.ts'
import type { ModelRequest, ToolsMessage } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'

type Told = Pick<ModelRequest, 'tools' | 'messages'>

/**
 * The tools of a request, in the order of its list, each as it is defined at the end of the conversation. A definition
 * under a name that the list does not have stands in place of none, and is left out.
 */
export function definitionsInForce({ tools, messages }: Told): readonly ToolDefinition[] {
  const latest = new Map<string, ToolDefinition>()
  for (const message of messages)
    if (message.role === 'tools') for (const definition of message.definitions) latest.set(definition.name, definition)
  return tools.map((tool) => latest.get(tool.name) ?? tool)
}

/** What of a message holds from there on: the last definition of each name, for names that `tools` has. */
export function replacements(message: ToolsMessage, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const names = new Set(tools.map(({ name }) => name))
  const latest = new Map(message.definitions.map((definition) => [definition.name, definition]))
  return [...latest.values()].filter(({ name }) => names.has(name))
}

/** Whether a model is told the same by both. */
export function sameDefinition(a: ToolDefinition, b: ToolDefinition): boolean {
  return toldBy(a) === toldBy(b)
}

function toldBy({ name, description, inputSchema }: ToolDefinition): string {
  return canonicalJson({ name, description, inputSchema: inputSchema as Json })
}
