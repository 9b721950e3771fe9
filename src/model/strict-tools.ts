import type { JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { lowerStrictSchema } from './lower-schema.ts'

/** What the Messages API takes of strict tools in one request. */
const LIMITS = { tools: 20, optional: 24, unions: 16 } as const

/**
 * The strict schemas by tool name: of tools that ask for it, as many as fit into one request. A tool that does not fit,
 * or that can't be expressed, is absent and goes without.
 */
export function strictSchemas(tools: readonly ToolDefinition[]): ReadonlyMap<string, JsonSchema> {
  const chosen = new Map<string, JsonSchema>()
  let optional = 0
  let unions = 0
  for (const tool of tools) {
    if (!tool.strict || chosen.size === LIMITS.tools) continue
    const schema = lowerStrictSchema(tool.inputSchema)
    if (!schema) continue
    const cost = costOf(schema)
    if (optional + cost.optional > LIMITS.optional || unions + cost.unions > LIMITS.unions) continue
    optional += cost.optional
    unions += cost.unions
    chosen.set(tool.name, schema)
  }
  return chosen
}

function costOf(schema: JsonSchema): { readonly optional: number; readonly unions: number } {
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required)
  let optional = properties.filter(([name]) => !required.has(name)).length
  let unions = schema.anyOf || Array.isArray(schema.type) ? 1 : 0
  const inner = [
    ...properties.map(([, property]) => property),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ]
  for (const cost of inner.map(costOf)) {
    optional += cost.optional
    unions += cost.unions
  }
  return { optional, unions }
}
