import type { ModelAnswer, ModelRequest } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { aliasOf } from '../lib/tool-alias.ts'
import { replacements, sameDefinition } from './definitions-in-force.ts'
import { restoredCalls } from './restored-calls.ts'
import { withoutAbsent } from './without-absent.ts'

/** A definition under a name of its own. */
export interface Alias {
  readonly name: string
  readonly definition: ToolDefinition
}

/**
 * What the definitions within a conversation become where a name may be declared but once: aliases, declared where the
 * definitions stand, and the names that may be called at its end.
 */
export interface Aliases {
  /** By the index of the message that declares them. */
  readonly declared: ReadonlyMap<number, readonly Alias[]>
  /** By the name of the tool; a tool whose definition is that of the list has none. */
  readonly inForce: ReadonlyMap<string, Alias>
}

export const NO_ALIASES: Aliases = { declared: new Map(), inForce: new Map() }

export function aliasesOf({ tools, messages }: Pick<ModelRequest, 'tools' | 'messages'>): Aliases {
  const declared = new Map<number, readonly Alias[]>()
  const inForce = new Map<string, Alias>()
  const counts = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tools') continue
    const aliases = replacements(message, tools).flatMap((definition): Alias[] => {
      const { name } = definition
      const n = (counts.get(name) ?? 0) + 1
      counts.set(name, n)
      inForce.delete(name)
      if (tools.some((tool) => sameDefinition(tool, definition))) return []
      const alias = { name: aliasOf(name, n), definition }
      inForce.set(name, alias)
      return [alias]
    })
    if (aliases.length > 0) declared.set(index, aliases)
  }
  return { declared, inForce }
}

/**
 * The answer with its calls as the request means them: by the tools' own names, and for those made under a strict schema
 * without the nulls that stand for what is absent. `strict` are names as sent; `madeAs` notes the alias of a call by its id.
 */
export function meantAnswer(
  answer: ModelAnswer,
  { tools }: ModelRequest,
  { declared }: Aliases,
  strict: ReadonlySet<string>,
  madeAs: Map<string, string>,
): ModelAnswer {
  const aliases = new Map([...declared.values()].flat().map(({ name, definition }) => [name, definition]))
  const restored = restoredCalls(answer, (name, args) => {
    const definition = strict.has(name) ? (aliases.get(name) ?? tools.find((tool) => tool.name === name)) : undefined
    return definition ? withoutAbsent(args, definition.inputSchema) : args
  })
  const content = restored.content.map((block) => {
    const definition = block.type === 'call' ? aliases.get(block.call.name) : undefined
    if (block.type !== 'call' || !definition) return block
    madeAs.set(block.call.id, block.call.name)
    return { ...block, call: { ...block.call, name: definition.name } }
  })
  return { ...restored, content }
}
