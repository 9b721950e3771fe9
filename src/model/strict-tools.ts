import type { JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { lowerStrictSchema } from './lower-schema.ts'

/** What the Messages API takes of strict tools in one request. */
const LIMITS = { tools: 20, optional: 24, unions: 16 } as const

/**
 * The strict schemas of tools that ask for one, at the places of the tools: as many as fit into one request. A tool that
 * does not fit, or that can't be expressed, has none. What a tool gets depends on it and those before it alone.
 */
export function strictSchemas(tools: readonly ToolDefinition[]): readonly (JsonSchema | undefined)[] {
  let chosen = 0
  let optional = 0
  let unions = 0
  return tools.map((tool) => {
    if (!tool.strict || chosen === LIMITS.tools) return undefined
    const schema = lowerStrictSchema(tool.inputSchema)
    if (!schema) return undefined
    const cost = costOf(schema)
    if (optional + cost.optional > LIMITS.optional || unions + cost.unions > LIMITS.unions) return undefined
    chosen += 1
    optional += cost.optional
    unions += cost.unions
    return schema
  })
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
