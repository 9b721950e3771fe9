import { type Constraint, type ConstraintSet, NONE_OF_THESE } from '../core/constraint.ts'
import { canonicalJson, type Json, type JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { narrow } from './narrow.ts'
import { changeAt } from './pointer.ts'
import { satisfiable } from './satisfiable.ts'
import { typesOf } from './schema-types.ts'

/**
 * The tools under the constraints of a set: those that last a step, and with `recovery` also those that bind the
 * recovery of one call (its enums then carry the way out). The input is never changed; what a constrained schema accepts
 * its base accepts; at least one tool stays. Tools that no constraint touches are the very same objects.
 */
export function applyConstraints(
  tools: readonly ToolDefinition[],
  set: ConstraintSet,
  { recovery = false }: { readonly recovery?: boolean } = {},
): readonly ToolDefinition[] {
  const inForce = set.constraints.filter((constraint) => constraint.lasts === 'step' || recovery)
  const constrained = tools.map((tool) => constrainTool(tool, inForce))
  const hidden = new Set(inForce.flatMap((constraint) => (constraint.kind === 'hide' ? [constraint.tool] : [])))
  const possible = constrained.filter((tool) => !hidden.has(tool.name) && satisfiable(tool.inputSchema))
  return possible.length > 0 ? possible : tools
}

/** One tool under all of the constraints; itself where none touches it. */
export function constrainTool(tool: ToolDefinition, constraints: readonly Constraint[]): ToolDefinition {
  return constraints.reduce(applyOne, tool)
}

function applyOne(tool: ToolDefinition, constraint: Constraint): ToolDefinition {
  switch (constraint.kind) {
    case 'enum':
    case 'exclude':
      return placesOf(tool, constraint.scope).reduce(
        (at, pointer) => narrowAt(at, pointer, (schema) => membersOf(constraint, schema)),
        tool,
      )
    case 'narrow':
      return constraint.tool === tool.name ? narrowAt(tool, constraint.pointer, () => constraint.schema) : tool
    case 'refuse':
      return constraint.tool === tool.name ? refuse(tool, constraint.schema) : tool
    case 'strict':
      return constraint.tool === tool.name ? { ...tool, strict: true } : tool
    case 'hide':
    case 'hint':
      return tool
  }
}

function placesOf(tool: ToolDefinition, scope: Extract<Constraint, { kind: 'enum' }>['scope']): string[] {
  if (scope.by === 'place') return scope.tool === tool.name ? [scope.pointer] : []
  return Object.entries(tool.argumentKinds).flatMap(([pointer, kind]) => (kind === scope.kind ? [pointer] : []))
}

/** Members are numbers where the argument is one; the way out is a text, so an argument that can't be one has none. */
function membersOf(constraint: Extract<Constraint, { kind: 'enum' | 'exclude' }>, { type }: JsonSchema): JsonSchema {
  const types = typesOf(type)
  const numeric = types.length > 0 && types.every((each) => each === 'integer' || each === 'number')
  const members: readonly Json[] = numeric ? constraint.values.map(Number).filter(Number.isFinite) : constraint.values
  if (members.length === 0) return {}
  if (constraint.kind === 'exclude') return { not: { enum: members } }
  return { enum: constraint.lasts === 'call' && !numeric ? [...members, NONE_OF_THESE] : members }
}

function narrowAt(tool: ToolDefinition, pointer: string, partFor: (schema: JsonSchema) => JsonSchema): ToolDefinition {
  const inputSchema = changeAt(tool.inputSchema, pointer, (schema) => narrow(schema, partFor(schema)))
  return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema }
}

/** Refusals stay together in one `not`, so that a provider's lowering has one thing to leave out. */
function refuse(tool: ToolDefinition, schema: JsonSchema): ToolDefinition {
  const { not, ...rest } = tool.inputSchema
  const before = not === undefined ? [] : (not.anyOf ?? [not])
  const known = before.some((refused) => canonicalJson(refused as Json) === canonicalJson(schema as Json))
  return known ? tool : { ...tool, inputSchema: { ...rest, not: { anyOf: [...before, schema] } } }
}
